package import PhotoCodecs
package import PhotoColors
package import PhotoLikeness
package import StickerStudio

/// What a worker answers. Travels as JSON, the pictures' bytes behind it in the order of `pictures`.
package struct WorkerReply: Codable, Sendable {
    /// The size of a picture's file and of the picture.
    package struct Picture: Codable, Sendable {
        package let bytes: Int
        package let width: Int
        package let height: Int
        package let confidence: Double
    }

    package struct Photo: Codable, Sendable {
        package let format: PhotoFormat
        package let width: Int
        package let height: Int
        package let confidence: Double
        package let colors: PhotoColorScheme
        /// Nil where there is too little in the photo.
        package let likeness: Likeness?
        package let timings: ProcessedPhoto.Timings
    }

    /// Why the photo was refused: one line that a person understands. Nothing else is set then.
    package var failure: String?
    package var photo: Photo?
    package var pictures: [Picture] = []

    /// The pictures' files, cut out of what came behind the answer.
    ///
    /// - Throws: `WorkerError.Code.died` where the sizes do not add up: such a worker is not to be believed.
    package func files(in body: [UInt8]) throws(WorkerError) -> [[UInt8]] {
        guard pictures.allSatisfy({ $0.bytes >= 0 && $0.bytes <= body.count }),
            pictures.reduce(0, { $0 + $1.bytes }) == body.count
        else { throw WorkerError(.died, "its worker's answer does not add up") }
        var offset = 0
        return pictures.map { picture in
            defer { offset += picture.bytes }
            return Array(body[offset..<offset + picture.bytes])
        }
    }
}
