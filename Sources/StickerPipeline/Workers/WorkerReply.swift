package import PhotoCodecs
import PhotoFacts
package import StickerStudio

/// What a worker made of a photo, checked against the request.
package enum WorkerProduct: Sendable {
    /// Without stickers if only the colors were requested.
    case photo(ProcessedPhoto)
    /// A gray PNG.
    case mask([UInt8])
}

/// A worker's reply: JSON, followed by the files of the stickers in the order of `pictures`, each with its thumbnail
/// behind it.
package struct WorkerReply: Codable, Sendable {
    /// One sticker, and the lengths of its file and of its thumbnail's.
    struct Picture: Codable, Sendable {
        let facts: StickerFacts
        let bytes: Int
        let thumbnailBytes: Int
    }

    struct Photo: Codable, Sendable {
        let facts: PhotoFacts
        let timings: ProcessedPhoto.Timings
    }

    /// Why the photo was rejected, in one line for a person. Nothing else is set then.
    var failure: String?
    /// Whether the photo's bytes could not be read from the disk. nil is false.
    var isUnreadable: Bool?
    /// nil for a mask, which is then all that follows the reply.
    var photo: Photo?
    /// The stickers, from left to right.
    var pictures: [Picture] = []

    /// The stickers with their files, cut out of `body`.
    ///
    /// - Throws: `WorkerError.Code.died` if the sizes are inconsistent: the worker may be compromised.
    package func stickers(in body: [UInt8]) throws(WorkerError) -> [ProcessedPhoto.Sticker] {
        let sizes = pictures.flatMap { [$0.bytes, $0.thumbnailBytes] }
        guard sizes.allSatisfy({ $0 >= 0 && $0 <= body.count }), sizes.reduce(0, +) == body.count
        else { throw WorkerError.invalidReply("its sizes are inconsistent") }
        var offset = 0
        func next(_ count: Int) -> [UInt8] {
            defer { offset += count }
            return Array(body[offset..<offset + count])
        }
        return pictures.map {
            ProcessedPhoto.Sticker(facts: $0.facts, data: next($0.bytes), thumbnail: next($0.thumbnailBytes))
        }
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
