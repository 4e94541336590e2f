package import PackFacts

/// A script with the stickers of one page of a large pack's index. A page opened as a file may load scripts, but not
/// read other files.
package enum PageScript {
    /// Of the format: changes with what the gallery's script expects of it.
    package static let version = 1

    /// The script's text, in UTF-8: JSON is valid JavaScript. The same stickers give the same bytes.
    ///
    /// - Parameters:
    ///   - page: its file's name without the extension.
    ///   - stickers: in order of arrival.
    package static func text(page: String, _ stickers: [PackEntry]) -> [UInt8] {
        Array("stickerd.page(".utf8) + OrderedJSON.string(page).bytes() + Array(",".utf8)
            + OrderedJSON.lines(stickers.map(\.galleryJSON)).bytes() + Array(");\n".utf8)
    }
}
