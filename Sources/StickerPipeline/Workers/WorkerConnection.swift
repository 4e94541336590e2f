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

    /// What a worker says of itself before its first photo.
    struct Readiness {
        /// The layers of its confinement that are missing, a line each.
        let gaps: [String]
        /// Nil if it has the embedded network.
        let model: ModelFacts?
    }

    /// Waits for the worker's first sign of life and gives it the model; nil if it does not answer, and then it is of
    /// no use.
    ///
    /// - Parameter timeout: for each of the two answers.
    /// - Throws: `.unusableModel`; the worker is of no use then.
    func waitUntilReady(model: ModelFile?, timeout: Duration) throws(WorkerError) -> Readiness? {
        do {
            let readiness = try introduce(model, timeout: timeout)
            if readiness == nil { retired.set(()) } else { self.readiness.store(true, ordering: .relaxed) }
            return readiness
        } catch {
            retired.set(())
            lateness.store(error as? Errno == .timedOut, ordering: .relaxed)
            if let error = error as? WorkerError { throw error }
            return nil
        }
    }

    private func introduce(_ model: ModelFile?, timeout: Duration) throws -> Readiness? {
        guard let ready = try socket.receive(timeout: timeout) else { return nil }
        let gaps =
            ready.header.isEmpty
            ? []
            : (try? JSONDecoder().decode([String].self, from: Data(ready.header))) ?? ["it does not say which layers"]
        guard let model else { return Readiness(gaps: gaps, model: nil) }
        try socket.send(
            header: Array(JSONEncoder().encode(ModelRequest(byteCount: model.byteCount))), passing: model.descriptor)
        guard let answer = try socket.receive(timeout: timeout) else { return nil }
        guard let reply = try? JSONDecoder().decode(ModelReply.self, from: Data(answer.header)) else {
            throw WorkerError.invalidReply("it says nothing of the model")
        }
        let facts = try reply.checked()
        guard model.isUntouched else {
            throw WorkerError(.unusableModel, "the model's file has changed since the start: start again to use it")
        }
        return Readiness(gaps: gaps, model: facts)
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
