import FileNames
import Foundation
import LinuxIO
import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import PhotoColors
import PhotoFacts
import PhotoLibrary
package import SystemPackage

extension OutboxWriter {
    /// Takes over what the outbox's indexes list, if the Library knows less: if it is new, or its number of a pack's
    /// index is lower than that of the index, because it was restored from a backup. Stickers are recorded that a
    /// `pack.json` or one of its pages lists and whose files match it, in its order. Photos are recognized by their
    /// digests, so that no sticker is made twice. After a crash the next start resumes.
    ///
    /// - Parameters:
    ///   - progress: called for each sticker that is read.
    ///   - damaged: called with a copy of each index that cannot be read, of a pack that the Library does not know: the
    ///     next index replaces it, and only people can tell what it had.
    /// - Returns: how many stickers the packs have whose indexes were taken over.
    /// - Throws: `OutboxError` if the outbox cannot be read, or GRDB's `DatabaseError`.
    package func takeOver(
        progress: @Sendable () -> Void = {}, damaged: @Sendable (FilePath) -> Void = { _ in }
    ) async throws -> Int {
        _ = try await open()
        var count = 0
        for folder in try packFolders() { count += try await takeOver(folder, progress, damaged) }
        if try await library.needsRebuilding() { try await library.endRebuilding() }
        return count
    }

    /// The most stickers recorded in one transaction.
    private static let batch = 200

    /// Does not read stickers again that are known with the same name and size, such as those that an interrupted call
    /// has recorded.
    private func takeOver(_ folder: String, _ progress: () -> Void, _ damaged: (FilePath) -> Void) async throws -> Int {
        let known = try await library.packState(inFolder: folder)
        var stored = try storedIndex(in: folder, unlike: known?.revision ?? -1)
        // Somebody renamed the folder of another pack: its index lists that pack's stickers, so it counts as missing.
        if let known, let index = stored?.index, Self.packName(index, in: folder)?.isExactly(known.name) != true {
            stored = nil
        }
        guard let stored, stored.index.revision > known?.revision ?? -1 else {
            // An older outbox may have the files of stickers that were removed, or left the pack, since.
            if let known {
                try await withdrawFormer(stored?.stickers ?? [], from: known.name)
            } else if let copy = try await keepDamagedIndex(in: folder) {
                damaged(copy)
            }
            return 0
        }
        guard let pack = known?.name ?? Self.packName(stored.index, in: folder) else { return 0 }
        let removed = stored.index.removed.compactMap { Library.RemovedSticker($0) }
        let gone = Set(removed.map { PackEntry.identifier(ofPhoto: $0.photo, $0.ordinal) })
        let stickers = stored.stickers.compactMap { sticker in
            Library.ListedSticker(sticker).map { (sticker: sticker, listed: $0) }
        }
        .filter { !gone.contains($0.sticker.id) }
        // After a crash, the index may be the next one, whose number is not recorded yet.
        let mayBeNext = stored.index.revision == (known?.revision ?? 0) + 1
        if mayBeNext, try await library.hasRecorded(stickers.map(\.listed), removed: removed, inPack: pack) { return 0 }
        let first = try await library.beginTakeOver(
            ofPack: pack, folder: folder, count: stickers.count, removed: removed)
        guard let first else { return 0 }
        try await library.recordRemains(try Self.remains(in: path(folder)), ofPack: pack)
        let recorded = Set(try await library.stickers(ofPack: pack).map { Library.ListedSticker($0.sticker) })
        var count = 0
        for start in stride(from: 0, to: stickers.count, by: Self.batch) {
            var batch: [(listed: Library.ListedSticker, found: Library.PackSticker?)] = []
            for (sticker, listed) in stickers[start..<min(start + Self.batch, stickers.count)] {
                var found: Library.PackSticker?
                if !recorded.contains(listed) {
                    progress()
                    found = try self.found(sticker, listed, pack: pack, folder: folder)
                }
                batch.append((listed, found))
            }
            count += try await library.takeOver(batch, inPack: pack, from: first + Int64(start), overrules: !mayBeNext)
        }
        let revisions = IndexHead.revisions
        if revisions.contains(stored.index.revision) {
            try await library.record(index: stored.index.revision, removed: [], ofPack: pack)
        }
        return count
    }

