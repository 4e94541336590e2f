import Foundation
import Glibc
package import LinuxIO
import PhotoCodecs
import StickerStudio
import SubjectModel
import SystemPackage

/// The worker process: takes photos from its standard input, a socket, one at a time, until the other end is closed.
///
/// Before the first photo it enters its `Confinement`. Nothing here runs on libdispatch's threads, whose supervisor
/// opens files: that would be the end.
package enum WorkerLoop {
    /// The exit status of a worker that the system has no threads or memory for just now (sysexits(3)'s EX_TEMPFAIL).
    package static let cannotStartNow: Int32 = 75

    /// Takes over the process, which has one thread still; it ends as soon as the daemon hangs up.
    ///
    /// - Parameters:
    ///   - socket: the connected stream that requests come over; taken over.
    ///   - awaitsModel: whether the first message brings a model to use instead of the embedded network.
    /// - Throws: what keeps it from starting; a shortage as `Errno`.
    package static func run(socket: consuming OwnedDescriptor, awaitsModel: Bool = false) throws -> Never {
        Confinement.prepare()
        FreedMemory.keep()
        PhotoDecoder.prepare()
        // They are the daemon's affair; a worker ends when the daemon hangs up.
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { _ = Glibc.signal(signal, SIG_IGN) }
        let socket = MessageSocket(owning: socket)
        // The network and the colors work side by side.
        let threads = try ThreadPool(threads: 2, name: "worker-studio")
        let desk = try WorkerDesk(socket: socket, awaitsModel: awaitsModel)
        Task(executorPreference: threads) { await desk.work() }
        HangUpWatch.stay(with: socket)
    }
}

/// Where the worker's socket is read and written, on a thread of its own.
private actor WorkerDesk {
    /// A worker that waits longer than this for its next photo gives up memory.
    private static let idleAfter = Duration.seconds(1)

    private let lane: Lane
    private let socket: MessageSocket
    /// Nil until the model is there, if there is to be one.
    private var processor: PhotoProcessor?

    // The actor holds its lane.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    init(socket: MessageSocket, awaitsModel: Bool) throws {
        self.socket = socket
        lane = try Lane(name: "worker-desk")
        if awaitsModel { try SubjectNetwork.prepare() } else { processor = try PhotoProcessor() }
    }

    /// The worker's whole life. Ends the process by _exit(2): whatever a library does at its end may be forbidden here.
    func work() async -> Never {
        do {
            try await serve()
        } catch {
            // Last words: nobody is there to hear that they cannot be said.
            let words = Array("stickerd worker: \(error)\n".utf8)
            // The array outlives the call.
            _ = unsafe write(STDERR_FILENO, words, words.count)
            _exit(EXIT_FAILURE)
        }
        _exit(EXIT_SUCCESS)
    }

    private func serve() async throws {
        let gaps = Confinement.enter(socket: socket.raw)
        // Ready: no photo is given to a worker that cannot even start.
        try socket.send(header: gaps.isEmpty ? [] : Array(JSONEncoder().encode(gaps)))
        if processor == nil { try takeModel() }
        guard let processor else { return }
        while var message = try next() {
            guard let photo = message.takeDescriptor() else { throw Errno.badMessage }
            let request = try JSONDecoder().decode(WorkerRequest.self, from: Data(message.header))
            Confinement.limitMemory(
                toPhotosOf: request.limits.maxMemory, beside: processor.cost.memory)
            var (reply, body) = await answer(request, .descriptor(photo.raw), processor)
            if body.count > MessageSocket.maxBodyBytes {
                let limit = MessageSocket.maxBodyBytes >> 20
                (reply, body) = (WorkerReply(failure: "what was made of it is larger than \(limit) MiB"), [])
            }
            try socket.send(header: Array(JSONEncoder().encode(reply)), body: body)
            // Another one takes its place.
            if Confinement.isOld { return }
        }
    }

    /// Reads the model, which is as untrusted as a photo, and says what it is or why it cannot be used.
    private func takeModel() throws {
        guard var message = try socket.receive(), let file = message.takeDescriptor() else { return }
        let raw = file.raw
        let request = try JSONDecoder().decode(ModelRequest.self, from: Data(message.header))
        let reply: ModelReply
        do {
            // Enough to read any header.
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
            case .process:
                return Self.reply(
                    to: try await processor.process(photo, recipe: request.recipe, limits: request.limits))
            case .mask:
                let mask = try await processor.mask(photo, recipe: request.recipe, limits: request.limits)
                return (WorkerReply(), mask)
            case .colors:
                let photo = try await processor.process(
                    photo, recipe: request.recipe, limits: request.limits, makingStickers: false)
                return (WorkerReply(photo: .init(photo)), [])
            }
        } catch {
            let isUnreadable = (error as? CodecError)?.code == .unreadable
            return (WorkerReply(failure: "\(error)", isUnreadable: isUnreadable), [])
        }
    }

    private static func reply(to photo: ProcessedPhoto) -> (WorkerReply, [UInt8]) {
        let reply = WorkerReply(
            photo: .init(photo),
            pictures: photo.stickers.map {
                .init(
                    bytes: $0.data.count, thumbnailBytes: $0.thumbnail.count, width: $0.width, height: $0.height,
                    confidence: $0.confidence)
            })
        return (reply, photo.stickers.flatMap { $0.data + $0.thumbnail })
    }
}

extension WorkerReply.Photo {
    fileprivate init(_ photo: ProcessedPhoto) {
        self.init(
            format: photo.format, width: photo.width, height: photo.height, confidence: photo.confidence,
            colors: photo.colors, subjectColors: photo.subjectColors, likeness: photo.likeness,
            timings: photo.timings)
    }
}
