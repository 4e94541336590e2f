/// Why a file that a worker sent is not one that stickerd's encoders write.
struct PictureDefect: Error {
    static let header = PictureDefect("'s header is not what stickerd writes", isPossessive: true)
    static let chunk = PictureDefect("has a chunk that stickerd does not write")
    static let ending = PictureDefect("ends within a chunk")
    static let pixels = PictureDefect("has no pixels")
    static let length = PictureDefect("has more bytes than its pixels need")
    /// Memory ran out, so nothing was checked.
    static let shortage = PictureDefect("", isShortage: true)

    /// Follows "the sticker" without a space between.
    let text: String
    let isShortage: Bool

    /// - Parameter text: follows "the sticker ", or "the sticker" if it is possessive.
    init(_ text: String, isPossessive: Bool = false, isShortage: Bool = false) {
        self.text = isPossessive ? text : " " + text
        self.isShortage = isShortage
    }
}
