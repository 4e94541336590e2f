import FileNames
import FoundationEssentials
import Glibc
import LinuxIO
import PhotoLibrary
import PhotoRule
package import SystemPackage

/// The steps that move or delete one original. Each is safe to repeat after a crash.
struct OriginalSteps {
    let original: Original
    let inbox: FilePath

    fileprivate static let reasonEnding = Array(".reason.txt".utf8)

    /// The most files of a folder that are checked for their file system.
    private static let maxNeighbours = 64

    struct Target {
        let top: FilePath
        /// Relative to `top`.
        let folder: [UInt8]
        let path: FilePath
    }

    /// The possible targets, best first: below the archive's folder for the day the photo was finished (UTC), or below
    /// the folder for failed photos; the path continues as in the inbox.
    func targets(in folders: Originals.Folders) -> some Sequence<Target> {
        let isArchive = original.action == .archive
        let top = isArchive ? folders.archive : folders.failed
        let date = original.decided.formatted(.iso8601.year().month().day())
        let day = isArchive ? Array(date.replacing("-", with: "/").utf8) : []
        let subfolder = original.path.folder?.bytes ?? []
        let folder = Array([day, subfolder].filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "/")]))
        let room = isArchive ? 0 : Self.reasonEnding.count
        return NumberedName.candidates(for: original.path.name, room: room).lazy.map { name in
            Target(top: top, folder: folder, path: top.appending(bytes: folder).appending(bytes: name))
        }
    }

    /// Whether neither the name nor that of the file with the reason exists.
    func isFree(_ target: Target) -> Bool {
        !OwnedDescriptor.exists(target.path)
            && (original.action == .archive
                || !OwnedDescriptor.exists(
                    target.path.removingLastComponent().appending(Originals.reasonName(beside: target.path))))
    }

    /// Moves the file to `target`, whose folder exists, and writes the reason beside it, if any.
    ///
    /// - Parameter isResumed: whether an earlier process may have begun or completed this move.
    /// - Returns: nil if another file is at `target`.
    func move(to target: FilePath, isResumed: Bool) throws(Errno) -> Original.Outcome? {
        let folder: OwnedDescriptor
        do throws(Errno) {
            folder = try OwnedDescriptor(opening: target.removingLastComponent(), options: .directory)
        } catch .noSuchFileOrDirectory {
            return nil
        }
        if isResumed {
            try AtomicFile.removeLeftovers(in: folder)
            // The name was free when it was recorded, so an empty file reserves it for this one.
            try FileMove.remove(Array(target.lastName), in: folder.raw) { $0.kind == .regular && $0.identity.size == 0 }
            if let outcome = try resume(target, folder.raw) { return outcome }
        }
        guard let source = try sourceFolder(), try isProcessed(in: source.raw) else { return .gone }
        let name = Array(target.lastName)
        do throws(Errno) {
            let to = try OwnedDescriptor(opening: Array(".".utf8), in: folder.raw, options: .directory)
            let move = FileMove(from: source, original.path.name, to: to, name, aside: original.asideName)
            guard try move.run(isExpected: original.isSame(as:)) else { return .gone }
        } catch .fileExists {
            return nil
        }
        try PrivateFolder.restrictFile(name, in: folder.raw)
        try writeReason(beside: target)
        return .moved
    }

    /// Completes a move if a crash left the file, or a copy of it, at `target`.
    private func resume(_ target: FilePath, _ folder: Int32) throws(Errno) -> Original.Outcome? {
        let name = Array(target.lastName)
        guard let status = try FileStatus.existing(name, in: folder), original.hasContents(of: status) else {
            return nil
        }
        if let source = try sourceFolder(), let left = try FileStatus.existing(original.path.name, in: source.raw),
            original.isSame(as: left), status.identity.inode != left.identity.inode
        {
            guard try digest(target) == digest(inbox.appending(bytes: original.path.bytes)) else { return nil }
        }
        if let source = try sourceFolder() {
            try FileMove.remove(
                original.path.name, in: source.raw, aside: original.asideName, isExpected: original.isSame(as:))
        }
        try PrivateFolder.restrictFile(name, in: folder)
        try writeReason(beside: target)
        return .moved
    }

    func remove() throws(Errno) -> Original.Outcome {
        guard let source = try sourceFolder(), try isProcessed(in: source.raw) else { return .gone }
        let isRemoved = try FileMove.remove(
            original.path.name, in: source.raw, aside: original.asideName, isExpected: original.isSame(as:))
        return isRemoved ? .removed : .gone
    }

    /// Whether the inbox has it neither under its name nor aside; also if that cannot be found out.
    var isGone: Bool {
        do throws(Errno) {
            guard let source = try sourceFolder() else { return true }
            if try FileStatus.existing(original.asideName, in: source.raw) != nil { return false }
            return try FileStatus.existing(original.path.name, in: source.raw).map(original.isSame) != true
        } catch {
            return true
        }
    }

    /// Whether a file with the original's name, if there is one, has the bytes that were processed. If only the inode
    /// change time differs, it may have been renamed, or overwritten and given its old time: then it is hashed.
    private func isProcessed(in source: Int32) throws(Errno) -> Bool {
        guard let status = try FileStatus.existing(original.path.name, in: source), original.isSame(as: status),
            !original.isUntouched(status)
        else { return true }
        let file = try OwnedDescriptor(opening: original.path.name, in: source, options: .nonBlocking)
        return try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max).hex == original.photo
    }

    /// Restores the name of a file that a crash left moved aside and that is to stay.
    func putBackAside() throws(Errno) {
        guard let source = try sourceFolder() else { return }
        try FileMove.putBack(original.asideName, in: source.raw, as: original.path.name, in: source.raw)
    }

    /// Moves a file back from `target`, which may be on another file system, after its move was cancelled, and removes
    /// the reason beside it.
    func takeBack(from target: FilePath) throws(Errno) {
        for name in NumberedName.candidates(for: original.path.name) {
            guard let source = try sourceFolder() else { return }
            let folder = try OwnedDescriptor(opening: target.removingLastComponent(), options: .directory)
            do throws(Errno) {
                let move = FileMove(from: folder, Array(target.lastName), to: source, name, aside: original.asideName)
                // Changed meanwhile, it stays there.
                guard try move.run(isExpected: original.hasContents(of:)) else { return }
            } catch .fileExists {
                continue
            }
            return try AtomicFile.remove(Originals.reasonName(beside: target), in: target.removingLastComponent())
        }
        throw .fileExists
    }

    /// Whether permissions forbid moving files out of this file's folder.
    var isSourceClosed: Bool {
        let folder = inbox.appending(bytes: original.path.folder?.bytes ?? [])
        // The platform string outlives the call.
        return unsafe folder.withPlatformString { unsafe access($0, W_OK | X_OK) } != 0
    }

    /// Throws unless the file's folder, or its nearest existing parent, is on the file's file system. If it is not, a
    /// disk may be unmounted, and a missing file was not removed.
    func requireFileSystem() throws(Errno) {
        let root = try OwnedDescriptor(opening: inbox, options: .directory)
        var path = original.path.folder
        while let folder = path {
            do throws(Errno) {
                return try requireFileSystem(
                    of: try OwnedDescriptor(opening: folder.bytes, beneath: root.raw, options: .directory))
            } catch .noSuchFileOrDirectory, .notDirectory {
                path = folder.folder
            }
        }
        try requireFileSystem(of: root)
    }

    private func requireFileSystem(of folder: borrowing OwnedDescriptor) throws(Errno) {
        if try FileStatus(ofDescriptor: folder.raw).identity.device == original.identity.device { return }
        // On overlayfs, files can have another device number than their folder.
        var scan = try DirectoryScan(of: folder.raw)
        var checks = 0
        while checks < Self.maxNeighbours, let entry = try scan.next() {
            guard entry.kind == .regular else { continue }
            checks += 1
            if let status = try FileStatus.existing(entry.name, in: folder.raw),
                status.identity.device == original.identity.device
            {
                return
            }
        }
        throw .noSuchAddressOrDevice
    }

    /// Nil if it is missing.
    private func sourceFolder() throws(Errno) -> OwnedDescriptor? {
        do throws(Errno) {
            let root = try OwnedDescriptor(opening: inbox, options: .directory)
            guard let folder = original.path.folder else { return root }
            return try OwnedDescriptor(opening: folder.bytes, beneath: root.raw, options: .directory)
        } catch .noSuchFileOrDirectory, .notDirectory {
            return nil
        }
    }

    private func digest(_ path: FilePath) throws(Errno) -> ContentDigest {
        let file = try OwnedDescriptor(opening: path, options: [.noFollow, .nonBlocking])
        return try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max)
    }

    private func writeReason(beside target: FilePath) throws(Errno) {
        guard original.action == .moveToFailed else { return }
        let text = """
            \(original.path): \(original.reason ?? "no sticker could be made")

            "stickerd retry" returns a photo that failed, or has no subject, to the inbox and retries it.

            """
        try AtomicFile.write(
            Array(text.utf8), named: Originals.reasonName(beside: target), in: target.removingLastComponent(),
            mode: PrivateFolder.fileMode)
    }
}

extension Originals {
    /// The name of the file that tells why the one at `target` failed. Invalid UTF-8 is replaced, which may make the
    /// name longer.
    package static func reasonName(beside target: FilePath) -> String {
        var name = String(decoding: target.lastName, as: UTF8.self)
        let ending = OriginalSteps.reasonEnding
        while name.utf8.count + ending.count > NumberedName.maxBytes { name.removeLast() }
        return name + String(decoding: ending, as: UTF8.self)
    }
}

extension FilePath {
    /// The bytes of the last component.
    fileprivate var lastName: ArraySlice<UInt8> {
        let bytes = bytes
        return bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    }
}
