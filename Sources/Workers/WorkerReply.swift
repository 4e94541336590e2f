package import PhotoCodecs
import PhotoColors
import PhotoFacts
package import StickerStudio
import Systemd

/// What a worker made of a photo, checked against the request.
package enum WorkerProduct: Sendable {
    /// Has only the parts that were requested.
    case photo(ProcessedPhoto)
    /// The matte as a gray PNG.
    case mask([UInt8])
    /// The file of a sticker's picture.
    case picture([UInt8])
}

/// A worker's reply: JSON, then for each of `pictures` the sticker's file and its thumbnail's, if there is one.
struct WorkerReply: Codable, Sendable {
    /// One sticker, the lengths of its file and of its thumbnail's, and its path if that was requested.
    struct Picture: Codable, Sendable {
        let facts: StickerFacts
        let bytes: Int
        let thumbnailBytes: Int
        let cutPath: CutPath?
    }

    struct Photo: Codable, Sendable {
        let facts: PhotoFacts
        let timings: ProcessedPhoto.Timings
        let flaw: String?
    }

    /// Why the photo was rejected, in one line for a person. If set, nothing else is.
    var failure: String?
    /// Whether the photo's bytes could not be read from the disk. Nil means false.
    var isUnreadable: Bool?
    /// Whether the photo's file ends before its container says so. Nil means false.
    var endsEarly: Bool?
    /// Nil for a mask or a sticker's picture, whose file is then the whole body.
    var photo: Photo?
    /// The stickers, from left to right.
    var pictures: [Picture] = []

    /// The stickers with their files, cut out of `body`.
    ///
    /// - Throws: `WorkerError.Code.died` if the sizes are inconsistent: the worker may be compromised.
    func stickers(in body: [UInt8]) throws(WorkerError) -> [ProcessedPhoto.Sticker] {
        let sizes = pictures.flatMap { [$0.bytes, $0.thumbnailBytes] }
        guard sizes.allSatisfy({ $0 >= 0 && $0 <= body.count }), sizes.reduce(0, +) == body.count
        else { throw WorkerError.invalidReply("its sizes are inconsistent") }
        var offset = 0
        func next(_ count: Int) -> [UInt8] {
            defer { offset += count }
            return Array(body[offset..<offset + count])
        }
        return pictures.map {
            ProcessedPhoto.Sticker(
                facts: $0.facts, data: next($0.bytes), thumbnail: next($0.thumbnailBytes),
                cutPath: $0.cutPath)
        }
    }
}

/// A request to a worker, as JSON. The photo's descriptor is sent with it.
package struct WorkerRequest: Codable, Sendable {
    package enum Task: String, Codable, Sendable {
        /// Stickers with thumbnails, colors, and likeness.
        case process
        /// Only the stickers, with thumbnails.
        case stickers
        /// The same, and the lines to cut them along.
        case cutPaths
        /// The matte as a gray PNG.
        case mask
        /// Only the colors of photo and subject.
        case colors
        /// A picture in another form. The descriptor is that of a finished sticker's file.
        case picture

        /// Whether stickers are made.
        var hasStickers: Bool { [.process, .stickers, .cutPaths].contains(self) }
    }

    package let task: Task
    package let recipe: Recipe
    package let limits: DecodeLimits
    /// Nil unless a picture is requested.
    package let form: PictureForm?

    /// For the tasks other than `.picture`.
    package init(task: Task, recipe: Recipe, limits: DecodeLimits) {
        self.task = task
        self.recipe = recipe
        self.limits = limits
        form = nil
    }

    /// Requests a sticker's picture: the file that is sent along is a finished sticker.
    package init(picture form: PictureForm, limits: DecodeLimits) {
        task = .picture
        // Only for stickers from photos.
        recipe = Recipe(sticker: StickerRecipe(), format: form.format, maxBytes: form.maxBytes)
        self.limits = limits
        self.form = form
    }
}

// Validates replies: a worker may be compromised. Decoding already checks colors and likeness.
extension WorkerReply {
    /// The most pictures in a reply; one photo yields far fewer.
    static let maxPictures = 64
    /// The longest flaw in UTF-8; the codecs' messages are shorter.
    private static let maxFlaw = 200
    /// The longest `failure`, which is stored, listed and printed.
    private static let maxFailureBytes = 512
    /// The largest side of a sticker in pixels; `sticker.size` allows less.
    private static let stickerSides = 1...65_535
    /// The largest side that a photo's format can declare, in pixels.
    private static let photoSides = 1...Int(Int32.max)
    private static let confidences = 0.0...1.0
    /// Microseconds, up to a day, which exceeds any time limit.
    private static let times = 0...86_400_000_000
    private static let passes = 0...5

