import Foundation
import LinuxIO
import Synchronization
import SystemPackage

/// The daemon's end of one worker process: asks one photo at a time, and is done for good after the first trouble.
///
/// It runs on a thread of its own, because waiting for a worker blocks.
actor WorkerConnection {
    /// What goes wrong between the two processes, as opposed to what the worker says of the photo.
    enum ExchangeError: Error {
        /// The worker ended before it was given the photo.
        case notTaken
        case died
        case timedOut
        /// The worker may be compromised. The error says what is wrong with its reply.
        case invalid(WorkerError)
    }

    private let lane: Lane
    private let socket: MessageSocket
    /// Set when the connection is of no use any more.
    let retired = OneShot<Void>()
    /// Set when the process has ended: how, in words.
    let ending = OneShot<String>()
    private let readiness = Atomic(false)
    private let lateness = Atomic(false)

    // The actor holds its lane.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    init(socket: MessageSocket) throws(Errno) {
        self.socket = socket
        lane = try Lane(name: "worker-link")
    }

    /// Waits for the worker's first sign of life; nil where it gives none, and then it is of no use.
    ///
    /// - Returns: which layers of its confinement are missing, a line each.
    func waitUntilReady(timeout: Duration) -> [String]? {
        let ready: Message?
        do throws(Errno) {
            ready = try socket.receive(timeout: timeout)
        } catch {
            lateness.store(error == .timedOut, ordering: .relaxed)
            ready = nil
        }
        guard let ready else {
            retired.set(())
            return nil
        }
        readiness.store(true, ordering: .relaxed)
        if ready.header.isEmpty { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(ready.header))) ?? ["it does not say which layers"]
    }

    /// Sends the photo to the worker and waits for the reply, which is checked here.
    ///
    /// - Parameter descriptor: the photo, borrowed for the length of the call.
    func exchange(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration
    ) throws(ExchangeError) -> (WorkerReply, [UInt8]) {
        do {
            // Bytes that come before the photo are no reply to it; a socket whose peer is gone is readable, too.
            guard try !socket.isReadable(within: .zero) else { throw Errno.badMessage }
            try socket.send(header: Array(JSONEncoder().encode(request)), passing: descriptor)
        } catch {
            retired.set(())
            throw .notTaken
        }
        do {
            guard let message = try socket.receive(timeout: timeout) else { throw ExchangeError.died }
            guard !message.hasDescriptor else { throw WorkerError.invalidReply("a descriptor came with it") }
            guard var reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(message.header)) else {
                throw WorkerError.invalidReply("it cannot be decoded")
            }
            reply.makeFailurePlain()
            try reply.check(for: request, body: message.body)
            return (reply, message.body)
        } catch let error as WorkerError {
            retired.set(())
            throw .invalid(error)
        } catch {
            retired.set(())
            switch error as? Errno {
            case .timedOut: throw .timedOut
            case .badMessage: throw .invalid(.invalidReply("it is too long"))
            // Linux says so where the peer's end was closed with our bytes unread in it (unix_release_sock).
            case .connectionReset: throw .notTaken
            default: throw .died
            }
        }
    }

    /// Ends the conversation, and with it the worker, whatever it is doing.
    nonisolated func hangUp() {
        retired.set(())
        socket.shutdown()
    }

    /// Whether the worker ever was ready for photos.
    nonisolated var wasReady: Bool { readiness.load(ordering: .relaxed) }

    /// Whether it was not ready in time.
    nonisolated var wasLate: Bool { lateness.load(ordering: .relaxed) }
}
