import Foundation
import PhotoRaster
import TestSupport

/// A photo with a known matte and known colors: a soft, wavy, optionally hairy subject over a background.
struct DrawnSubject {
    enum Background: CaseIterable {
        case smooth, striped, spotted, noisy, barred, steep

        static let allCases: [Background] = [.smooth, .striped, .spotted]
        /// Differs from the subject, and varies within a few pixels.
        static let harsh: [Background] = [.noisy, .barred, .steep]
    }

    let photo: Raster
    let alpha: Plane
    /// Red, green and blue of the subject alone per pixel, 0…255.
    let colors: [SIMD3<Float>]
    /// The same for the background.
    let behind: [SIMD3<Float>]

    private static let (width, height) = (320, 240)

    /// 1 for each pixel that belongs only to a leg, outside the body.
    private(set) var legs: [Bool]

    /// `softness` is the width of the edge in pixels. Hairs taper off over 8 to 28 pixels; legs are 40 pixels long and
    /// `legThickness` wide, evenly spread around the body.
    init(softness: Float, hairs: Int, background: Background, legs legCount: Int = 0, legThickness: Float = 3) {
        let (width, height) = (Self.width, Self.height)
        var random = TestRandom(state: UInt64(softness * 10) + UInt64(hairs) + 77)
        let center = SIMD2(Float(width) / 2, Float(height) / 2)
        func radius(_ angle: Float) -> Float { 66 * (1 + 0.18 * sin(2 * angle + 1) + 0.1 * sin(3 * angle)) }
        var alpha = Plane(width: width, height: height) { x, y in
            let offset = SIMD2(Float(x), Float(y)) + 0.5 - center
            let inside = radius(atan2(offset.y, offset.x)) - (offset * offset).sum().squareRoot()
            let ramp = min(max(inside / softness + 0.5, 0), 1)
            return ramp * ramp * (3 - 2 * ramp)
        }
        for _ in 0..<hairs {
            let angle = Float.random(in: 0..<2 * .pi, using: &random)
            let length = Float.random(in: 8..<28, using: &random)
            let direction = SIMD2(cos(angle), sin(angle))
            for step in stride(from: Float(-8), to: length, by: 0.5) {
                let point = center + direction * (radius(angle) + step)
                let thickness = 1.6 - 1.2 * max(step, 0) / length
                for y in Int(point.y) - 2...Int(point.y) + 2 {
                    for x in Int(point.x) - 2...Int(point.x) + 2 {
                        let offset = SIMD2(Float(x), Float(y)) + 0.5 - point
                        let cover = min(max(thickness - (offset * offset).sum().squareRoot() + 0.5, 0), 1)
                        alpha[x, y] = max(alpha[x, y], cover)
                    }
                }
            }
        }
        legs = [Bool](repeating: false, count: width * height)
        for leg in 0..<legCount {
            let angle = 2 * .pi * (Float(leg) + 0.3) / Float(legCount)
            let direction = SIMD2(cos(angle), sin(angle))
            for y in 0..<height {
                for x in 0..<width {
                    let offset = SIMD2(Float(x), Float(y)) + 0.5 - center
                    let along = (offset * direction).sum() - radius(angle)
                    let across = abs(offset.x * direction.y - offset.y * direction.x)
                    guard -8..<40 ~= along else { continue }
                    let cover = min(max((legThickness / 2 - across) + 0.5, 0), 1)
                    if along > 4, cover > 0.9 { legs[y * width + x] = true }
                    alpha[x, y] = max(alpha[x, y], cover)
                }
            }
        }
        var photo = Raster(width: width, height: height)
        colors = (0..<width * height).map { index in
            let (x, y) = (Float(index % width), Float(index / width))
            return SIMD3(200, 120, 70) + SIMD3(20, 30, 10) * sin(x / 31) + SIMD3(20, 10, 30) * cos(y / 23)
        }
        behind = (0..<width * height).map { index in
            if background == .noisy { return SIMD3.random(in: 0..<150, using: &random) }
            return Self.color(of: background, x: Float(index % width), y: Float(index / width))
        }
        for index in alpha.values.indices {
            let share = alpha.values[index]
            let mixed = colors[index] * share + behind[index] * (1 - share)
            for channel in 0..<3 { photo.pixels[index * 4 + channel] = UInt8(min(max(mixed[channel], 0), 255) + 0.5) }
            photo.pixels[index * 4 + 3] = 255
        }
        self.photo = photo
        self.alpha = alpha
    }

    /// The mask of a perfect but coarse network: the true matte, downscaled to the network's size and blurred.
    var mask: Plane {
        let mask = alpha.resampled(width: 320, height: 320, kernel: .area)
        return mask.resampled(width: 107, height: 107, kernel: .area).resampled(width: 320, height: 320, kernel: .area)
    }

    /// The sum of absolute differences to the true alpha.
    func error(of matte: Plane) -> Float {
        zip(matte.values, alpha.values).reduce(0) { $0 + abs($1.0 - $1.1) }
    }

    /// The mean error of colors in mixed pixels, weighted by alpha.
    func colorError(of picture: Raster) -> Float {
        alpha.values.indices.reduce(into: 0) { sum, index in
            guard 0.02..<0.98 ~= alpha.values[index] else { return }
            for channel in 0..<3 {
                sum += alpha.values[index] * abs(Float(picture.pixels[index * 4 + channel]) - colors[index][channel])
            }
        }
    }

    private static func color(of background: Background, x: Float, y: Float) -> SIMD3<Float> {
        switch background {
        case .smooth: SIMD3(60, 90, 150) + SIMD3(30, 20, 40) * (x / 320) + SIMD3(0, 60, 20) * (y / 240)
        case .striped: SIMD3(70, 130, 80) + SIMD3(40, 50, 40) * sin((x + 0.7 * y) / 14)
        case .noisy: .zero
        case .barred: sin((x + y) / 1.6) > 0 ? SIMD3(20, 30, 60) : SIMD3(120, 170, 240)
        case .steep: SIMD3(20, 40, 80) + SIMD3(60, 160, 160) * (sin(x / 25) * 0.5 + 0.5)
        case .spotted: SIMD3(230, 225, 235) - SIMD3(30, 60, 20) * (sin(x / 9) * cos(y / 11))
        }
    }
}
