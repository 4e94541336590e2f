import PhotoRaster
import TestSupport

/// A scene of soft blots, drawn at any size, that depends only on the seed.
struct DrawnScene {
    private struct Blot {
        let x, y, radius: Double
        let color: [Double]
    }

    private let blots: [Blot]

    init(seed: Int) {
        var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        blots = (0..<60).map { _ in
            Blot(x: random(), y: random(), radius: 0.02 + 0.12 * random(), color: (0..<3).map { _ in 255 * random() })
        }
    }

    /// - Parameters:
    ///   - shift: how far the scene is moved, as a fraction of the image's sides.
    ///   - adjust: changes a channel's value (0…255), given the pixel's index, before rounding.
    func raster(
        width: Int, height: Int, shift: Double = 0, adjust: (Int, [Double]) -> [Double] = { $1 }
    ) -> Raster {
        Raster(width: width, height: height) { x, y in
            let color = color(
                atX: (Double(x) + 0.5) / Double(width) + shift, y: (Double(y) + 0.5) / Double(height) + shift)
            return adjust(y * width + x, color).map { UInt8(min(max($0, 0), 255).rounded()) } + [255]
        }
    }

    /// The topmost blot at this position, shaped like a disc.
    private func color(atX x: Double, y: Double) -> [Double] {
        let top = blots.last { blot in
            (x - blot.x) * (x - blot.x) + (y - blot.y) * (y - blot.y) < blot.radius * blot.radius
        }
        return top?.color ?? [128, 128, 128]
    }
}
