internal import CRasterLoops
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
        let width = width
        for y in 0..<height {
            let source = y - shadow.offset + shadow.radius
            guard 0..<rows ~= source else { continue }
            let row = y * width * Self.channels
            // Row `y` has `width` pixels of four bytes, and row `source` as many values.
            unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                unsafe blurred.values.withUnsafeBufferPointer { shade in
                    guard let to = pixels.baseAddress, let from = shade.baseAddress else { return }
                    unsafe raster_shade_row(to + row, from + source * width, width, Float(shadow.opacity))
                }
            }
        }
    }
}
