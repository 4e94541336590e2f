import PhotoColors
import PhotoRaster
import TestSupport
import Testing

/// Drawn images with known colors.
enum DrawnColors {
    /// Vertical stripes of the given colors, with the given widths in pixels.
    static func stripes(_ colors: [(hex: String, share: Int)], height: Int = 60) throws -> Raster {
        let columns = try colors.flatMap { hex, share in
            Array(repeating: try #require(HexColor(hex)), count: share)
        }
        return Raster(width: columns.count, height: height) { x, _ in
            [columns[x].red, columns[x].green, columns[x].blue, 255]
        }
    }

    /// A smooth image of many colors with some noise.
    static func colorful(width: Int, height: Int) -> Raster {
        var random = DrawnRandom(state: 7)
        return Raster(width: width, height: height) { x, y in
            let noise = UInt8(random.next() & 15)
            return [UInt8(x * 239 / width) + noise, UInt8(y * 255 / height), 90 + noise, 255]
        }
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
        Raster(width: photo.width * factor, height: photo.height * factor) { photo[$0 / factor, $1 / factor] }
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
