import LinuxIO
import PhotoCodecs
import StickerPipeline
import StickerStudio
import SystemPackage

/// Opens the photos of a batch, has the workers look at them, and writes what comes back, on a thread of its own.
actor BatchDesk {
    /// A photo on its way: open and hashed, or settled already.
    struct Prepared: Sendable {
        fileprivate let name: String
        fileprivate let photo: Result<OpenPhoto, PhotoReadError>
        fileprivate let original: String?
    }

    private let lane: Lane
    private let reader: PhotoReader
    private let pool: WorkerPool
    private let settings: ProcessorSettings
    private let product: PhotoBatch.Product
    private let output: FilePath
    /// The first photo with these bytes, by SHA-256.
    private var seen: [String: String] = [:]
    private var masks: Set<String> = []

    // The actor holds its lane.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    init(pool: WorkerPool, settings: ProcessorSettings, product: PhotoBatch.Product, output: FilePath) throws(Errno) {
        lane = try Lane(name: "batch-desk")
        reader = try PhotoReader()
        self.pool = pool
        self.settings = settings
        self.product = product
        self.output = output
    }

    /// Called in the order of the command line, so that the first of equal photos is the one that counts.
    func prepare(_ name: String) async -> Prepared {
        do throws(PhotoReadError) {
            let photo = try await reader.open(FilePath(name), maxFileBytes: settings.limits.maxFileBytes)
            let original = seen[photo.sha256]
            if original == nil { seen[photo.sha256] = name }
            return Prepared(name: name, photo: .success(photo), original: original)
        } catch {
            return Prepared(name: name, photo: .failure(error), original: nil)
        }
    }

    func finish(_ prepared: Prepared) async throws -> PhotoBatch.Outcome {
        let photo: OpenPhoto
        switch prepared.photo {
        case .failure(let error): return .failed(reason: error.reason)
        case .success(let open): photo = open
        }
        if product == .stickers, let original = prepared.original { return .duplicate(of: original) }
        let request = WorkerRequest(
            task: product == .mask ? .mask : .process, recipe: settings.recipe, limits: settings.limits)
        let reply: WorkerReply
        let body: [UInt8]
        do throws(WorkerError) {
            (reply, body) = try await pool.perform(
                request, descriptor: photo.descriptor, timeout: settings.timePerPhoto)
        } catch {
            return .failed(reason: error.description)
        }
        guard product == .stickers else { return .written([try write(body, asMaskOf: prepared.name)]) }
        guard let made = reply.photo else { return .failed(reason: "the worker's answer has no photo in it") }
        guard !reply.pictures.isEmpty else { return .noSubject(confidence: made.confidence) }
        return .written(
            try reply.files(in: body).enumerated().map { ordinal, data in
                let name = OutboxName.sticker(
                    stem: settings.keepStem ? FilePath(prepared.name).stem : nil, photo: photo.sha256,
                    ordinal: ordinal, fileExtension: settings.recipe.format.fileExtension)
                try AtomicFile.write(data, named: name, in: output)
                return name
            })
    }

    /// `cat.png` for `cat.jpg`; `cat-2.png` where another photo of the batch has that stem too.
    private func write(_ mask: [UInt8], asMaskOf photo: String) throws -> String {
        let stem = FilePath(photo).stem ?? "mask"
        var name = "\(stem).png"
        var number = 1
        while !masks.insert(name).inserted {
            number += 1
            name = "\(stem)-\(number).png"
        }
        try AtomicFile.write(mask, named: name, in: output)
        return name
    }
}
