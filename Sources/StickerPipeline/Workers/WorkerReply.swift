package import PhotoCodecs
package import PhotoColors
package import PhotoLikeness
package import StickerStudio

/// What a worker answers. Travels as JSON, behind it the bytes of the pictures in the order of `pictures`, each followed
/// by its thumbnail.
package struct WorkerReply: Codable, Sendable {
    /// The length of a picture's file and of its thumbnail's, the picture's size in pixels, and how sure it is that it
    /// shows a clear subject, 0…1.
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
        /// Nil where there is too little in the photo.
        package let likeness: Likeness?
        package let timings: ProcessedPhoto.Timings
    }

    /// Why the photo was refused: one line that a person understands. Nothing else is set then.
    package var failure: String?
    /// The failure is the disk's: the photo's bytes could not be had. Nil as false.
    package var isUnreadable: Bool?
    /// Nil for a mask, which is all that comes behind the answer then.
    package var photo: Photo?
    /// The stickers, from left to right.
    package var pictures: [Picture] = []

    /// The files of one picture.
    package struct Files: Sendable {
        package let sticker: [UInt8]
        package let thumbnail: [UInt8]
    }

    /// The pictures' files, cut out of what came behind the answer.
    ///
    /// - Throws: `WorkerError.Code.died` if the sizes are inconsistent, or as `validate`: the worker may be
    ///   compromised.
    package func files(in body: [UInt8]) throws(WorkerError) -> [Files] {
        try validate()
        let sizes = pictures.flatMap { [$0.bytes, $0.thumbnailBytes] }
        guard sizes.allSatisfy({ $0 >= 0 && $0 <= body.count }), sizes.reduce(0, +) == body.count
        else { throw WorkerError.invalidReply("its sizes do not add up") }
        var offset = 0
        func next(_ count: Int) -> [UInt8] {
            defer { offset += count }
            return Array(body[offset..<offset + count])
        }
        return pictures.map { Files(sticker: next($0.bytes), thumbnail: next($0.thumbnailBytes)) }
    }
}
