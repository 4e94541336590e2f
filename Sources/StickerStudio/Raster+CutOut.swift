import PhotoColors
import PhotoRaster

extension Raster {
    /// The crop's pixels with `opacity`, which has the photo's size, for their alpha; transparent beyond the photo.
    func cut(out crop: StickerPlacement.Crop, opacity: Plane) -> Raster {
        var result = Raster(width: crop.width, height: crop.height)
        let columns = max(crop.x, 0)..<min(crop.x + crop.width, width)
        let source = pixels.span
        let opacities = opacity.values.span
        var target = result.pixels.mutableSpan
        for y in max(crop.y, 0)..<min(crop.y + crop.height, height) {
            for x in columns {
                let index = y * width + x
                let value = opacities[index]
                guard value > 0 else { continue }
                let to = ((y - crop.y) * crop.width + x - crop.x) * Self.channels
                for channel in 0..<3 { target[to + channel] = source[index * Self.channels + channel] }
                target[to + 3] = UInt8(255 * value + 0.5)
            }
        }
        return result
    }

    /// Draws the picture on a sheet of one color cut to `shape`, 0…1 for each pixel: everything within the cut becomes
    /// opaque, everything beyond it transparent.
    mutating func mount(on color: HexColor, cutTo shape: Plane) {
        let sheet = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255)
        let cover = shape.values.span
        var target = pixels.mutableSpan
        for index in 0..<cover.count {
            let base = index * Self.channels
            let alpha = target[base + 3]
            let covered = cover[index]
            guard covered > 0 else {
                for channel in 0..<Self.channels { target[base + channel] = 0 }
                continue
            }
            if alpha == 0 {
                (target[base], target[base + 1], target[base + 2]) = (color.red, color.green, color.blue)
            } else if alpha < 255 {
                let opacity = Float(alpha) / 255
                for channel in 0..<3 {
                    let picture = Float(target[base + channel])
                    target[base + channel] = UInt8(picture * opacity + sheet[channel] * (1 - opacity) + 0.5)
                }
            }
            target[base + 3] = UInt8(covered * 255 + 0.5)
        }
    }
}
