package import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// Whether the outbox is there: what is written below the mount point of a disk that is away is hidden when it is back.
extension Outbox {
    /// So many stickers are looked for in a folder that may be the outbox on another file system.
    package static let witnesses = 64

    /// Opens the outbox, once it is known to be the one that stickers were published in.
    ///
    /// - Throws: `OutboxError`, with `isAway` where it is not.
    func open() async throws -> OutboxFolder {
        let root = try Self.find(folder)
        let now = root.place
        if let before = try await library.outboxPlace(), now.isOnSameFileSystem(as: before) { return root }
        try root.requireMost(of: try await library.latestPublished(limit: Self.witnesses))
        try await library.rememberOutbox(at: now)
        return root
    }

    /// Makes sure that a folder is the outbox of before: on the same file system, or with its stickers in it.
    ///
    /// - Parameters:
    ///   - before: where the outbox was; nil where it has never been used.
    ///   - latest: the stickers that were published last, up to `witnesses`.
    /// - Throws: `OutboxError` with `isAway` where it is not.
    package static func requirePresence(
        at folder: FilePath, before: FolderPlace?, latest: [PhotoLibrary.PublishedFile]
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
    /// An outbox that was moved to another disk with its files is let through, and one that never had any; not a mount
    /// point in which an early copy of the outbox was forgotten.
    fileprivate func requireMost(of latest: [PhotoLibrary.PublishedFile]) throws(OutboxError) {
        let found = latest.count { file in
            (try? FileStatus(of: file.path.bytes, in: descriptor.raw).identity.size) == Int64(file.bytes)
        }
        guard found * 2 >= latest.count else { throw .another(path) }
    }
}
