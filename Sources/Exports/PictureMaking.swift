package import StickerStudio

/// Makes the pictures of exports; the workers do. A call waits while photos wait for a worker.
package protocol PictureMaking: Sendable {
    /// Draws one sticker's picture.
    ///
    /// - Parameter sticker: its file, borrowed for the length of the call.
    func picture(of sticker: Int32, _ form: PictureForm) async throws(PictureFailure) -> [UInt8]
}

/// Why there is no picture.
package enum PictureFailure: Error, Sendable, Equatable {
    /// It cannot be made of this sticker.
    case refused(String)
    /// The worker's process ended or took too long, which need not be the file's fault.
    case died(String)
    /// The file cannot be read.
    case unreadable(String)
    /// The sticker's file is not the one that was asked for.
    case changed(String)
    /// There is no worker.
    case notYet(String)
    /// The workers are stopping, which they do before exports are told to.
    case stopped
}
