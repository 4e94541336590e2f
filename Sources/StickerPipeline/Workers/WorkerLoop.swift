import Foundation
import Glibc
package import LinuxIO
import PhotoCodecs
import StickerStudio
import SystemPackage

/// The worker process: takes photos from its standard input, a socket, one at a time, until the other end is closed.
package enum WorkerLoop {
    /// - Parameter socket: the connected stream that requests come over; taken over.
    /// - Returns: when the daemon has hung up between two photos; in the middle of one the process ends at once.
    package static func run(socket: consuming OwnedDescriptor) async throws {
        // They are the daemon's affair; a worker ends when the daemon hangs up.
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { _ = Glibc.signal(signal, SIG_IGN) }
        let socket = MessageSocket(owning: socket)
        try HangUpWatch.start(on: socket)
        let desk = try WorkerDesk(socket: socket)
        try await desk.serve()
    }
}

/// Where the worker's socket is read and written, on a thread of its own.
private actor WorkerDesk {
    private let lane: Lane
    private let socket: MessageSocket
    private let processor: PhotoProcessor

    // The actor holds its lane.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    init(socket: MessageSocket) throws {
        self.socket = socket
        lane = try Lane(name: "worker-desk")
        processor = try PhotoProcessor()
    }

    func serve() async throws {
        // Ready: no photo is given to a worker that cannot even start.
        try socket.send(header: [])
        while var message = try socket.receive() {
            guard let photo = message.takeDescriptor() else { throw Errno.badMessage }
            let request = try JSONDecoder().decode(WorkerRequest.self, from: Data(message.header))
            var (reply, body) = await answer(request, .descriptor(photo.raw))
            if body.count > MessageSocket.maxBodyBytes {
                let limit = MessageSocket.maxBodyBytes >> 20
                (reply, body) = (WorkerReply(failure: "what was made of it is larger than \(limit) MiB"), [])
            }
            try socket.send(header: Array(JSONEncoder().encode(reply)), body: body)
        }
    }

    private func answer(_ request: WorkerRequest, _ photo: PhotoSource) async -> (WorkerReply, [UInt8]) {
        do {
            switch request.task {
            case .process:
                return Self.reply(
                    to: try await processor.process(photo, recipe: request.recipe, limits: request.limits))
            case .mask:
                let mask = try await processor.mask(photo, recipe: request.recipe, limits: request.limits)
                return (WorkerReply(), mask)
            }
        } catch {
            return (WorkerReply(failure: "\(error)"), [])
        }
    }

    private static func reply(to photo: ProcessedPhoto) -> (WorkerReply, [UInt8]) {
        let reply = WorkerReply(
            photo: .init(
                format: photo.format, width: photo.width, height: photo.height, confidence: photo.confidence,
                colors: photo.colors, likeness: photo.likeness, timings: photo.timings),
            pictures: photo.stickers.map {
                .init(
                    bytes: $0.data.count, width: $0.width, height: $0.height, confidence: $0.confidence)
            })
        return (reply, photo.stickers.flatMap(\.data))
    }
}
