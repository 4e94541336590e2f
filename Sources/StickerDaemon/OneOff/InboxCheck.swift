import LinuxIO
import PhotoLibrary
import StickerPipeline
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
            // An unavailable inbox says nothing about its photos.
            problems = [.init(text: "\(settings.inbox): the inbox cannot be read: \(error)", fix: .none)]
            return
        }
        let gone: Set<FileState> =
            settings.whenPhotoRemoved == .withdraw
            ? [.pending, .processing, .failed, .done, .noSubject] : [.pending, .processing, .failed]
        for (path, file) in known.sorted(by: { $0.key < $1.key })
        where !file.isElsewhere && !file.isLeaving && gone.contains(file.state) {
            say(path, "is \(file.state.rawValue) in the Library, but no longer in the inbox")
        }
    }

    /// - Throws: if the inbox itself cannot be read.
    private mutating func checkAll(_ rules: InboxRules) throws(Errno) {
        let root = try OwnedDescriptor(opening: settings.inbox, options: .directory)
        var rest = try check(InboxPath(bytes: []), root, rules)
        while let folder = rest.popLast() {
            do throws(Errno) {
                let descriptor = try OwnedDescriptor(opening: folder.bytes, beneath: root.raw, options: .directory)
                rest += try check(folder, descriptor, rules)
            } catch .noSuchFileOrDirectory {
                // Removed since its name was read.
            } catch .notDirectory {
                // Removed, and something else has the name.
            } catch {
                say(folder, "cannot be read: \(error)")
                // The files in it cannot be checked.
                let beginning = folder.bytes + [UInt8(ascii: "/")]
                known = known.filter { !$0.key.bytes.starts(with: beginning) }
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
            let path = folder.bytes.isEmpty ? InboxPath(bytes: entry.name) : folder.appending(entry.name)
            if entry.kind == .folder {
                if rules.recursive { folders.append(path) }
            } else if entry.kind == .regular, !AtomicFile.isTemporary(entry.name) {
                check(path, try? FileStatus(of: entry.name, in: scan.folder))
            }
        }
        return folders
    }

    private mutating func check(_ path: InboxPath, _ status: FileStatus?) {
        let file = known.removeValue(forKey: path)
        guard let status else { return }
        guard let file, !file.isElsewhere else {
            // The daemon waits until an empty file has content.
            if status.identity.size > 0 { say(path, "has not been seen yet") }
            return
        }
        if file.identity != status.identity { say(path, "has changed since the Library recorded it") }
    }

    private mutating func say(_ path: InboxPath, _ text: String) {
        problems.append(.init(text: "\(path): \(text)", fix: .none))
    }
}
