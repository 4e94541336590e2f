import PhotoCodecs
import StickerStudio
import Systemd

// Validates replies: a worker may be compromised. Colors and likeness are checked when they are decoded.
extension WorkerReply {
    /// The most pictures in a reply; far more than one photo yields.
    package static let maxPictures = 64
    /// The longest `failure`, which is stored, listed and printed.
    private static let maxFailureBytes = 512
    /// No sticker is larger; `sticker.size` allows less.
    private static let stickerSides = 1...65_535
    /// The sizes that a photo's format can declare.
    private static let photoSides = 1...Int(Int32.max)
    private static let confidences = 0.0...1.0
    /// Microseconds, up to a day: more than any photo may take.
    private static let times = 0...86_400_000_000

    /// - Throws: `WorkerError.Code.died` if a number is impossible for a photo or a sticker.
    func validate() throws(WorkerError) {
        let picturesMakeSense = pictures.allSatisfy {
            Self.stickerSides.contains($0.width) && Self.stickerSides.contains($0.height)
                && Self.confidences.contains($0.confidence)
        }
        let photoMakesSense = photo.map {
            Self.photoSides.contains($0.width) && Self.photoSides.contains($0.height)
                && Self.confidences.contains($0.confidence)
                && [
                    $0.timings.decode, $0.timings.mask, $0.timings.matte, $0.timings.outline, $0.timings.encode,
                    $0.timings.colors,
                ].allSatisfy(Self.times.contains)
        }
        guard pictures.count <= Self.maxPictures, picturesMakeSense, photoMakesSense != false
        else { throw WorkerError.invalidReply("a number is out of range") }
    }

    /// Reduces `failure` to one short line of harmless characters.
    mutating func makeFailurePlain() {
        failure = failure.map { PlainText.escaped($0, limit: Self.maxFailureBytes) }
    }

    /// Checks everything that can be checked without decoding an image.
    ///
    /// - Parameter body: what followed the reply.
    /// - Throws: `WorkerError.Code.died` if this is no reply to `request`; `.unreadable` if memory runs out.
    func check(for request: WorkerRequest, body: [UInt8]) throws(WorkerError) {
        try validate()
        if let failure {
            try require(!failure.isEmpty && photo == nil && pictures.isEmpty && body.isEmpty)
            return
        }
        let mayHavePictures = request.task == .process
        let mostPictures = request.recipe.sticker.subjects == .together ? 1 : Self.maxPictures
        try require(
            isUnreadable != true && (photo == nil) == (request.task == .mask)
                && pictures.count <= (mayHavePictures ? mostPictures : 0))
        if let photo {
            let (pixels, isTooLarge) = photo.width.multipliedReportingOverflow(by: photo.height)
            guard !isTooLarge, pixels <= request.limits.maxPixels else {
                throw WorkerError.invalidReply("a number is out of range")
            }
        }
        if request.task == .mask {
            return try naming("mask") { () throws(PictureDefect) in
                try PNGFrame.check(body[...], .gray(maxPixels: request.limits.maxPixels))
            }
        }
        for (picture, files) in zip(pictures, try files(in: body)) { try check(picture, files, request.recipe) }
    }

    private func check(_ picture: Picture, _ files: Files, _ recipe: Recipe) throws(WorkerError) {
        let size = recipe.sticker.size
        try naming("sticker") { () throws(PictureDefect) in
            guard max(picture.width, picture.height) <= size else { throw PictureDefect("is larger than sticker.size") }
            switch recipe.format {
            case .png:
                try PNGFrame.check(files.sticker[...], .color(width: picture.width, height: picture.height))
            case .webp:
                guard files.sticker.count <= recipe.maxBytes ?? .max else {
                    throw PictureDefect("is larger than sticker.maxBytes")
                }
                let side = try WebPFrame.check(files.sticker[...])
                guard side == (picture.width, picture.height) else { throw PictureDefect.header }
            }
        }
        try naming("thumbnail") { () throws(PictureDefect) in
            let (width, height) = try WebPFrame.check(files.thumbnail[...])
            guard max(width, height) <= Thumbnail.side else { throw PictureDefect("is too large") }
        }
    }

    private func require(_ isSound: Bool) throws(WorkerError) {
        guard isSound else { throw WorkerError.invalidReply("it does not fit the request") }
    }

    private func naming(_ file: String, _ body: () throws(PictureDefect) -> Void) throws(WorkerError) {
        do throws(PictureDefect) {
            try body()
        } catch {
            if error.isShortage { throw WorkerError(.unreadable, "there is no memory to check the \(file)") }
            throw WorkerError.invalidReply("the \(file)\(error.text)")
        }
    }
}
