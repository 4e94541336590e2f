import PhotoColors
import PhotoRaster
import Testing

/// Drawn images with known colors.
enum DrawnColors {
    /// Vertical stripes of the given colors, with the given widths in pixels.
    static func stripes(_ colors: [(hex: String, share: Int)], height: Int = 60) throws -> Raster {
        let columns = try colors.flatMap { hex, share in
            Array(repeating: try #require(HexColor(hex)), count: share)
        }
        return Raster(
            width: columns.count, height: height,
            pixels: (0..<height).flatMap { _ in columns.flatMap { [$0.red, $0.green, $0.blue, 255] } })
    }

    /// A smooth image of many colors with some noise.
    static func colorful(width: Int, height: Int) -> Raster {
        var random = DrawnRandom(state: 7)
        return Raster(
            width: width, height: height,
            pixels: (0..<width * height).flatMap { index in
                let noise = UInt8(random.next() & 15)
                return [
                    UInt8(index % width * 239 / width) + noise, UInt8(index / width * 255 / height), 90 + noise, 255,
                ]
            })
    }

    /// The same pixels in another order.
    static func shuffled(_ photo: Raster) -> Raster {
        var random = DrawnRandom(state: 3)
        let order = (0..<photo.width * photo.height).shuffled(using: &random)
        return Raster(
            width: photo.width, height: photo.height,
            pixels: order.flatMap { photo.pixels[$0 * Raster.channels..<($0 + 1) * Raster.channels] })
    }

    /// Enlarged: every pixel becomes `factor` × `factor` pixels.
    static func enlarged(_ photo: Raster, by factor: Int) -> Raster {
        var large = Raster(width: photo.width * factor, height: photo.height * factor)
        for y in 0..<large.height {
            for x in 0..<large.width {
                let from = (y / factor * photo.width + x / factor) * Raster.channels
                let to = (y * large.width + x) * Raster.channels
                for channel in 0..<Raster.channels { large.pixels[to + channel] = photo.pixels[from + channel] }
            }
        }
        return large
    }
}

/// A generator with a fixed seed.
struct DrawnRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33 | state << 31
    }
}
