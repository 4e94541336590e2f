/// The shape and the file of a sticker as a messenger wants it. Lengths are in pixels.
package struct PictureForm: Codable, Hashable, Sendable {
    package enum Fit: String, Codable, Sendable {
        /// A picture of exactly `width` by `height`, with the sticker in its middle.
        case canvas
        /// As large as the sticker becomes, with its margin, and both sides rounded up to even numbers by transparent
        /// pixels.
        case tightEven
    }

    package let width: Int
    package let height: Int
    /// The transparent margin around what is visible of the sticker; its own margins do not count.
    package let margin: Int
    package let fit: Fit
    package let format: StickerFormat
    /// The largest size of the file in bytes. A WebP's quality is lowered until it fits, a PNG's number of shades.
    package let maxBytes: Int

    package init(width: Int, height: Int, margin: Int = 0, fit: Fit = .canvas, format: StickerFormat, maxBytes: Int) {
        self.width = width
        self.height = height
        self.margin = margin
        self.fit = fit
        self.format = format
        self.maxBytes = maxBytes
    }

    /// A short name that is different for different forms and for releases that draw differently; for file names.
    package var identifier: String { "\(geometry)-\(maxBytes).\(format.fileExtension)" }

    /// The same for forms that differ in `maxBytes` only.
    package var identifierOfAnySize: String { "\(geometry)-full.\(format.fileExtension)" }

    /// The form whose picture is not reduced for any of these.
    package var ofAnySize: PictureForm {
        PictureForm(
            width: width, height: height, margin: margin, fit: fit, format: format,
            maxBytes: max(maxBytes, Self.mostBytes))
    }

    /// More than any messenger allows.
    private static let mostBytes = 4 << 20

    private var geometry: String { "\(Self.revision)-\(width)x\(height)-\(margin)-\(fit.rawValue)" }

    /// Increased when the same sticker and form give other bytes.
    private static let revision = 3
    /// The largest side that a worker draws.
    package static let maxSide = 1024

    /// The space for the sticker, whose longer side fills it if the sticker is large enough.
    package var room: (width: Int, height: Int) { (width - 2 * margin, height - 2 * margin) }

    /// The same for forms that give the same picture of a sticker of at most this size: the margin of a canvas does not
    /// matter if the sticker need not be reduced for it.
    package func withoutIdleMargin(aroundWidth stickerWidth: Int, height stickerHeight: Int) -> PictureForm {
        guard fit == .canvas, stickerWidth <= room.width, stickerHeight <= room.height else { return self }
        return PictureForm(width: width, height: height, format: format, maxBytes: maxBytes)
    }

    /// Whether it can be drawn: sides in 1...`maxSide`, even for `.tightEven`, and room for the sticker.
    package var isDrawable: Bool {
        let sides = 1...Self.maxSide
        return sides.contains(width) && sides.contains(height) && margin >= 0 && 2 * margin < min(width, height)
            && maxBytes > 0 && (fit != .tightEven || width % 2 == 0 && height % 2 == 0)
    }
}
