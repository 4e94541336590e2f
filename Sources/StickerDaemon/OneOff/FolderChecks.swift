import DaemonSettings
import FileNames
import Inbox
import LibraryCommands
import LinuxIO
import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import Packs
import PhotoColors
import PhotoLibrary
import PhotoRule
import SystemPackage

/// Compares the inbox with the Library: every file there is known and unchanged, and every pending file exists.
struct InboxCheck {
    private(set) var problems: [Verification.Problem] = []
    private let settings: Settings
    private var known: [InboxPath: LibraryInspection.File]

    init(_ settings: Settings, _ library: LibraryInspection) {
        self.settings = settings
        known = library.files
        do throws(Errno) {
            try checkAll(settings.inboxRules)
        } catch {
            // If the inbox is unavailable, its photos cannot be checked.
            problems = [.init(text: "\(settings.inbox): the inbox cannot be read: \(error)", fix: .none)]
            return
        }
        for (path, file) in known.sorted(by: { $0.key < $1.key })
        where !file.isLeaving && file.state.mustBeInInbox(settings.whenPhotoRemoved)
            && path.isGone(from: settings.inbox)
        {
            report(path, "is \(file.state.rawValue) in the Library but no longer in the inbox")
        }
    }

    /// - Throws: if the inbox itself cannot be read.
    private mutating func checkAll(_ rules: InboxRules) throws(Errno) {
        let root = try OwnedDescriptor(opening: settings.inbox, options: .directory)
        let ownMounts = rules.ownFolders.mounts(below: settings.inbox)
        var rest = try check(.root, root, rules)
        while let folder = rest.popLast() {
            if ownMounts[folder] != nil || InboxRules.reasonToLeaveOut(folder, of: settings.inbox) != nil { continue }
            do throws(Errno) {
                let descriptor = try OwnedDescriptor(opening: folder.bytes, beneath: root.raw, options: .directory)
                if rules.ownFolders.name(of: try FileStatus(ofDescriptor: descriptor.raw)) != nil { continue }
                rest += try check(folder, descriptor, rules)
            } catch .noSuchFileOrDirectory {
                // Removed since its name was read.
            } catch .notDirectory {
                // Replaced by something that is not a folder.
            } catch {
                report(folder, "cannot be read: \(error)")
            }
        }
    }

    /// Returns the subfolders to check.
    private mutating func check(
        _ folder: InboxPath, _ descriptor: borrowing OwnedDescriptor, _ rules: InboxRules
    ) throws(Errno) -> [InboxPath] {
        var folders: [InboxPath] = []
        var scan = try DirectoryScan(of: descriptor.raw)
        while let entry = try scan.next() {
            guard rules.reasonToIgnore(entry.name) == nil else { continue }
            let path = folder.appending(entry.name)
            if entry.kind == .folder {
                if rules.recursive { folders.append(path) }
            } else if entry.kind == .regular, !AtomicFile.isTemporary(entry.name) {
                check(path, in: scan.folder)
            }
        }
        return folders
    }

    private mutating func check(_ path: InboxPath, in folder: Int32) {
        let file = known.removeValue(forKey: path)
        guard let status = try? FileStatus(of: path.name, in: folder) else { return }
        guard let file else {
            // An empty file stays unrecorded until it has content.
            if status.identity.size > 0 { report(path, "is not in the Library yet") }
            return
        }
        if file.identity == status.identity { return }
        // A new link and new permissions change the inode change time, too.
        if status.identity.seemsUnwritten(since: file.identity), let photo = file.photo,
            (try? Self.digest(of: path.name, in: folder)) == photo
        {
            return
        }
        report(path, "has changed since the Library recorded it")
    }

    private static func digest(of name: [UInt8], in folder: Int32) throws(Errno) -> String {
        let file = try OwnedDescriptor(opening: name, in: folder, options: .nonBlocking)
        return try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max).hex
    }

    private mutating func report(_ path: InboxPath, _ text: String) {
        problems.append(.init(text: "\(path): \(text)", fix: .none))
    }
}

