package import StickerStudio

/// Makes the pictures of exports; the workers do.
package protocol PictureMaking: Sendable {
    /// Draws one sticker's picture. Waits while photos wait for a worker.
    ///
    /// - Parameter sticker: its file, borrowed for the length of the call.
    func picture(of sticker: Int32, _ form: PictureForm) async throws(PictureFailure) -> [UInt8]
}

/// Why there is no picture.
package enum PictureFailure: Error, Sendable, Equatable {
    /// It cannot be made of this sticker.
    case refused(String)
    /// There is no worker, or the sticker cannot be read now.
    case notYet(String)
}
