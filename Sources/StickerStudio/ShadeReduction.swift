import PhotoCodecs
import PhotoRaster

/// Makes PNGs smaller by using fewer shades, which compress better.
enum ShadeReduction {
    /// The distance between the shades of a channel.
    private struct Steps {
        let color: Int
        var alpha = 1
    }

    // Best first. Edges get coarser only when colors are already poor.
    private static let steps =
        [1, 2, 3, 4, 6, 8, 12, 16, 24, 32].map { Steps(color: $0) }
        + [Steps(color: 48, alpha: 16), Steps(color: 64, alpha: 32), Steps(color: 128, alpha: 64)]

    /// The file with the most shades that has at most `maxBytes`; nil if there is none. Throws `.outOfMemory`.
    static func encodePNG(_ raster: Raster, maxBytes: Int) throws(CodecError) -> [UInt8]? {
        for steps in steps {
            let file = try PNGEncoder.encode(steps.color == 1 ? raster : reduced(raster, steps))
            if file.count <= maxBytes { return file }
        }
        return nil
    }

    private static func reduced(_ raster: Raster, _ steps: Steps) -> Raster {
        let (colors, alphas) = (shades(steps.color), shades(steps.alpha))
        var result = raster
        for base in stride(from: 0, to: raster.pixels.count, by: Raster.channels) {
            let alpha = alphas[Int(raster.pixels[base + 3])]
            for channel in 0..<3 {
                result.pixels[base + channel] = alpha > 0 ? colors[Int(raster.pixels[base + channel])] : 0
            }
            result.pixels[base + 3] = alpha
        }
        return result
    }

    /// The nearest multiple of `step` for each value; 255 stays 255. Multiples, instead of shades spread evenly up to
    /// 255, keep the differences between pixels few, which are what a PNG compresses.
    private static func shades(_ step: Int) -> [UInt8] {
        (0...255).map { $0 == 255 ? 255 : UInt8(min(($0 + step / 2) / step * step, 255)) }
    }
}
