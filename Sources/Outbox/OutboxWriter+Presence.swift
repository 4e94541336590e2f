import Conditions
package import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// Checks that the outbox is there: what is written to an empty mount point is hidden when the disk returns.
extension OutboxWriter {
    /// Opens the outbox, if it is the one in which stickers were published.
    ///
    /// - Throws: `OutboxError`, with `isAway` if it is not.
    package func open() async throws -> OpenFolder {
        if let root, root.isInPlace, lock.isHeld(in: root) { return root }
        self.root = nil
        let root = try Self.find(folder)
        if lock.isHeld(in: root) {
            self.root = root
            return root
        }
        let known = try await library.knownOutbox()
        guard var identity = try lock.take(in: root, for: known, of: library.folder) else { return root }
        // Recorded before it is written, and only with the lock: a Library that may not use an outbox does not adopt
        // its marker.
        if known.library == nil { identity = try await library.identify(as: identity) }
        lock.mark(root, for: identity)
        self.root = root
        return root
    }

    /// Checks that no other process writes to the outbox. One that is unavailable is no error.
    ///
    /// - Throws: `OutboxError` if one does.
    package func requireOwnership() async throws {
        do {
            _ = try await open()
        } catch let error as OutboxError where !error.isOwned {
            // Work waits until it is back.
        }
    }

    /// Checks, without writing to it, that a folder is a Library's outbox, or that the Library never had one.
    ///
    /// - Throws: `OutboxError` with `isAway` if it is not.
    package static func requirePresence(
        at folder: FilePath, _ known: KnownOutbox, of state: FilePath
    ) throws(OutboxError) {
        if known.isUnused { return }
        let root = try find(folder)
        try known.require(.init(in: root.descriptor.raw), in: root.descriptor.raw, at: folder, of: state)
    }

    private static func find(_ folder: FilePath) throws(OutboxError) -> OpenFolder {
        do throws(Errno) {
            // The dot needs permission to search the folder: without it, the marker would seem to be missing.
            return try OpenFolder(OwnedDescriptor(opening: folder.appending("."), options: .directory), path: folder)
        } catch {
            throw error.isShortage ? OutboxError(folder: folder, cause: error) : .gone(folder, cause: error)
        }
    }
}

extension KnownOutbox {
    /// `recognize`, for the folder at `path`.
    func require(
        _ found: OutboxMarker.Found, in folder: Int32, at path: FilePath, of state: FilePath
    ) throws(OutboxError) {
        do throws(OutboxRefusal) { try recognize(found, in: folder) } catch { throw .refused(path, error, by: state) }
    }
}

extension OutboxWriter {
    /// Checks that outbox and Library are there, and that their file systems have `minFreeBytes` free after `needed`
    /// bytes are written.
    ///
    /// - Throws: `ConditionError` or `OutboxError` if not, `LibraryError` if the Library is another; no work should
    ///   begin then.
    package func requireRoom(_ minFreeBytes: Int, for needed: Int = 0) async throws {
        _ = try await open()
        try library.requirePlace()
        for folder in [folder, library.folder] {
            let free = try free(at: folder)
            guard free - needed < minFreeBytes else { continue }
            throw ConditionError(
                .diskFull,
                FileSystemSpace.shortage(at: folder, free: free, needed: needed, minFreeBytes: minFreeBytes))
        }
    }

    private func free(at folder: FilePath) throws -> Int {
        do throws(Errno) {
            return try FileSystemSpace.free(at: folder)
        } catch {
            throw OutboxError(folder: folder, cause: error)
        }
    }
}

/// The outbox cannot be written or is unavailable. It does not count against a photo, and a retry may succeed.
package struct OutboxError: Error, Sendable, CustomStringConvertible {
    /// The pack's folder, or the outbox.
    package let folder: FilePath
    /// nil if the folder can be opened, but is not to be written to.
    package let cause: Errno?
    /// Whether the outbox itself is unavailable: then none of its files counts as missing.
    package let isAway: Bool
    /// Whether another process has the lock of the outbox.
    let isOwned: Bool
    private let reason: String

    private init(_ folder: FilePath, cause: Errno?, isAway: Bool, isOwned: Bool = false, _ reason: String) {
        (self.folder, self.cause, self.isAway, self.isOwned, self.reason) = (folder, cause, isAway, isOwned, reason)
    }

    package init(folder: FilePath, cause: Errno) {
        let fix =
            switch cause {
            case .permissionDenied: "; give the user that stickerd runs as access to it"
            case .readOnlyFileSystem, .ioError: "; see what sudo dmesg says about its disk"
            default: ""
            }
        self.init(folder, cause: cause, isAway: false, "cannot be written (\(cause))\(fix)")
    }

    /// A folder has a file's name.
    static func obstructed(by folder: FilePath) -> OutboxError {
        OutboxError(folder, cause: .isDirectory, isAway: false, "this folder has a file's name; move it away")
    }

    /// Another process, given in words, has the lock of the outbox.
    static func owned(_ outbox: FilePath, by owner: String) -> OutboxError {
        OutboxError(
            outbox, cause: nil, isAway: true, isOwned: true,
            "another stickerd writes to this outbox (\(owner)); stop it, or choose another outbox")
    }

    /// The outbox cannot be opened.
    static func gone(_ outbox: FilePath, cause: Errno) -> OutboxError {
        let fault = cause == .noSuchFileOrDirectory ? "is missing" : "cannot be opened"
        return OutboxError(
            outbox, cause: cause, isAway: true,
            cause == .permissionDenied
                ? "the outbox \(fault) (\(cause)); give the user that stickerd runs as access to it"
                : "the outbox \(fault) (\(cause)); mount its disk or restore the folder, and work resumes")
    }

    /// The folder in the outbox's place is not that of the Library in `state`, and usually an empty mount point.
    static func refused(_ outbox: FilePath, _ refusal: OutboxRefusal, by state: FilePath) -> OutboxError {
        let acceptance = OutboxRefusal.acceptance(of: outbox)
        let reason =
            switch refusal {
            case .unknown:
                "not the disk the outbox was on; mount that disk, and work resumes; if it is lost, run: \(acceptance)"
            case .another(let marker):
                "the outbox of another Library (\(marker.owner)), not of the one in \(state); choose another outbox, or that "
                    + "state folder; if the other Library is lost, run: \(acceptance)"
            }
        return OutboxError(outbox, cause: nil, isAway: true, reason)
    }

    /// Something that is no file has the marker's name.
    static func unmarkable(_ marker: FilePath) -> OutboxError {
        OutboxError(marker, cause: nil, isAway: true, "not a regular file; remove it, and stickerd writes it again")
    }

    package var description: String { "\(folder): \(reason)" }
}

/// A folder has the name of a sticker or of its thumbnail.
package struct FolderInTheWay: Error, CustomStringConvertible {
    let folder: FilePath

    package var description: String { "\(folder): this folder has a sticker's name; move it away, and retry the photo" }
}
