import FileNames
import Foundation
import Glibc
package import LinuxIO
import PhotoCodecs
package import PhotoLibrary
import Synchronization
package import SystemPackage

/// Opens and hashes photos one after the other, on its own thread, because both block on the disk.
package actor PhotoReader: ThreadOwner, PhotoOpening {
    package let thread: SerialThread
    private let parts = Atomic(0)
    /// The inbox when a photo was last opened in it.
    private var place: DirectoryIdentity?

    /// Advances while a large file is read from a slow disk.
    package nonisolated var partsRead: Int { parts.load(ordering: .relaxed) }

    /// - Throws: if no thread is available.
    package init() throws(Errno) {
        thread = try SerialThread(name: "photo-reader", diskWaits: .shared)
    }

    package func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) throws(PhotoReadError) -> OpenPhoto {
        let file = try find(claim.path, in: inbox)
        let status = try Self.status(of: file)
        // A new link of the file causes no event about this name. Its bytes are hashed now in any case.
        guard status.identity.seemsUnwritten(since: claim.identity) else { throw .changed }
        return try hash(file, status, maxFileBytes: maxFileBytes, isInInbox: true)
    }

    /// If the file is missing, checks whether the path still leads to the same inbox: it may just have been unmounted.
    private func find(_ path: InboxPath, in inbox: FilePath) throws(PhotoReadError) -> OwnedDescriptor {
        let folder: OwnedDescriptor
        do throws(Errno) {
            // The dot needs permission to search the folder.
            folder = try OwnedDescriptor(opening: inbox.appending("."), options: .directory)
        } catch {
            let error = PhotoReadError(error)
            throw error == .gone || error == .forbidden ? .away : error
        }
        let raw = folder.raw
        let before = place
        place = try Self.translatingErrors { () throws(Errno) in try DirectoryIdentity(ofDescriptor: raw) }
        do throws(Errno) {
            return try OwnedDescriptor(opening: path.bytes, beneath: raw)
        } catch {
            let error = PhotoReadError(error)
            throw error == .gone && before != nil && before != place ? .away : error
        }
    }

    package func open(_ path: FilePath, maxFileBytes: Int) throws(PhotoReadError) -> OpenPhoto {
        let file = try Self.translatingErrors { () throws(Errno) in
            // Does not wait for the writer of a FIFO.
            try OwnedDescriptor(opening: path, options: .nonBlocking)
        }
        let status = try Self.status(of: file)
        return try hash(file, status, maxFileBytes: maxFileBytes, isInInbox: false)
    }

    /// Copies standard input into an unlinked file, because workers read photos at any offset.
    package func openStandardInput(maxFileBytes: Int) throws(PhotoReadError) -> OpenPhoto {
        let folder = FilePath(FileManager.default.temporaryDirectory.path)
        let file = try Self.keeping(in: folder) { () throws(Errno) in try Self.namelessFile(in: folder) }
        let raw = file.raw
        var bytes = 0
        while bytes <= maxFileBytes {
            let part = try Self.translatingErrors { () throws(Errno) in
                let input = OwnedDescriptor(owning: try Errno.retry { dup(STDIN_FILENO) })
                return try input.read(upTo: Self.partBytes, waits: true)
            }
            if part.isEmpty { break }
            try Self.keeping(in: folder) { () throws(Errno) in
                try OwnedDescriptor(owning: try Errno.retry { dup(raw) }).write(part)
            }
            bytes += part.count
        }
        guard bytes <= maxFileBytes else {
            throw .refused("standard input has more bytes than limits.maxFileBytes allows (\(maxFileBytes))")
        }
        let status = try Self.status(of: file)
        return try hash(file, status, maxFileBytes: maxFileBytes, isInInbox: false)
    }

    private static let partBytes = 256 * 1024

    /// An error of the temporary folder is none of the photo.
    private static func keeping<Value: ~Copyable>(
        in folder: FilePath, _ body: () throws(Errno) -> Value
    ) throws(PhotoReadError) -> Value {
        do throws(Errno) { return try body() } catch {
            throw .refused("cannot be kept in \(folder): \(error); make room there, or set TMPDIR")
        }
    }

    private static func namelessFile(in folder: FilePath) throws(Errno) -> OwnedDescriptor {
        let path = folder.appending("stickerd-\(UUID().uuidString)")
        let file = try OwnedDescriptor(opening: path, .readWrite, options: [.create, .exclusiveCreate])
        // The string outlives the call.
        _ = try Errno.retry { unsafe path.withPlatformString { unsafe unlink($0) } }
        return file
    }

    private func hash(
        _ file: consuming OwnedDescriptor, _ status: FileStatus, maxFileBytes: Int, isInInbox: Bool
    ) throws(PhotoReadError) -> OpenPhoto {
        guard status.kind == .regular else { throw .refused("this is \(status.kind.rawValue), not a photo") }
        let size = status.identity.size
        guard size > 0 else { throw .empty }
        let raw = file.raw
        guard Self.mayBePicture(raw) else { throw .notAPicture }
        guard size <= maxFileBytes else {
            throw .refused("the file has \(size) bytes; limits.maxFileBytes allows \(maxFileBytes)")
        }
        let photo = PhotoFile(file, identity: status.identity)
        let digest = try Self.translatingErrors { () throws(Errno) in
            try ContentDigest.sha256(ofDescriptor: raw, limit: maxFileBytes) {
                parts.wrappingAdd(1, ordering: .relaxed)
                thread.waitingForOther {}
            }
        }
        return OpenPhoto(file: photo, sha256: digest.hex, isInInbox: isInInbox)
    }

    /// False only if the first bytes could be read: otherwise, hashing meets the same error.
    private static func mayBePicture(_ descriptor: Int32) -> Bool {
        do throws(CodecError) {
            return try PhotoSource.descriptor(descriptor).format() != nil
        } catch {
            return true
        }
    }

    private static func status(of file: borrowing OwnedDescriptor) throws(PhotoReadError) -> FileStatus {
        let raw = file.raw
        return try translatingErrors { () throws(Errno) in try FileStatus(ofDescriptor: raw) }
    }

    private static func translatingErrors<Value: ~Copyable>(
        _ body: () throws(Errno) -> Value
    ) throws(PhotoReadError) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw PhotoReadError(error)
        }
    }
}

