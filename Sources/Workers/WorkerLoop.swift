import Foundation
import Glibc
package import LinuxIO
import PhotoCodecs
import StickerStudio
import SubjectModel
import SystemPackage

/// The worker process: receives photos one at a time over a socket, its standard input, until the daemon closes it.
///
/// It enters its `Confinement` before the first photo. Nothing here runs on libdispatch's threads: their manager opens
/// files, which the filter forbids.
package enum WorkerLoop {
    /// The exit status of a worker that cannot start for lack of threads or memory (sysexits(3)'s EX_TEMPFAIL).
    package static let cannotStartNow: Int32 = 75

    /// Runs the worker until the daemon closes the socket. Call it while the process has one thread.
    ///
    /// - Parameters:
    ///   - socket: the connected stream for requests and replies.
    ///   - awaitsModel: whether the first message has a model to use instead of the embedded network.
    /// - Throws: why it cannot start; a shortage as `Errno`.
    package static func run(socket: consuming OwnedDescriptor, awaitsModel: Bool = false) throws -> Never {
        Confinement.prepare()
        FreedMemory.keep()
        Yielding.enableIfLowest()
        // The daemon handles these signals; a worker ends when its socket is closed.
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { _ = Glibc.signal(signal, SIG_IGN) }
        let socket = MessageSocket(owning: socket)
        // The network and the colors run in parallel.
        let threads = try ThreadPool(threads: 2, name: "worker-studio")
        let server = try WorkerServer(socket: socket, awaitsModel: awaitsModel)
        Task(executorPreference: threads) { await server.work() }
        exitOnHangUp(of: socket)
    }

    /// Blocks the calling thread until the peer closes the socket, then ends the process even if it is busy: a worker
    /// must not outlive its daemon.
    private static func exitOnHangUp(of socket: MessageSocket) -> Never {
        // POLLHUP is always reported and nothing else is requested, so poll(2) sleeps until the peer is gone.
        var watched = pollfd(fd: socket.raw, events: 0, revents: 0)
        // One record.
        _ = try? Errno.retry { unsafe poll(&watched, 1, -1) }
        _exit(0)
    }
}

