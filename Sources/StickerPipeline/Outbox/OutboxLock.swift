import LinuxIO
import Synchronization
import SystemPackage

/// Makes one process the only writer of an outbox, by a lock in it: two would overwrite each other's indexes.
///
/// All `Outbox` objects of a process share it.
package final class OutboxLock: Sendable {
    private struct Held: ~Copyable {
        let place: DirectoryIdentity
        let lock: FileLock
    }

    /// Never removed: a lock on a removed file would exclude no other process.
    private static let fileName = ".stickerd.lock"

    private let owner: String
    private let held = Mutex<Held?>(nil)

    /// - Parameter owner: what another process says of this one, in one line.
    package init(owner: String) {
        self.owner = owner
    }

    /// Takes the lock, unless this process has it. A file system that cannot lock or cannot be written has no lock:
    /// writing will show why.
    ///
    /// - Throws: `OutboxError` if another process has it.
    func take(in outbox: borrowing OutboxFolder) throws(OutboxError) {
        let (folder, place, path) = (outbox.descriptor.raw, outbox.place, outbox.path)
        let refusal: OutboxError? = held.withLock { held in
            if held?.place == place { return nil }
            held = nil
            do throws(Errno) {
                let lock = try FileLock(named: Array(Self.fileName.utf8), in: folder)
                try? lock.write(text: Array(owner.utf8.prefix(FileLock.maxTextBytes)))
                held = Held(place: place, lock: lock)
                return nil
            } catch .wouldBlock {
                let holder = (try? FileLock.text(at: path.appending(Self.fileName))).map {
                    String(decoding: $0, as: UTF8.self)
                }
                return .owned(path, by: holder ?? "another process")
            } catch .permissionDenied where Self.isForeign(in: folder) {
                return .owned(path, by: "another user; if it does not run, remove \(path.appending(Self.fileName))")
            } catch {
                return nil
            }
        }
        if let refusal { throw refusal }
    }

    /// Whether the file is there: if not, the folder's permissions forbade to make it.
    private static func isForeign(in folder: Int32) -> Bool {
        (try? FileStatus(of: Array(fileName.utf8), in: folder)) != nil
    }
}