    /// Copies an index that cannot be parsed, unless there is a copy. Returns the copy.
    private func keepDamagedIndex(in folder: String) async throws -> FilePath? {
        let (root, name) = (try await open(), "pack.damaged.json")
        let copy = path(folder).appending(name)
        guard (try? StoredIndex(in: path(folder))) == nil, !OwnedDescriptor.exists(copy),
            let place = folder.isEmpty ? root : try? root.subfolder(folder),
            // Without following a link: the copy is readable by all users.
            let file = try? RegularFile.open(OutboxFile.index, beneath: place.descriptor),
            let bytes = try? file.read(upTo: StoredIndex.maxBytes), !bytes.isEmpty,
            (try? AtomicFile.write([(name, bytes)], in: place.descriptor, mode: Self.fileMode)) != nil
        else { return nil }
        return copy
    }

    /// `stickers` are those that an older index lists.
    private func withdrawFormer(_ stickers: [PackEntry], from pack: String) async throws {
        let removed = try await library.summary(ofPack: pack, listed: 0).removed.map(\.file)
        let listed = stickers.map(\.file).filter { OutboxName.isSticker($0) }
        let files = Set((removed + listed).map { ExactName($0) })
        let thumbnails = Set(files.map { ExactName(OutboxName.thumbnail(ofSticker: $0.text)) })
        let gone = try await missing(files, inPack: pack)
        let without = try await missing(thumbnails, inPack: pack, .thumbnails)
        try await library.withdraw(
            files: files.subtracting(gone).map(\.text), thumbnails: thumbnails.subtracting(without).map(\.text),
            ofFormerInPack: pack)
        // Those of a sticker that has stayed are in the ledger.
        let palettes = listed.compactMap { FilePath($0).stem }.flatMap { stem in
            PaletteFormat.allCases.map { ExactName("\(stem).\($0.fileExtension)") }
        }
        let away = try await missing(Set(palettes), inPack: pack, .palettes)
        let remains = Set(palettes).subtracting(away).map { OutboxSubfolder.palettes.file($0.text) }
        try await library.recordRemains(remains, ofPack: pack)
    }

    /// The index in a pack's folder, if its number is not `revision`; nil if there is none, or others wrote it.
    private func storedIndex(in folder: String, unlike revision: Int) throws(OutboxError) -> StoredIndex? {
        let path = path(folder)
        do throws(StoredIndex.Failure) {
            // The number is in the first line: reading all of a large index takes long.
            if let head = try StoredIndex.head(in: path), head.revision == revision { return nil }
            let stored = try StoredIndex(in: path)
            return stored.index.revision == revision ? nil : stored
        } catch {
            guard let cause = error.cause, cause.isTransient else { return nil }
            throw OutboxError(folder: path, cause: cause)
        }
    }

    /// The inbox folder of a pack, as its index says; nil if that cannot be.
    private static func packName(_ index: Pack, in folder: String) -> String? {
        let name = index.description.inboxFolder ?? index.name
        if folder.isEmpty { return "" }
        guard let path = InboxPath(escaped: name), path.description.isExactly(name),
            FilePath(bytes: path.bytes).components.map(\.kind) == [.regular]
        else { return nil }
        return name
    }

    /// Relative to the outbox; the root pack's first.
    private func packFolders() throws(OutboxError) -> [String] {
        do throws(Errno) {
            let root = try OwnedDescriptor(opening: folder, options: .directory)
            let folders = try DirectoryScan.entries(of: root.raw).filter { $0.kind == .folder }
            return [""] + folders.map { String(decoding: $0.name, as: UTF8.self) }.sorted()
        } catch {
            throw OutboxError(folder: folder, cause: error)
        }
    }

    private func path(_ folder: String) -> FilePath { folder.isEmpty ? self.folder : self.folder.appending(folder) }

