package import StickerStudio

/// Makes the pictures of exports; the workers do. Both calls wait while photos wait for a worker.
package protocol PictureMaking: Sendable {
    /// Draws one sticker's picture.
    ///
    /// - Parameters:
    ///   - sticker: its file, borrowed for the length of the call.
    ///   - smaller: the length of the published sticker's file, if a larger one follows it in the same file. It is drawn if
    ///     it shows the same, and refused otherwise.
    ///   - form: of the picture.
    func picture(of sticker: Int32, after smaller: Int?, _ form: PictureForm) async throws(PictureFailure) -> [UInt8]

    /// Makes a photo's stickers.
    ///
    /// - Parameter photo: its file, borrowed for the length of the call.
    func stickers(of photo: Int32, _ recipe: Recipe) async throws(PictureFailure) -> [ProcessedPhoto.Sticker]
}

/// Why there is no picture.
package enum PictureFailure: Error, Sendable, Equatable {
    /// It cannot be made of this sticker, or this photo.
    case refused(String)
    /// The worker's process ended or took too long, which need not be the file's fault.
    case died(String)
    /// The file cannot be read.
    case unreadable(String)
    /// The sticker's file is not the one that was asked for.
    case changed(String)
    /// There is no worker.
    case notYet(String)
}
