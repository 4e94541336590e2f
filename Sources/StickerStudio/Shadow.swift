import PhotoRaster

/// A soft black shadow under a sticker; lengths in pixels of the finished sticker.
package struct StickerShadow: Codable, Hashable, Sendable {
    /// 0 for none to 1 for black.
    package var opacity: Double
    /// The distance over which the shadow fades out.
    package var radius: Int
    /// The distance below the sticker; negative for above.
    package var offset: Int

    package init(opacity: Double = 0.25, radius: Int = 8, offset: Int = 3) {
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

extension Raster {
    /// Draws a soft shadow under everything visible. The picture must have room for the shadow's reach.
    mutating func castShadow(_ shadow: StickerShadow) {
        // With rows above and below for the part of the blur that the offset moves into the picture.
        let rows = height + 2 * shadow.radius
        var shape = Plane(width: width, height: rows)
        shape.values.replaceSubrange(shadow.radius * width..<(shadow.radius + height) * width, with: alpha.values)
        let blurred = GaussianBlur(reach: shadow.radius).blurred(shape)
        for y in 0..<height {
            let source = y - shadow.offset + shadow.radius
            guard 0..<rows ~= source else { continue }
            for x in 0..<width {
                let base = (y * width + x) * Self.channels
                let darkness = blurred[x, source] * Float(shadow.opacity)
                let picture = Float(pixels[base + 3]) / 255
                let alpha = picture + darkness * (1 - picture)
                guard picture < 1, alpha > 0 else { continue }
                for channel in 0..<3 {
                    pixels[base + channel] = UInt8(Float(pixels[base + channel]) * picture / alpha + 0.5)
                }
                pixels[base + 3] = UInt8(alpha * 255 + 0.5)
            }
        }
    }
}