/// Compares one pack's folder with the Library.
struct OutboxCheck {
    private(set) var problems: [Verification.Problem] = []
    /// The files with problems.
    private var wrong: Set<FilePath> = []
    private let folder: FilePath

    /// - Parameter isKept: whether a daemon keeps ZIPs up to date and waits for nothing. One that has ended may have
    ///   left its ZIP to its next start, and one that waits may have a reason not to write it.
    init(_ outbox: FilePath, _ pack: LibraryInspection.Pack, _ settings: PackSettings, isKept: Bool) throws {
        folder = pack.folder.isEmpty ? outbox : outbox.appending(pack.folder)
        for sticker in pack.published { try check(sticker) }
        checkIndex(pack)
        for file in pack.files { check(file) }
        // An emptied pack has no page.
        let names = Set(pack.files.map { ExactName($0.file) })
        var required = [OutboxFile.index]
        if settings.gallery != nil, !pack.published.isEmpty { required.append(OutboxFile.page) }
        if settings.gallery?.baseURL != nil, !pack.published.isEmpty { required.append(OutboxFile.feed) }
        required += pack.palettes.flatMap(settings.paletteFiles)
        for name in required where !names.contains(ExactName(name)) {
            report(folder.appending(name), "is missing", .writeIndex)
        }
        if !settings.paletteFormats.isEmpty {
            for sticker in pack.withoutPalette {
                report(folder.appending(sticker.file), "has no palette", .remake(sticker))
            }
        }
        if isKept, pack.isDrained, try !OutboxWriter.isCurrent(pack.files, ofPack: pack.published, settings) {
            report(folder.appending(OutboxFile.archive), "is out of date", .writeIndex)
        }
        let thumbnails = pack.published.compactMap(\.thumbnailFile).map { ExactName($0) }
        let known = names.union(pack.others).union(thumbnails)
        for subfolder in OutboxSubfolder.allCases {
            try check(subfolder.rawValue, Self.endings(in: subfolder), known: known)
        }
        try check("", ["png", "webp"], known: pack.others.union(pack.published.map { ExactName($0.file) }))
    }

    private mutating func check(_ sticker: StickerRecord) throws {
        let path = folder.appending(sticker.file)
        do {
            // A pipe must not block.
            let file = try OwnedDescriptor(opening: path, options: [.noFollow, .nonBlocking])
            let status = try FileStatus(ofDescriptor: file.raw)
            let isSame =
                try status.kind == .regular && status.identity.size == sticker.bytes
                && ContentDigest.sha256(ofDescriptor: file.raw, limit: sticker.bytes).hex == sticker.sha256
            if !isSame { report(path, "differs from the sticker that stickerd wrote", .remake(sticker)) }
            if let thumbnail = sticker.thumbnail {
                let path = folder.appending(OutboxSubfolder.thumbnails.rawValue).appending(thumbnail)
                let bytes = try? RegularFile.contents(of: path, upTo: OutboxWriter.maxReadBytes, options: .noFollow)
                if (try? FileStatus(of: path))?.kind != .regular {
                    report(path, "is missing", .remake(sticker))
                } else if bytes.map(OutboxWriter.isThumbnail) != true {
                    report(path, "is damaged", .remake(sticker))
                }
            }
        } catch Errno.noSuchFileOrDirectory {
            report(path, "is missing", .remake(sticker))
        } catch let cause as Errno {
            report(path, "cannot be read: \(cause)", .remake(sticker))
        }
    }

    /// Compares the index with the Library: what it lists may be older.
    private mutating func checkIndex(_ pack: LibraryInspection.Pack) {
        let path = folder.appending(OutboxFile.index)
        do throws(StoredIndex.Failure) {
            let stored = try StoredIndex(in: folder)
            if stored.unreadable.isEmpty { compare(stored, with: pack) }
        } catch {
            if error.cause != .noSuchFileOrDirectory { report(path, "is not a valid index", .writeIndex) }
        }
    }