/// Reads and writes the worker's socket on its own thread.
private actor WorkerServer: ThreadOwner {
    /// A worker that is idle for longer returns freed memory to the kernel. The next photo then takes a tenth longer,
    /// so this is longer than the pauses of a user who adds one photo after another.
    private static let idleAfter = Duration.seconds(15)

    let thread: SerialThread
    private let socket: MessageSocket
    /// Nil until an awaited model is loaded.
    private var processor: PhotoProcessor?

    init(socket: MessageSocket, awaitsModel: Bool) throws {
        self.socket = socket
        thread = try SerialThread(name: "worker-server")
        if awaitsModel { try SubjectNetwork.prepare() } else { processor = try PhotoProcessor() }
    }

    /// Serves requests, then ends the process by _exit(2): libraries' exit handlers may make forbidden calls.
    func work() async -> Never {
        do {
            try await serve()
        } catch let error as Errno where [.connectionReset, .brokenPipe].contains(error) {
            // The daemon has gone, and left a request or reply unread; `exitOnHangUp` may come second.
        } catch {
            // If this fails, there is no way to report it.
            let words = Array("stickerd worker: \(error)\n".utf8)
            // The array outlives the call.
            _ = unsafe write(STDERR_FILENO, words, words.count)
            _exit(EXIT_FAILURE)
        }
        _exit(EXIT_SUCCESS)
    }

    private func serve() async throws {
        // Here, on the thread that decodes.
        try CodecPreparation.run()
        let gaps = Confinement.enter(socket: socket.raw)
        // Reports readiness, so that no photo goes to a worker that cannot start.
        try socket.send(header: gaps.isEmpty ? [] : Array(JSONEncoder().encode(gaps)))
        if processor == nil { try takeModel() }
        guard let processor else { return }
        while var message = try next() {
            guard let photo = message.takeDescriptor() else { throw Errno.badMessage }
            let request = try JSONDecoder().decode(WorkerRequest.self, from: Data(message.header))
            Confinement.limitMemory(toPhotosOf: request.limits.maxMemory, beside: processor.extraMemory)
            var (reply, body) = await answer(request, .descriptor(photo.raw), processor)
            if body.count > MessageSocket.maxBodyBytes {
                let limit = MessageSocket.maxBodyBytes >> 20
                (reply, body) = (WorkerReply(failure: "the result is larger than \(limit) MiB"), [])
            }
            try socket.send(header: Array(JSONEncoder().encode(reply)), body: body)
            // The pool starts another in its place.
            if Confinement.isOld { return }
        }
    }

    /// Reads the model, which is as untrusted as a photo. Replies with its facts, or why it cannot be used.
    private func takeModel() throws {
        guard var message = try socket.receive(), let file = message.takeDescriptor() else { return }
        let raw = file.raw
        let request = try JSONDecoder().decode(ModelRequest.self, from: Data(message.header))
        let reply: ModelReply
        do {
            // Enough to read any valid header.
            Confinement.limitMemory(toPhotosOf: 0)
            let model = try SubjectModelFile(descriptor: raw, byteCount: request.byteCount)
            guard Confinement.limitMemory(toPhotosOf: 0, beside: model.cost.memory) else {
                throw SubjectModelError.needsMemory(model.cost)
            }
            let processor = try PhotoProcessor(model: model)
            self.processor = processor
            let size = processor.inputSize
            reply = ModelReply(facts: ModelFacts(width: size.width, height: size.height, cost: processor.cost))
        } catch let error as SubjectModelError {
            reply = ModelReply(failure: error.detail)
        }
        try socket.send(header: Array(JSONEncoder().encode(reply)))
    }

    private func next() throws -> Message? {
        if try !socket.isReadable(within: Self.idleAfter) { FreedMemory.giveBack() }
        return try socket.receive()
    }

    private func answer(
        _ request: WorkerRequest, _ photo: PhotoSource, _ processor: PhotoProcessor
    ) async -> (WorkerReply, [UInt8]) {
        do {
            switch request.task {
            case .process, .stickers, .cutPaths, .colors:
                let (reply, files) = Self.reply(
                    to: try await processor.process(
                        photo, recipe: request.recipe, limits: request.limits,
                        hasStickers: request.task.hasStickers,
                        hasColors: request.task == .process || request.task == .colors,
                        hasCutPaths: request.task == .cutPaths))
                return (reply.about(photo), files)
            case .mask:
                let mask = try await processor.mask(photo, recipe: request.recipe, limits: request.limits)
                return (WorkerReply(), mask)
            case .picture:
                guard let form = request.form else { throw Errno.invalidArgument }
                return (WorkerReply(), try processor.picture(of: photo, as: form, limits: request.limits))
            }
        } catch {
            let isUnreadable = (error as? CodecError)?.code == .unreadable
            return (WorkerReply(failure: "\(error)", isUnreadable: isUnreadable).about(photo), [])
        }
    }

    private static func reply(to photo: ProcessedPhoto) -> (WorkerReply, [UInt8]) {
        let reply = WorkerReply(
            photo: .init(facts: photo.facts, timings: photo.timings, flaw: photo.flaw),
            pictures: photo.stickers.map {
                .init(
                    facts: $0.facts, bytes: $0.data.count, thumbnailBytes: $0.thumbnail.count, cutPath: $0.cutPath)
            })
        return (reply, photo.stickers.flatMap { $0.data + $0.thumbnail })
    }
}

extension WorkerReply {
    fileprivate func about(_ photo: PhotoSource) -> WorkerReply {
        var reply = self
        reply.endsEarly = photo.endsEarly()
        return reply
    }
}