    /// nil if the file does not match the index.
    private func found(
        _ sticker: PackEntry, _ listed: Library.ListedSticker, pack: String, folder: String
    ) throws(OutboxError) -> Library.PackSticker? {
        guard let (digest, modified) = try digest(of: sticker, in: path(folder)) else { return nil }
        let record = StickerRecord(
            StickerFacts(
                width: sticker.width, height: sticker.height, confidence: sticker.confidence,
                foundBy: sticker.foundBy.flatMap { SubjectFinder(rawValue: $0) }),
            pack: pack, photo: listed.photo, ordinal: listed.ordinal, file: sticker.file,
            thumbnail: thumbnail(of: sticker, folder: folder), stem: Self.stem(of: sticker, photo: listed.photo),
            bytes: sticker.bytes, sha256: digest, modified: modified, recipe: Library.unknownRecipe,
            added: sticker.added)
        return .init(record, colors: sticker.colors, subjectColors: sticker.subjectColors)
    }

    private func digest(of sticker: PackEntry, in folder: FilePath) throws(OutboxError) -> (String, Int64)? {
        do throws(Errno) {
            let file = try RegularFile.open(folder.appending(sticker.file), options: .noFollow)
            let identity = try FileStatus(ofDescriptor: file.raw).identity
            guard identity.size == sticker.bytes else { return nil }
            return (try ContentDigest.sha256(ofDescriptor: file.raw, limit: sticker.bytes).hex, identity.modified)
        } catch {
            guard error.isTransient else { return nil }
            throw OutboxError(folder: folder, cause: error)
        }
    }

    /// The shown name and the emoji in place of the stem, which the index lacks; escaped again, because others may have
    /// written the file. nil if the photo's name is hidden.
    private static func stem(of sticker: PackEntry, photo: String) -> String? {
        let name = sticker.name
        guard !name.isEmpty, !isHidden(name, of: sticker.file, photo: photo) else { return nil }
        let emoji = sticker.emoji.prefix(Emoji.maxListed).compactMap { Emoji($0)?.text }
        // Without words, the name is the emoji.
        let words = emoji.joined().hasPrefix(name) ? emoji : [name] + emoji
        let stem = words.joined(separator: " ")
        return (InboxPath(escaped: stem) ?? InboxPath(bytes: Array(stem.utf8))).description
    }

    /// Whether digits of the photo's SHA-256 are shown in place of its name. A stem made of them would let
    /// `Library.renameStickers` publish the name.
    private static func isHidden(_ name: String, of file: String, photo: String) -> Bool {
        guard file.hasPrefix(photo.prefix(OutboxName.digits[0])) else { return false }
        return name == OutboxName.title(ofSticker: file, photo: photo)
            || name == StickerWords(stem: nil, file: file, photo: photo).name
    }

    /// nil if there is none at the expected path.
    private func thumbnail(of sticker: PackEntry, folder: String) -> String? {
        let name = OutboxName.thumbnail(ofSticker: sticker.file)
        let file = OutboxSubfolder.thumbnails.file(name)
        return sticker.thumbnail == file && OwnedDescriptor.exists(path(folder).appending(file)) ? name : nil
    }
}

extension Library.ListedSticker {
    /// No sticker was ever larger.
    private static let maxSide = 1 << 14

    /// nil if stickerd cannot have made such a sticker: others may have written the index.
    fileprivate init?(_ entry: PackEntry) {
        guard OutboxName.isSticker(entry.file), let (photo, ordinal) = PackEntry.photo(ofSticker: entry.id),
            (1...Self.maxSide).contains(entry.width), (1...Self.maxSide).contains(entry.height),
            (0...1).contains(entry.confidence)
        else { return nil }
        self.init(
            photo: photo, ordinal: ordinal, file: entry.file, width: entry.width, height: entry.height,
            bytes: entry.bytes)
    }
}

extension Library.RemovedSticker {
    /// nil if `id` or `file` is invalid.
    fileprivate init?(_ removed: Pack.Removed) {
        guard OutboxName.isSticker(removed.file), let (photo, ordinal) = PackEntry.photo(ofSticker: removed.id) else {
            return nil
        }
        self.init(photo: photo, ordinal: ordinal, file: removed.file)
    }
}
