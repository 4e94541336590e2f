package import Conditions
import FileNames
package import Foundation
package import LinuxIO
import Logging
import PhotoLibrary
package import SystemPackage
import Systemd

/// The running daemon's state, written to the Library's lock file and read by `stickerd status`: JSON of at most
/// `FileLock.maxTextBytes`.
package struct DaemonStatus: Codable, Equatable, Sendable {
    /// A current condition.
    package struct Waiting: Codable, Equatable, Sendable {
        /// `Condition.beginning`.
        package let message: String
        /// One line for a person; long ones are cut.
        package let reason: String

        fileprivate var isPlain: Bool {
            [message, reason].allSatisfy { PlainText.escaped($0, limit: DaemonStatus.maxReasonBytes).isExactly($0) }
        }
    }

    /// In its own PID namespace.
    package let pid: Int32
    /// The same process, as `ProcessIdentity` describes it; nil in the text of an earlier release.
    private let process: String?
    /// When the daemon started.
    package let since: Date
    /// Oldest first.
    package private(set) var waiting: [Waiting]
    /// How many conditions did not fit into the text; nil instead of 0.
    package private(set) var unlisted: Int?

    /// Whether a pack's ZIP is out of date for now although nothing is wrong; nil instead of false.
    package let hasLateArchive: Bool?
    /// Whether it is reading the whole inbox; nil instead of false.
    package let isScanning: Bool?

    private static let maxReasonBytes = 512

    package init(_ process: ProcessIdentity, since: Date, _ conditions: CurrentConditions) {
        pid = process.id
        self.process = "\(process)"
        self.since = since
        waiting = conditions.current.map { condition, reason in
            Waiting(message: condition.beginning, reason: PlainText.escaped(reason, limit: Self.maxReasonBytes))
        }
        hasLateArchive = conditions.hasLateArchive ? true : nil
        isScanning = conditions.isScanning ? true : nil
    }

    /// Those of `waiting` that work on the outbox may wait for: what is in a closed folder is no work yet.
    var obstacles: [Waiting] { waiting.filter { $0.message != Condition.foldersClosed.beginning } }

    var identity: ProcessIdentity? { process.flatMap { ProcessIdentity($0) } }

    /// Whether `pid` is that process here, too: it is not in another PID namespace.
    package var isOurs: Bool { identity.map { (try? ProcessIdentity(of: pid)) == $0 } ?? false }

    /// JSON. Omits the last conditions if they do not fit.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var status = self
        status.drop(max(0, waiting.count - Self.maxListed))
        while true {
            let bytes = [UInt8](try encoder.encode(status))
            if bytes.count <= FileLock.maxTextBytes || status.waiting.isEmpty { return bytes }
            status.drop(1)
        }
    }

    /// More conditions cannot fit: the shortest message and the JSON around it take 56 bytes.
    private static let maxListed = FileLock.maxTextBytes / 56

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        waiting.removeLast(count)
        unlisted = (unlisted ?? 0) + count
    }

    /// Whether a daemon is running on a state folder, and what it wrote about itself; nil also while it starts.
    ///
    /// - Throws: `LibraryError` if this user may not look.
    package static func read(of state: FilePath) throws -> (isRunning: Bool, status: DaemonStatus?) {
        guard let text = try Library.lockText(in: state) else { return (false, nil) }
        let status = DaemonStatus(decoding: text)
        // Of a daemon that was killed, the text remains, and whatever holds the lock now has not replaced it.
        return status?.identity?.hasEnded == true ? (false, nil) : (true, status)
    }

    /// Nil if `encoded` did not write the text: it is another program's, or was read during a write.
    package init?(decoding text: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let status = try? decoder.decode(DaemonStatus.self, from: Data(text)), status.pid > 0,
            status.unlisted.map({ $0 > 0 }) ?? true, status.waiting.allSatisfy(\.isPlain)
        else { return nil }
        self = status
    }
}

/// Keeps the `DaemonStatus` in the lock file up to date. It has its own thread, so that it works while the Library's
/// other calls wait for the disk.
actor DaemonStatusWriter: ThreadOwner {
    /// The shortest time between two writes.
    private static let minInterval = Duration.milliseconds(200)

    let thread: SerialThread
    private let library: Library
    private let conditions: CurrentConditions
    private let logger: Logger
    private let since = Date()
    private var written: [UInt8] = []

    /// - Throws: if no thread is available.
    init(library: Library, conditions: CurrentConditions, logger: Logger) throws {
        thread = try SerialThread(name: "status")
        self.library = library
        self.conditions = conditions
        self.logger = logger
    }

    /// Writes now and after each signal of `changes`, if something changed, until the task is cancelled.
    func run(changes: Wakeup) async {
        write()
        for await _ in changes {
            write()
            try? await conditions.clock.sleep(for: Self.minInterval)
        }
    }

    private func write() {
        do {
            let text = try DaemonStatus(ProcessIdentity.current(), since: since, conditions).encoded()
            guard text != written else { return }
            written = []
            try library.write(lockText: text)
            written = text
        } catch {
            // The next change writes again.
            logger.debug("Cannot write the daemon's status", metadata: ["reason": "\(error)"])
        }
    }
}
