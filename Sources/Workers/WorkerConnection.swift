import Conditions
import Foundation
import LinuxIO
import Synchronization
import SystemPackage

/// The daemon's end of one worker's socket. It sends one photo at a time, and retires after the first error.
///
/// It has its own thread, because waiting for a worker blocks.
actor WorkerConnection: ThreadOwner {
    /// An error between the two processes, as opposed to the worker's rejection of a photo.
    enum ExchangeError: Error {
        /// The worker ended before it received the photo.
        case notTaken
        case died
        case timedOut(ReplyLimit.Overrun)
        /// The worker may be compromised. The error describes its reply.
        case invalid(WorkerError)
    }

    let thread: SerialThread
    private let socket: MessageSocket
    private var process: ChildProcess?
    /// Set when the connection has retired.
    let retired = OneShot<Void>()
    /// Set when the process has ended, to how it ended.
    let ending = OneShot<String>()
    private let readiness = Atomic(false)
    private let lateness = Atomic(false)

    init(socket: MessageSocket) throws(Errno) {
        self.socket = socket
        thread = try SerialThread(name: "worker-link")
    }

    /// A worker's first replies, before any photo.
    struct Readiness {
        /// The missing layers of its confinement, one line each.
        let gaps: [String]
        /// Nil for the embedded network.
        let model: ModelFacts?
    }

    /// Waits for the worker's first message, and sends it the model, if any.
    ///
    /// - Parameter timeout: for each of the two replies, as `ReplyLimit` counts it.
    /// - Returns: nil if the worker sends nothing; it is retired then.
    /// - Throws: `.unusableModel`; the worker must not be used then.
    func waitUntilReady(
        _ process: ChildProcess, model: ModelFile?, timeout: Duration
    ) throws(WorkerError) -> Readiness? {
        self.process = process
        do {
            let readiness = try introduce(model, timeout: timeout)
            if readiness == nil { retired.set(()) } else { self.readiness.store(true, ordering: .relaxed) }
            return readiness
        } catch {
            retired.set(())
            lateness.store(error is ReplyLimit.Overrun, ordering: .relaxed)
            if let error = error as? WorkerError { throw error }
            return nil
        }
    }

    private func introduce(_ model: ModelFile?, timeout: Duration) throws -> Readiness? {
        guard let ready = try receive(within: timeout) else { return nil }
        let gaps =
            ready.header.isEmpty
            ? []
            : (try? JSONDecoder().decode([String].self, from: Data(ready.header))) ?? ["unknown layers"]
        guard let model else { return Readiness(gaps: gaps, model: nil) }
        try socket.send(
            header: Array(JSONEncoder().encode(ModelRequest(byteCount: model.byteCount))), passing: model.descriptor)
        guard let answer = try receive(within: timeout) else { return nil }
        guard let reply = try? JSONDecoder().decode(ModelReply.self, from: Data(answer.header)) else {
            throw WorkerError.invalidReply("it does not describe the model")
        }
        let facts = try reply.checked()
        guard model.isUntouched else {
            throw WorkerError(.unusableModel, "the model file has changed since the start; restart stickerd to use it")
        }
        return Readiness(gaps: gaps, model: facts)
    }

    /// Sends the photo to the worker, waits for the reply and validates it.
    ///
    /// - Parameters:
    ///   - descriptor: the photo, borrowed for the length of the call.
    ///   - timeout: as `ReplyLimit` counts it.
    ///   - mayTakeLonger: called each time the worker gets more time; if false, it gets none.
    /// - Returns: what the worker made, or why it rejected the photo.
    func exchange(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration, mayTakeLonger: () -> Bool
    ) throws(ExchangeError) -> Result<WorkerProduct, WorkerError> {
        do {
            // Bytes sent before the request are no reply to it. A socket whose peer is gone is readable, too.
            guard try !socket.isReadable(within: .zero) else { throw Errno.badMessage }
            try socket.send(header: Array(JSONEncoder().encode(request)), passing: descriptor)
        } catch {
            retired.set(())
            throw .notTaken
        }
        do {
            guard let message = try receive(within: timeout, mayTakeLonger) else { throw ExchangeError.died }
            guard !message.hasDescriptor else { throw WorkerError.invalidReply("it came with a descriptor") }
            guard var reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(message.header)) else {
                throw WorkerError.invalidReply("it cannot be decoded")
            }
            reply.makeFailurePlain()
            return try reply.checked(for: request, body: message.body)
        } catch {
            retired.set(())
            switch error {
            case let error as WorkerError: throw .invalid(error)
            case let overrun as ReplyLimit.Overrun: throw .timedOut(overrun)
            case Errno.badMessage: throw .invalid(.invalidReply("it is too long"))
            // Linux reports this if the peer closed its end with our bytes unread (unix_release_sock).
            case Errno.connectionReset: throw .notTaken
            default: throw .died
            }
        }
    }

    /// - Throws: `ReplyLimit.Overrun`, and the errors of `MessageSocket.receive`.
    private func receive(within timeout: Duration, _ mayTakeLonger: () -> Bool = { true }) throws -> Message? {
        var limit = ReplyLimit(timeout, used: process?.processorTime)
        var overrun: ReplyLimit.Overrun?
        do {
            return try socket.receive(timeout: timeout) {
                overrun = limit.overrun(used: process?.processorTime) ?? (mayTakeLonger() ? nil : .stopping)
                return overrun == nil
            }
        } catch {
            throw overrun ?? error
        }
    }

    /// Closes the connection, which ends the worker even while it is busy.
    nonisolated func hangUp() {
        retired.set(())
        socket.shutdown()
    }

    /// Whether the worker ever became ready.
    nonisolated var wasReady: Bool { readiness.load(ordering: .relaxed) }

    /// Whether it was not ready in time.
    nonisolated var wasLate: Bool { lateness.load(ordering: .relaxed) }
}
