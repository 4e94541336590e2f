package import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// Checks that the outbox is there: what is written to an empty mount point is hidden when the disk returns.
extension Outbox {
    /// Opens the outbox, if it is the one in which stickers were published.
    ///
    /// - Throws: `OutboxError`, with `isAway` if it is not.
    func open() async throws -> OutboxFolder {
        let root = try await recognized()
        try lock?.take(in: root)
        return root
    }

    /// Checks that no other process writes to the outbox. One that is unavailable is no error.
    ///
    /// - Throws: `OutboxError` if one does.
    package func requireOwnership() async throws {
        do {
            _ = try await open()
        } catch let error as OutboxError where error.owner == nil {
            // Work waits until it is back.
        }
    }

    private func recognized() async throws -> OutboxFolder {
        let root = try Self.find(folder)
        let now = root.place
        if let before = try await library.outboxPlace(), now.isOnSameFileSystem(as: before) { return root }
        try root.requireMost(of: try await library.latestPublished(limit: PhotoLibrary.maxStickersToRecognize))
        try await library.rememberOutbox(at: now)
        return root
    }

    /// Checks that a folder is the previous outbox: on the same file system, or with most of its latest stickers.
    ///
    /// - Parameters:
    ///   - before: where the outbox was; nil if it was never used.
    ///   - latest: the stickers that were published last, up to `witnesses`.
    /// - Throws: `OutboxError` with `isAway` if it is not.
    package static func requirePresence(
        at folder: FilePath, before: DirectoryIdentity?, latest: [PhotoLibrary.PublishedFile]
    ) throws(OutboxError) {
        if before == nil, latest.isEmpty { return }
        let root = try find(folder)
        if let before, root.place.isOnSameFileSystem(as: before) { return }
        try root.requireMost(of: latest)
    }

    private static func find(_ folder: FilePath) throws(OutboxError) -> OutboxFolder {
        do throws(Errno) {
            let descriptor = try OwnedDescriptor(opening: folder, options: .directory)
            return try OutboxFolder(descriptor, path: folder)
        } catch {
            throw error.isShortage ? OutboxError(folder: folder, cause: error) : .gone(folder, cause: error)
        }
    }
}

extension OutboxFolder {
    fileprivate func requireMost(of latest: [PhotoLibrary.PublishedFile]) throws(OutboxError) {
        guard PhotoLibrary.isOutbox(descriptor.raw, of: latest) else { throw .another(path) }
    }
}

extension Outbox {
    /// Checks that the outbox is there, and that its file system and the Library's have `bytes` free.
    ///
    /// - Throws: `ConditionError` or `OutboxError` if not; no work should begin then.
    func requireRoom(_ bytes: Int) async throws {
        _ = try await open()
        for (folder, free) in try [folder, library.folder].map({ ($0, try self.free(at: $0)) }) where free < bytes {
            throw ConditionError(.diskFull, FileSystemSpace.shortage(at: folder, free: free, required: bytes))
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
    /// nil if another folder is in the outbox's place.
    package let cause: Errno?
    /// Whether the outbox itself is unavailable: then none of its files counts as missing.
    package let isAway: Bool
    /// The process that writes to it instead, in words; nil if there is none.
    let owner: String?

    init(folder: FilePath, cause: Errno) {
        (self.folder, self.cause, isAway, owner) = (folder, cause, false, nil)
    }

    private init(away folder: FilePath, cause: Errno?, owner: String? = nil) {
        (self.folder, self.cause, isAway, self.owner) = (folder, cause, true, owner)
    }

    /// Another process has the lock of the outbox.
    static func owned(_ outbox: FilePath, by owner: String) -> OutboxError {
        OutboxError(away: outbox, cause: nil, owner: owner)
    }

    /// The outbox cannot be opened.
    static func gone(_ outbox: FilePath, cause: Errno) -> OutboxError { OutboxError(away: outbox, cause: cause) }

    /// In the outbox's place is a folder on another file system without its stickers, usually an empty mount point.
    static func another(_ outbox: FilePath) -> OutboxError { OutboxError(away: outbox, cause: nil) }

    package var description: String {
        switch cause {
        case nil where owner != nil:
            "\(folder): another stickerd writes to this outbox (\(owner ?? "")); stop it, or choose another outbox"
        case nil: "\(folder): not the disk the outbox was on; mount that disk, and work resumes"
        case let cause? where isAway:
            "\(folder): the outbox is missing (\(cause)); mount its disk or restore the folder, and work resumes"
        case let cause?: "\(folder): cannot be written (\(cause))"
        }
    }
}
