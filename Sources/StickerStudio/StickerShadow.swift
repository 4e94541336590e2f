/// A soft black shadow under a sticker; lengths in pixels of the finished sticker.
package struct StickerShadow: Codable, Hashable, Sendable {
    /// 0 for none to 1 for black.
    package var opacity: Double
    /// The distance over which the shadow fades out.
    package var radius: Int
    /// The distance below the sticker; negative for above.
    package var offset: Int

    package init(opacity: Double = 0.3, radius: Int = 12, offset: Int = 4) {
        self.opacity = opacity
        self.radius = radius
        self.offset = offset
    }

    /// Whether all values are in range; lengths are also bounded by the sticker's size.
    var isDrawable: Bool { 0...1 ~= opacity && 0...1024 ~= radius && -1024...1024 ~= offset }

    /// The space that the shadow needs on each side of the sticker.
    var reach: StickerMargins {
        StickerMargins(left: radius, right: radius, top: max(radius - offset, 0), bottom: max(radius + offset, 0))
    }
}
