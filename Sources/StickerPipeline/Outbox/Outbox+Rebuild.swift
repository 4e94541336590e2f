import Foundation
import LinuxIO
import PhotoColors
import PhotoFacts
import PhotoLibrary
import SystemPackage

extension Outbox {
    /// Records the outbox's stickers in a new Library: those that a `pack.json` or one of its pages lists and whose files
    /// match it. Photos are recognized by their digests, so that no sticker is made twice. After a crash the next start
    /// resumes.
    ///
    /// - Parameter progress: called for each sticker that is read.
    /// - Returns: how many stickers were recorded.
    /// - Throws: `Errno` if the outbox cannot be read, or GRDB's `DatabaseError`.
    package func rebuild(progress: @Sendable () -> Void = {}) async throws -> Int {
        var count = 0
        for folder in try packFolders() {
            guard let index = try? StoredIndex(in: path(folder)) else { continue }
            count += try await adopt(index, folder: folder, progress)
        }
        try await library.endRebuilding()
        return count
    }

    /// The most stickers recorded in one transaction.
    private static let rebuildBatch = 200

    /// Records a pack's stickers. Does not read those again that an interrupted rebuild has recorded.
    private func adopt(_ stored: StoredIndex, folder: String, _ progress: () -> Void) async throws -> Int {
        let pack = folder.isEmpty ? "" : stored.index.pack.inboxFolder ?? stored.index.pack.name
        let known = try await library.publishedFiles(ofPack: pack)
        try await library.adopt((stored.index.removed ?? []).compactMap(\.sticker), inPack: pack)
        var count = 0
        var rest = stored.stickers[...]
        repeat {
            let batch = rest.prefix(Self.rebuildBatch)
            rest = rest.dropFirst(Self.rebuildBatch)
            let found = batch.filter { !known.contains(ExactName($0.file)) }.map { listed in
                progress()
                return record(listed, pack: pack, folder: folder).map {
                    PhotoLibrary.FoundSticker(
                        $0, colors: Self.sample(listed.colors), subjectColors: Self.sample(listed.subjectColors))
                }
            }
            let stickers = found.compactMap(\.self)
            let revision = PackIndexFile.Head.revisions.contains(stored.index.revision) ? stored.index.revision : 0
            try await library.adopt(
                stickers, inPack: pack, folder: folder, revision: revision, following: rest.count)
            count += stickers.count + batch.count - found.count
        } while !rest.isEmpty
        return count
    }

    /// Relative to the outbox; the root pack's first.
    private func packFolders() throws -> [String] {
        let root = try OwnedDescriptor(opening: folder, options: .directory)
        var scan = try DirectoryScan(of: root.raw)
        var folders: [String] = []
        while let entry = try scan.next() {
            if entry.kind == .folder { folders.append(String(decoding: entry.name, as: UTF8.self)) }
        }
        return [""] + folders.sorted()
    }

    private func path(_ folder: String) -> FilePath { folder.isEmpty ? self.folder : self.folder.appending(folder) }

    /// nil if the file does not match the index, or the index is invalid.
    private func record(_ sticker: PackIndex.Sticker, pack: String, folder: String) -> StickerRecord? {
        guard let (photo, ordinal) = sticker.photo, FilePath(sticker.file).components.count == 1,
            let file = try? RegularFile.open(path(folder).appending(sticker.file)),
            let size = try? FileStatus(ofDescriptor: file.raw).identity.size, size == sticker.bytes,
            let digest = try? ContentDigest.sha256(ofDescriptor: file.raw, limit: sticker.bytes).hex
        else { return nil }
        return StickerRecord(
            StickerFacts(width: sticker.width, height: sticker.height, confidence: sticker.confidence),
            pack: pack, photo: photo, ordinal: ordinal, file: sticker.file,
            thumbnail: thumbnail(of: sticker, folder: folder), stem: Self.stem(of: sticker, photo: photo),
            bytes: sticker.bytes, sha256: digest, recipe: PhotoLibrary.unknownRecipe,
            added: (try? Date.ISO8601FormatStyle.packTime.parse(sticker.addedAt)) ?? .now)
    }

    /// nil if there are none, or they are invalid.
    private static func sample(_ colors: [SchemeColor]?) -> PhotoColorSample? {
        colors.flatMap { PhotoColorSample(PhotoColorScheme(colors: $0)) }
    }

    /// The shown name and the emoji in place of the stem, which the index lacks; escaped again, because others may have
    /// written the file. nil if the photo's name is hidden.
    private static func stem(of sticker: PackIndex.Sticker, photo: String) -> String? {
        guard let name = sticker.name, !isHidden(name, of: sticker.file, photo: photo) else { return nil }
        let emoji = (sticker.emoji ?? []).prefix(Emoji.maxListed).compactMap { Emoji($0)?.text }
        // Without words, the name is the emoji.
        let words = emoji.joined().hasPrefix(name) ? emoji : [name] + emoji
        let stem = words.joined(separator: " ")
        return (InboxPath(escaped: stem) ?? InboxPath(bytes: Array(stem.utf8))).description
    }

    /// Whether digits of the photo's SHA-256 are shown in place of its name. A stem made of them would let
    /// `PhotoLibrary.renameStickers` publish the name.
    private static func isHidden(_ name: String, of file: String, photo: String) -> Bool {
        guard file.hasPrefix(photo.prefix(OutboxName.digits[0])) else { return false }
        return name == OutboxName.title(ofSticker: file, photo: photo)
            || name == StickerWords(stem: nil, file: file, photo: photo).name
    }

    /// nil if there is none at the expected path.
    private func thumbnail(of sticker: PackIndex.Sticker, folder: String) -> String? {
        let name = OutboxName.thumbnail(ofSticker: sticker.file)
        let file = "\(OutboxSubfolder.thumbnails.rawValue)/\(name)"
        return sticker.thumbnail == file && OwnedDescriptor.exists(path(folder).appending(file)) ? name : nil
    }
}