    /// Checks a derived file, unless something is known to be wrong with it.
    private mutating func check(_ file: LedgerEntry) {
        let path = folder.appending(file.file)
        guard !wrong.contains(path) else { return }
        do {
            if try !file.isKey(ofFileAt: path) { report(path, "differs from what stickerd wrote", .writeIndex) }
        } catch Errno.noSuchFileOrDirectory {
            report(path, "is missing", .writeIndex)
        } catch {
            report(path, "cannot be read: \(error)", .writeIndex)
        }
    }

    private mutating func compare(_ stored: StoredIndex, with pack: LibraryInspection.Pack) {
        let path = folder.appending(OutboxFile.index)
        if let count = stored.index.stickerCount, count != stored.stickers.count {
            report(path, "counts \(count) stickers, but lists \(stored.stickers.count)", .writeIndex)
        }
        guard !stored.stickers.elementsEqual(pack.published, by: Self.agree) else { return }
        let before = problems.count
        let published = Dictionary(pack.published.map { (ExactName($0.file), $0) }) { first, _ in first }
        var missing = Set(published.keys)
        for listed in stored.stickers {
            let name = ExactName(listed.file)
            if let sticker = published[name], Self.agree(listed, sticker) {
                missing.remove(name)
            } else {
                report(path, "its entry for \(name) does not match the Library", .writeIndex)
            }
        }
        for name in missing { report(path, "does not list \(name)", .writeIndex) }
        if problems.count == before { report(path, "lists the stickers in the wrong order", .writeIndex) }
    }

    private static func agree(_ listed: PackEntry, _ sticker: StickerRecord) -> Bool {
        listed.file.isExactly(sticker.file) && listed.width == sticker.width && listed.height == sticker.height
            && listed.bytes == sticker.bytes
    }

    /// The endings of files in a subfolder that may be stickerd's. Those of exports have their own list.
    private static func endings(in subfolder: OutboxSubfolder) -> Set<String> {
        switch subfolder {
        case .thumbnails: ["webp"]
        case .palettes: Set(PaletteFormat.allCases.map(\.fileExtension))
        case .pages: ["js", "json"]
        case .exports: []
        }
    }

    /// Checks that all files are known that may be stickerd's, by their endings, and that no write was cut off.
    ///
    /// - Parameter subfolder: of the pack's folder; empty for that itself.
    private mutating func check(_ subfolder: String, _ endings: Set<String>, known: Set<ExactName>) throws {
        let place = folder.appending(subfolder)
        guard let descriptor = try? OwnedDescriptor(opening: place, options: .directory) else { return }
        var scan = try DirectoryScan(of: descriptor.raw)
        while let entry = try scan.next() {
            let name = String(decoding: entry.name, as: UTF8.self)
            let file = subfolder.isEmpty ? name : "\(subfolder)/\(name)"
            let path = place.appending(bytes: entry.name)
            if AtomicFile.isTemporary(entry.name) {
                report(path, "is a leftover temporary file", .writeIndex)
            } else if entry.kind == .regular, endings.contains(where: { name.hasSuffix("." + $0) }),
                !known.contains(ExactName(file))
            {
                if subfolder.isEmpty {
                    report(path, "is not a sticker in the Library", .none)
                } else if OutboxWriter.isRemain(file) {
                    report(path, "belongs to no page", .writeIndex)
                } else {
                    report(path, "belongs to no sticker in the Library", .none)
                }
            }
        }
    }

    private mutating func report(_ path: FilePath, _ text: String, _ fix: Verification.Problem.Fix) {
        wrong.insert(path)
        problems.append(.init(text: "\(InboxPath(bytes: path.bytes)): \(text)", fix: fix))
    }
}
