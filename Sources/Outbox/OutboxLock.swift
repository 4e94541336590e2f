import Foundation
import LinuxIO
import PhotoLibrary
import Synchronization
import SystemPackage

/// Makes one process the only writer of an outbox, by a lock on its marker: two would overwrite each other's indexes.
///
/// All `OutboxWriter` objects of a process share it.
package final class OutboxLock: Sendable {
    private struct Held: ~Copyable {
        let lock: FileLock
        let found: OutboxMarker.Found
        /// The identity in the marker; nil until it is written.
        var library: UUID?
        private let identity: FileIdentity

        init(_ lock: consuming FileLock) throws(Errno) {
            let (identity, found) = (try lock.identity(), OutboxMarker.Found(text: try lock.contents()))
            self.lock = lock
            self.identity = identity
            self.found = found
            if case .marker(let marker) = found { library = marker.library }
        }

        func isMarker(of folder: Int32) -> Bool {
            guard let marker = try? FileStatus(of: OutboxMarker.name, in: folder).identity else { return false }
            return marker.inode == identity.inode && marker.device == identity.device
        }
    }

    private let owner: String
    private let held = Mutex<Held?>(nil)

    /// - Parameter owner: what another process says of this one, in one line.
    package init(owner: String) {
        self.owner = owner
    }

    /// Whether this process has the lock of this folder, whose marker is still the file that was locked. Costs one
    /// system call: it is asked for each file that is published.
    func isHeld(in outbox: OpenFolder) -> Bool {
        let folder = outbox.descriptor.raw
        return held.withLock { $0?.library != nil && $0?.isMarker(of: folder) == true }
    }

    /// Checks that this folder is the outbox, and takes its lock, unless this process has it. Creates the marker if it
    /// is missing; `mark` writes it.
    ///
    /// - Returns: the identity that the marker has, or is to have; nil if the file system cannot be written: writing
    ///   will show why.
    /// - Throws: `OutboxError` if it is not the outbox, or another process has the lock.
    func take(in outbox: OpenFolder, for known: KnownOutbox, of state: FilePath) throws(OutboxError) -> UUID? {
        let (folder, path) = (outbox.descriptor.raw, outbox.path)
        return try held.withLock { held throws(OutboxError) in
            if held?.isMarker(of: folder) != true {
                held = nil
                let found = OutboxMarker.Found(in: folder)
                try known.require(found, in: folder, at: path, of: state)
                guard let new = try Self.lock(found, in: folder, at: path) else { return nil }
                // Another process may have written it before it was locked.
                try known.require(new.found, in: folder, at: path, of: state)
                held = consume new
            }
            return held?.library ?? known.library ?? UUID()
        }
    }

    /// nil if the file system cannot be written.
    private static func lock(
        _ found: OutboxMarker.Found, in folder: Int32, at path: FilePath
    ) throws(OutboxError) -> Held? {
        let marker = path.appending(OutboxMarker.fileName)
        if found == .obstacle { throw .unmarkable(marker) }
        do throws(Errno) {
            let new = try Held(FileLock(named: OutboxMarker.name, in: folder))
            // Otherwise another process has replaced it meanwhile.
            guard new.isMarker(of: folder) else { throw .wouldBlock }
            return new
        } catch .wouldBlock {
            let holder = (try? FileLock.text(at: marker)).flatMap { OutboxMarker(text: $0) }
            throw .owned(path, by: holder?.owner ?? "another process")
        } catch .permissionDenied where (try? FileStatus(of: OutboxMarker.name, in: folder)) != nil {
            throw .owned(path, by: "another user; if it does not run, remove \(marker)")
        } catch .permissionDenied, .notPermitted, .readOnlyFileSystem, .noSpace {
            return nil
        } catch {
            throw OutboxError(folder: marker, cause: error)
        }
    }

    /// Writes the marker, if this process still has the lock: durably, unless the marker is already that of the same
    /// Library.
    func mark(_ outbox: OpenFolder, for library: UUID) {
        let folder = outbox.descriptor.raw
        let marker = OutboxMarker(library: library, owner: owner)
        held.withLock { held in
            guard held?.isMarker(of: folder) == true else { return }
            do throws(Errno) {
                try held?.lock.write(text: marker.text)
                guard held?.library != library else { return }
                try held?.lock.synchronize(in: folder)
                held?.library = library
            } catch {
                // Writing a sticker will show why.
            }
        }
    }
}
