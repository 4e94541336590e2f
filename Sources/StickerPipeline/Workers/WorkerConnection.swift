import Foundation
import LinuxIO
import SystemPackage

/// The daemon's end of one worker process: asks one photo at a time, and is done for good after the first trouble.
///
/// It runs on a thread of its own, because waiting for a worker blocks.
actor WorkerConnection {
    /// What goes wrong between the two processes, as opposed to what the worker says of the photo.
    enum Trouble: Error {
        /// The worker ended before it was given the photo.
        case notTaken
        case died
        case timedOut
    }

    /// How the connection came to its end.
    enum Retirement {
        case hungUp
        case worthless
    }

    private let lane: Lane
    private let socket: MessageSocket
    /// Set when the connection is of no use any more.
    let retired = OneShot<Retirement>()
    /// Set when the process has ended: how, in words.
    let ending = OneShot<String>()

    // The actor holds its lane.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    init(socket: MessageSocket) throws(Errno) {
        self.socket = socket
        lane = try Lane(name: "worker-link")
    }

    /// Sends the photo to the worker and waits for the answer.
    ///
    /// - Parameter descriptor: the photo, borrowed for the length of the call.
    func exchange(
        _ request: WorkerRequest, descriptor: Int32, timeout: Duration
    ) throws(Trouble) -> (WorkerReply, [UInt8]) {
        do {
            try socket.send(header: Array(JSONEncoder().encode(request)), passing: descriptor)
        } catch {
            retired.set(.worthless)
            throw .notTaken
        }
        do {
            guard let message = try socket.receive(timeout: timeout) else { throw Errno.connectionReset }
            return (try JSONDecoder().decode(WorkerReply.self, from: Data(message.header)), message.body)
        } catch {
            retired.set(.worthless)
            throw error as? Errno == .timedOut ? .timedOut : .died
        }
    }

    /// Tells the worker that nothing more will come; it ends when it has answered what it was asked.
    nonisolated func hangUp() {
        retired.set(.hungUp)
    }

    /// Closes the conversation: a worker that waits for the next photo ends.
    nonisolated func close() {
        socket.shutdown()
    }
}
