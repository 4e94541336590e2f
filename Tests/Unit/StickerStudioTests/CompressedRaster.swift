import Foundation
import PhotoRaster

extension Raster {
    /// The picture after JPEG compression of medium quality: blocks of 8 × 8 pixels with their cosine transform
    /// rounded, colors more coarsely than lightness (ITU-T T.81, annexes A.3.3 and K.1, roughly). Sides are multiples
    /// of 8.
    var compressed: Raster {
        var result = self
        let waves: [[Float]] = (0..<8).map { (wave: Int) -> [Float] in
            (0..<8).map { (place: Int) -> Float in
                let scale: Float = wave == 0 ? Float(0.125).squareRoot() : 0.5
                let angle = Float((2 * place + 1) * wave) * Float.pi / 16
                return scale * cos(angle)
            }
        }
        func transformed(_ block: [SIMD4<Float>], isInverse: Bool) -> [SIMD4<Float>] {
            var block = block
            for pass in 0..<2 {
                let (step, line) = pass == 0 ? (1, 8) : (8, 1)
                for start in 0..<8 {
                    let values: [SIMD4<Float>] = (0..<8).map { block[start * line + $0 * step] }
                    for target in 0..<8 {
                        var sum = SIMD4<Float>.zero
                        for source in 0..<8 {
                            let wave = isInverse ? waves[source][target] : waves[target][source]
                            sum += values[source] * wave
                        }
                        block[start * line + target * step] = sum
                    }
                }
            }
            return block
        }
        for top in stride(from: 0, to: height, by: 8) {
            for left in stride(from: 0, to: width, by: 8) {
                let places = (0..<64).map { ((top + $0 / 8) * width + left + $0 % 8) * Self.channels }
                var block = transformed(
                    places.map { base in
                        let color = SIMD3(Float(pixels[base]), Float(pixels[base + 1]), Float(pixels[base + 2]))
                        let light = (color * SIMD3(0.299, 0.587, 0.114)).sum()
                        return SIMD4(light, (color.z - light) * 0.564, (color.x - light) * 0.713, 0)
                    }, isInverse: false)
                for index in block.indices {
                    let frequency = Float(index / 8 + index % 8)
                    let steps = SIMD4(8 + 3 * frequency, 9 + 6 * frequency, 9 + 6 * frequency, 1)
                    block[index] = (block[index] / steps).rounded(.toNearestOrAwayFromZero) * steps
                }
                for (base, value) in zip(places, transformed(block, isInverse: true)) {
                    let color = SIMD3(
                        value.x + 1.402 * value.z, value.x - 0.344 * value.y - 0.714 * value.z,
                        value.x + 1.773 * value.y)
                    for channel in 0..<3 {
                        result.pixels[base + channel] = UInt8(min(max(color[channel], 0), 255) + 0.5)
                    }
                }
            }
        }
        return result
    }
}
