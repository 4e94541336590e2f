package import PhotoCodecs
package import PhotoColors
package import PhotoLikeness
package import StickerStudio

/// A worker's reply: JSON, followed by the files of the stickers in the order of `pictures`, each with its thumbnail
/// behind it.
package struct WorkerReply: Codable, Sendable {
    /// One sticker: the lengths of its file and of its thumbnail's, its size in pixels, and its confidence, 0…1.
    package struct Picture: Codable, Sendable {
        package let bytes: Int
        package let thumbnailBytes: Int
        package let width: Int
        package let height: Int
        package let confidence: Double
    }

    /// As in `ProcessedPhoto`.
    package struct Photo: Codable, Sendable {
        package let format: PhotoFormat
        package let width: Int
        package let height: Int
        package let confidence: Double
        package let colors: PhotoColorSample
        package let subjectColors: PhotoColorSample?
        /// nil if the photo has too little detail.
        package let likeness: PerceptualHash?
        package let timings: ProcessedPhoto.Timings
    }

    /// Why the photo was rejected, in one line for a person. Nothing else is set then.
    package var failure: String?
    /// Whether the photo's bytes could not be read from the disk. nil is false.
    package var isUnreadable: Bool?
    /// nil for a mask, which is then all that follows the reply.
    package var photo: Photo?
    /// The stickers, from left to right.
    package var pictures: [Picture] = []

    /// The files of one sticker.
    package struct Files: Sendable {
        package let sticker: [UInt8]
        package let thumbnail: [UInt8]
    }

    /// The stickers' files, cut out of `body`.
    ///
    /// - Throws: `WorkerError.Code.died` if the sizes are inconsistent, or as `validate`: the worker may be
    ///   compromised.
    package func files(in body: [UInt8]) throws(WorkerError) -> [Files] {
        try validate()
        let sizes = pictures.flatMap { [$0.bytes, $0.thumbnailBytes] }
        guard sizes.allSatisfy({ $0 >= 0 && $0 <= body.count }), sizes.reduce(0, +) == body.count
        else { throw WorkerError.invalidReply("its sizes are inconsistent") }
        var offset = 0
        func next(_ count: Int) -> [UInt8] {
            defer { offset += count }
            return Array(body[offset..<offset + count])
        }
        return pictures.map { Files(sticker: next($0.bytes), thumbnail: next($0.thumbnailBytes)) }
    }
}

/// A request to a worker, as JSON. The photo's descriptor is sent with it.
package struct WorkerRequest: Codable, Sendable {
    package enum Task: String, Codable, Sendable {
        /// Stickers and colors.
        case process
        /// The matte as a gray PNG.
        case mask
        /// The colors alone, of photo and subject.
        case colors
    }

    package let task: Task
    package let recipe: Recipe
    package let limits: DecodeLimits

    package init(task: Task, recipe: Recipe, limits: DecodeLimits) {
        self.task = task
        self.recipe = recipe
        self.limits = limits
    }
}