    /// - Throws: `WorkerError.Code.died` if a number is impossible for a photo or a sticker.
    func validate() throws(WorkerError) {
        let arePicturesValid = pictures.allSatisfy { picture in
            let (width, height) = (picture.facts.width, picture.facts.height)
            return Self.stickerSides.contains(width) && Self.stickerSides.contains(height)
                && Self.confidences.contains(picture.facts.confidence)
                && picture.cutPath?.isWithin(width: width, height: height) != false
        }
        let isPhotoValid = photo.map { photo in
            let (facts, timings) = (photo.facts, photo.timings)
            return Self.photoSides.contains(facts.width) && Self.photoSides.contains(facts.height)
                && Self.confidences.contains(facts.confidence)
                && [
                    timings.decode, timings.mask, timings.matte, timings.outline, timings.encode, timings.colors,
                ].allSatisfy(Self.times.contains) && Self.passes.contains(timings.passes)
        }
        guard pictures.count <= Self.maxPictures, arePicturesValid, isPhotoValid != false
        else { throw WorkerError.invalidReply("a number is out of range") }
    }

    /// Reduces `failure` to one short line of printable characters.
    mutating func makeFailurePlain() {
        failure = failure.map { PlainText.escaped($0, limit: Self.maxFailureBytes) }
    }

    /// Validates all that can be validated without decoding an image. Returns what the worker made, or why it rejected
    /// the photo.
    ///
    /// - Parameter body: the bytes after the JSON.
    /// - Throws: `WorkerError.Code.died` if this is no reply to `request`; `.unreadable` if memory runs out.
    func checked(for request: WorkerRequest, body: [UInt8]) throws(WorkerError) -> Result<WorkerProduct, WorkerError> {
        try validate()
        if let failure {
            try require(!failure.isEmpty && photo == nil && pictures.isEmpty && body.isEmpty)
            return .failure(
                WorkerError(isUnreadable == true ? .unreadable : .refused, failure, endsEarly: endsEarly == true))
        }
        let mostPictures = request.recipe.sticker.subjects == .together ? 1 : Self.maxPictures
        try require(
            isUnreadable != true && (photo == nil) == [.mask, .picture].contains(request.task)
                && pictures.count <= (request.task.hasStickers ? mostPictures : 0)
                && pictures.allSatisfy { ($0.cutPath != nil) == (request.task == .cutPaths) })
        if request.task == .picture {
            guard let form = request.form else { throw WorkerError.invalidReply("it does not match the request") }
            try Self.naming("picture") { () throws(PictureDefect) in try Self.check(body, form) }
            return .success(.picture(body))
        }
        guard let photo else {
            try Self.naming("mask") { () throws(PictureDefect) in
                try PNGFrame.check(body[...], .gray(maxPixels: request.limits.maxPixels))
            }
            return .success(.mask(body))
        }
        let facts = photo.facts
        try require(photo.flaw?.utf8.count ?? 0 <= Self.maxFlaw)
        try require(facts.likeness == nil || request.task == .process)
        let (pixels, isTooLarge) = photo.facts.width.multipliedReportingOverflow(by: photo.facts.height)
        guard !isTooLarge, pixels <= request.limits.maxPixels else {
            throw WorkerError.invalidReply("a number is out of range")
        }
        let stickers = try stickers(in: body)
        for sticker in stickers {
            try Self.check(sticker, request.recipe)
            try Self.check(thumbnail: sticker.thumbnail)
        }
        return .success(
            .photo(
                ProcessedPhoto(
                    facts: photo.facts, stickers: stickers, timings: photo.timings, flaw: photo.flaw,
                    endsEarly: endsEarly == true)))
    }

    private static func check(_ sticker: ProcessedPhoto.Sticker, _ recipe: Recipe) throws(WorkerError) {
        let (width, height) = (sticker.facts.width, sticker.facts.height)
        try naming("sticker") { () throws(PictureDefect) in
            guard max(width, height) <= recipe.sticker.size else {
                throw PictureDefect("is larger than sticker.size")
            }
            switch recipe.format {
            case .png:
                try PNGFrame.check(sticker.data[...], .color(width: width, height: height))
            case .webp:
                guard sticker.data.count <= recipe.maxBytes ?? .max else {
                    throw PictureDefect("is larger than sticker.maxBytes")
                }
                guard try WebPFrame.check(sticker.data[...]) == (width, height) else { throw PictureDefect.header }
            }
        }
    }

    private static func check(thumbnail: [UInt8]) throws(WorkerError) {
        try naming("thumbnail") { () throws(PictureDefect) in
            let (width, height) = try WebPFrame.check(thumbnail[...])
            guard max(width, height) <= Thumbnail.side else { throw PictureDefect("is too large") }
        }
    }

    private static func check(_ picture: [UInt8], _ form: PictureForm) throws(PictureDefect) {
        guard picture.count <= form.maxBytes else { throw PictureDefect("is larger than its limit") }
        let size =
            switch form.format {
            case .png: try PNGFrame.check(picture[...], .colorWithin(width: form.width, height: form.height))
            case .webp: try WebPFrame.check(picture[...])
            }
        guard form.allows(width: size.width, height: size.height) else { throw .header }
    }

    private func require(_ isSound: Bool) throws(WorkerError) {
        guard isSound else { throw WorkerError.invalidReply("it does not match the request") }
    }

    private static func naming(_ file: String, _ body: () throws(PictureDefect) -> Void) throws(WorkerError) {
        do throws(PictureDefect) {
            try body()
        } catch {
            if error.isShortage { throw WorkerError(.unreadable, "out of memory while checking the \(file)") }
            throw WorkerError.invalidReply("the \(file) \(error.text)")
        }
    }
}