/// Opens photos for the Processor.
package protocol PhotoOpening: Sendable {
    /// Opens a claimed file of the inbox if it seems unwritten since then. Follows no symbolic link below `inbox`.
    ///
    /// - Throws: `.empty` if it has no bytes; `.notAPicture` if it is in no image format; `.refused` if it has more
    ///   than `maxFileBytes` or is no regular file.
    func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto

    /// How many parts of files were read so far.
    var partsRead: Int { get }

    /// Opens a photo that was named on the command line or moved out of the inbox. Follows symbolic links.
    ///
    /// - Throws: as above.
    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto
}

/// A photo's file, open to the end of the work, so that no other file can take its name's place meanwhile.
package final class PhotoFile: Sendable {
    private let file: OwnedDescriptor
    private let identity: FileIdentity

    init(_ file: consuming OwnedDescriptor, identity: FileIdentity) {
        self.file = file
        self.identity = identity
    }

    /// Borrowed: valid while this object lives.
    package var descriptor: Int32 { file.raw }

    /// Whether the file is unchanged since it was opened: its bytes are those that were hashed. A rename, a new link or
    /// new permissions change it, too (inode(7), ctime).
    package func isUntouched() -> Bool {
        (try? FileStatus(ofDescriptor: file.raw).identity) == identity
    }

    /// Whether size and modification time are unchanged since it was opened. Its bytes may have changed, because any
    /// process can restore the time (utimensat(2)).
    package func isUnwritten() -> Bool {
        guard let now = try? FileStatus(ofDescriptor: file.raw).identity else { return false }
        return now.size == identity.size && now.modified == identity.modified
    }

    /// Leads to this file whatever its name.
    package var path: FilePath { FilePath("/proc/self/fd/\(file.raw)") }
}

/// An open photo, and its bytes' digest.
package struct OpenPhoto: Sendable {
    /// Open while this value lives.
    package let file: PhotoFile
    /// SHA-256 of the bytes, lowercase hexadecimal.
    package let sha256: String
    /// False if it was moved out of the inbox, or never was in it.
    package var isInInbox: Bool

    /// Borrowed: valid while this value lives.
    package var descriptor: Int32 { file.descriptor }

    /// Whether events do not report all changes of the file.
    package var isOnSilentFileSystem: Bool { (try? FileSystemKind(ofDescriptor: descriptor))?.nameIfSilent != nil }
}

/// Why a photo could not be read.
package enum PhotoReadError: Error, Sendable, Equatable {
    /// The file is gone.
    case gone
    /// The inbox is missing or closed to stickerd, or its path leads to another folder than before and the file is
    /// missing: the photo may still exist.
    case away
    /// The file was moved out of the inbox, to a disk that is missing; the reason is one line for a person.
    case movedAway(String)
    /// Another file has the name, or the file was written to.
    case changed
    /// The file is empty. Its writer may have it open and write later.
    case empty
    /// The first bytes are not those of an image format. Large files of other kinds, such as videos, are not read.
    case notAPicture
    /// stickerd lacks the permission to read the file. When its permissions change, the inbox reports it again.
    case forbidden
    /// The file can never be read, with the reason in one line.
    case refused(String)
    /// A transient error, which does not count against the photo.
    case transient(Errno)
    /// Another process has a lease on the file (fcntl(2)). Opening the file has asked that process to release it.
    case leased

    /// Classifies an error of opening or reading the file; permanent ones become `.refused`.
    package init(_ error: Errno) {
        self =
            switch error {
            // Opening a file with O_NONBLOCK: a lease. (In pthread_create(3) the same number means a shortage.)
            case .wouldBlock: .leased
            case _ where error.isTransient: .transient(error)
            case .noSuchFileOrDirectory, .notDirectory: .gone
            case .tooManySymbolicLinkLevels: .changed
            case .permissionDenied: .forbidden
            default: .refused("the file cannot be read: \(error)")
            }
    }

    /// One line for a person.
    package var reason: String {
        switch self {
        case .gone: "no such file"
        case .away: "the inbox is unavailable"
        case .changed: "the file changed while it was read"
        case .empty: "the file is empty"
        case .notAPicture: "not a picture"
        case .forbidden: "permission denied; make the file and its folder readable for the user that stickerd runs as"
        case .refused(let reason), .movedAway(let reason): reason
        case .transient(let cause): "the file cannot be read: \(cause)"
        case .leased: "another process has a lease on the file"
        }
    }
}
