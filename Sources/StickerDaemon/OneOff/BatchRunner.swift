import FileNames
import LinuxIO
import OutboxLayout
import PhotoCodecs
import PhotoColors
import PhotoFacts
import Processing
import StickerStudio
import SystemPackage
import Workers

/// Opens the photos of a batch, sends them to the workers, and writes the results, on its own thread.
actor BatchRunner: ThreadOwner {
    /// A photo of the batch: open and hashed, or already finished.
    struct Prepared: Sendable {
        fileprivate let source: BatchPhoto
        fileprivate let photo: Result<OpenPhoto, PhotoReadError>
        fileprivate let original: String?
        /// The name of its mask or palette in the output folder.
        fileprivate var name: String?
        /// The name in its CSS.
        fileprivate var title: String?
    }

    let thread: SerialThread
    private let reader: PhotoReader
    private let pool: WorkerPool
    private let settings: ProcessorSettings
    private let product: PhotoBatch.Product
    private let output: FilePath?
    private let colorCount: Int
    private let notice: @Sendable (String) -> Void
    /// The name of the first photo with these bytes, by SHA-256.
    private var seen: [String: String] = [:]
    /// The SHA-256 of the photo that owns each name in the output folder.
    private var names: [String: String] = [:]
    /// What this batch has written.
    private var made: Set<String> = []
    private let originals: Set<FileNode>
    private let overwrites: Bool

    /// - Parameters:
    ///   - photos: all photos of the batch; their files are never overwritten.
    ///   - overwrites: whether to replace files that this batch has not made.
    ///   - notice: called with a line about a damaged photo that is used nevertheless.
    init(
        pool: WorkerPool, settings: ProcessorSettings, colorCount: Int, product: PhotoBatch.Product, output: FilePath?,
        photos: [BatchPhoto], overwrites: Bool, notice: @escaping @Sendable (String) -> Void
    ) throws(Errno) {
        self.notice = notice
        self.overwrites = overwrites
        thread = try SerialThread(name: "batch-runner")
        reader = try PhotoReader()
        self.pool = pool
        self.settings = settings
        self.product = product
        self.output = output
        self.colorCount = colorCount
        originals = Set(photos.compactMap { FileNode(of: $0.path) })
    }

    /// Call it in the order of the command line: the first of several identical photos is processed.
    func prepare(_ source: BatchPhoto) async -> Prepared {
        do throws(PhotoReadError) {
            let limit = settings.limits.maxFileBytes
            let photo: OpenPhoto
            switch source {
            case .file(let path), .found(let path): photo = try await reader.open(path, maxFileBytes: limit)
            case .standardInput: photo = try await reader.openStandardInput(maxFileBytes: limit)
            }
            let original = seen[photo.sha256]
            if original == nil { seen[photo.sha256] = source.description }
            // Which photo gets `cat.png` must not depend on which one is finished first.
            let name = ending.flatMap { ending in names(for: source, ending).first { isFree($0, for: photo.sha256) } }
            if let name { names[name] = photo.sha256 }
            return Prepared(
                source: source, photo: .success(photo), original: original, name: name,
                title: title(of: source, photo.sha256))
        } catch {
            return Prepared(source: source, photo: .failure(error), original: nil)
        }
    }

    /// Nil if no worker can be had: the pool ends with the reason.
    func finish(_ prepared: Prepared) async -> PhotoBatch.Outcome? {
        let photo: OpenPhoto
        switch prepared.photo {
        case .failure(.notAPicture) where prepared.source.isFound:
            return .ignored(reason: PhotoReadError.notAPicture.reason)
        case .failure(let error): return .failed(reason: error.reason)
        case .success(let open): photo = open
        }
        if [.stickers, .cutFiles].contains(product), let original = prepared.original {
            return .duplicate(of: original)
        }
        let task: WorkerRequest.Task =
            switch product {
            case .stickers: .stickers
            case .cutFiles: .cutPaths
            case .mask: .mask
            case .palette: .colors
            }
        let request = WorkerRequest(task: task, recipe: recipe, limits: settings.limits)
        do {
            let made: ProcessedPhoto
            switch try await pool.perform(request, descriptor: photo.descriptor, timeout: settings.timePerPhoto)
            {
            case .photo(let photo):
                made = photo
                if let flaw = made.flaw { notice("\(prepared.source): damaged, but little of it is missing (\(flaw))") }
            case .mask(let mask):
                guard output != nil else { return .contents(mask) }
                return .written([try write(mask, under: [prepared.name].compactMap(\.self), photo: photo.sha256)])
            case .picture: return .failed(reason: "the worker's reply has no photo")
            }
            if case .palette(let format, let ofSubject, let count, let hasBlocks) = product {
                guard let sample = ofSubject ? made.facts.subjectColors : made.facts.colors else {
                    return .failed(
                        reason:
                            "no clear subject; without --subject, the colors are those of the whole photo"
                    )
                }
                let file = format.file(
                    of: sample.scheme(count: count ?? colorCount), named: prepared.title ?? prepared.source.stem,
                    hasBlocks: hasBlocks && output == nil)
                guard output != nil else { return .contents(file) }
                return .written([try write(file, under: [prepared.name].compactMap(\.self), photo: photo.sha256)])
            }
            guard !made.stickers.isEmpty else { return .noSubject(confidence: made.facts.confidence) }
            guard output != nil else { return onlySticker(of: made) }
            return .written(
                try made.stickers.enumerated().map { ordinal, sticker in
                    let candidates = OutboxName.stickers(
                        stem: settings.keepStem ? prepared.source.name.stem : nil, photo: photo.sha256,
                        ordinal: ordinal,
                        fileExtension: product == .cutFiles ? "svg" : settings.recipe.format.fileExtension)
                    return try write(file(of: sticker), under: candidates, photo: photo.sha256)
                }, took: made.timings.total)
        } catch let error as WorkerError {
            return error.code == .unavailable ? nil : .failed(reason: error.description)
        } catch let error as CommandFailure {
            return .failed(reason: error.description)
        } catch {
            let folder = InboxPath(bytes: output?.bytes ?? [])
            return .failed(reason: "\(folder): cannot be written: \(error)")
        }
    }

    private var recipe: Recipe { product == .cutFiles ? CutFile.recipe(settings.recipe) : settings.recipe }

    private func file(of sticker: ProcessedPhoto.Sticker) -> [UInt8] {
        product == .cutFiles ? Array(CutFile.text(of: sticker).utf8) : sticker.data
    }

    /// `cat.png` for `cat.jpg`; `cat-2.png` if that name belongs to another photo. Long stems are cut.
    private func names(for photo: BatchPhoto, _ ending: String) -> some Sequence<String> {
        var stem = photo.stem
        while stem.utf8.count + ending.utf8.count > Self.mostStemAndEnding { stem.removeLast() }
        return (1...).lazy.map { [stem] in $0 == 1 ? "\(stem).\(ending)" : "\(stem)-\($0).\(ending)" }
    }

    /// A photo's stem; with a number if its custom properties would replace those of another photo.
    private func title(of photo: BatchPhoto, _ sha256: String) -> String? {
        guard case .palette(.css, _, _, _) = product else { return nil }
        let start = String(String.UnicodeScalarView(photo.stem.unicodeScalars.prefix(Self.mostOfTitle)))
        return (1...).lazy.map { $0 == 1 ? photo.stem : "\(start)-\($0)" }.first { title in
            let property = PaletteFormat.customProperty(named: title)
            defer { names[property] = names[property] ?? sha256 }
            return names[property, default: sha256] == sha256
        }
    }

    /// Custom properties have more letters than this and a number.
    private static let mostOfTitle = 30

    /// Leaves room for the dot and a number within a name's 255 bytes.
    private static let mostStemAndEnding = 245

    /// What follows a photo's stem in the name of its file; nil for stickers, and without a folder to write to.
    private var ending: String? {
        if output == nil { return nil }
        return switch product {
        case .stickers, .cutFiles: nil
        case .mask: "png"
        case .palette(let format, let ofSubject, _, _): (ofSubject ? "subject." : "") + format.fileExtension
        }
    }

    /// Whether the photo may have this name: no other photo of the batch has it, nor is it one itself.
    private func isFree(_ name: String, for photo: String) -> Bool {
        guard names[name, default: photo] == photo, let output else { return false }
        return FileNode(of: output.appending(name)).map(originals.contains) != true
    }

    /// Writes under the first name that is free or belongs to this photo, and returns the name.
    private func write(_ data: [UInt8], under candidates: some Sequence<String>, photo: String) throws -> String {
        guard let output else { throw Errno.noSuchFileOrDirectory }
        for name in candidates where isFree(name, for: photo) {
            names[name] = photo
            try OutputFile.write(data, named: name, in: output, overwrites: overwrites || made.contains(name))
            made.insert(name)
            return name
        }
        throw Errno.fileExists
    }

    private func onlySticker(of made: ProcessedPhoto) -> PhotoBatch.Outcome {
        guard let sticker = made.stickers.first, made.stickers.count == 1 else {
            return .failed(reason: "the photo has \(made.stickers.count) stickers; give a folder with --output")
        }
        return .contents(file(of: sticker))
    }
}
