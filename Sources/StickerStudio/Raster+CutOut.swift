import PhotoColors
import PhotoRaster

extension Raster {
    /// The crop's pixels with `opacity`, which has the photo's size, for their alpha; transparent beyond the photo.
    func cut(out crop: StickerPlacement.Crop, opacity: Plane) -> Raster {
        var result = Raster(width: crop.width, height: crop.height)
        let columns = max(crop.x, 0)..<min(crop.x + crop.width, width)
        for y in max(crop.y, 0)..<min(crop.y + crop.height, height) {
            for x in columns {
                let source = y * width + x
                guard opacity.values[source] > 0 else { continue }
                let from = source * Self.channels
                let to = ((y - crop.y) * crop.width + x - crop.x) * Self.channels
                result.pixels[to] = pixels[from]
                result.pixels[to + 1] = pixels[from + 1]
                result.pixels[to + 2] = pixels[from + 2]
                result.pixels[to + 3] = UInt8(255 * opacity.values[source] + 0.5)
            }
        }
        return result
    }

    /// Lays the picture on a sheet of one color cut to `shape`, 0…1 for each pixel: within the cut everything becomes
    /// opaque, beyond it everything is gone.
    mutating func mount(on color: HexColor, cutTo shape: Plane) {
        let sheet = SIMD3(Float(color.red), Float(color.green), Float(color.blue))
        for index in shape.values.indices {
            let base = index * Self.channels
            guard shape.values[index] > 0 else {
                for channel in 0..<Self.channels { pixels[base + channel] = 0 }
                continue
            }
            let opacity = Float(pixels[base + 3]) / 255
            if opacity < 1 {
                let picture = SIMD3(Float(pixels[base]), Float(pixels[base + 1]), Float(pixels[base + 2]))
                let mixed = picture * opacity + sheet * (1 - opacity) + 0.5
                for channel in 0..<3 { pixels[base + channel] = UInt8(mixed[channel]) }
            }
            pixels[base + 3] = UInt8(shape.values[index] * 255 + 0.5)
        }
    }
}
