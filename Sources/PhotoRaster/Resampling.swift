extension Raster {
    /// The part of the picture under `rect`, resampled to `width` × `height`, premultiplied on the way so that the
    /// color of transparent pixels does not bleed in. What `rect` covers beyond the border repeats the border.
    ///
    /// O(rows of the rect × width + width × height), times the kernel's width.
    package func resampled(from rect: PixelRect? = nil, width: Int, height: Int, kernel: ResamplingKernel) -> Raster {
        let rect = rect ?? PixelRect(x: 0, y: 0, width: Double(self.width), height: Double(self.height))
        let samples = resample(
            width: self.width, height: self.height, rect: rect, outputWidth: width, outputHeight: height, kernel: kernel
        ) { index in
            let base = index * 4
            let alpha = Float(pixels[base + 3])
            let scale = alpha / 255
            return SIMD4(
                Float(pixels[base]) * scale, Float(pixels[base + 1]) * scale, Float(pixels[base + 2]) * scale, alpha)
        }
        var result = Raster(width: width, height: height)
        for index in 0..<samples.count {
            let alpha = samples[index].w
            guard alpha > 0 else { continue }
            let straight = samples[index] * SIMD4(SIMD3(repeating: 255 / alpha), 1)
            let bytes = SIMD4<UInt8>(
                truncatingIfNeeded: SIMD4<Int32>(straight.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)), rounding: .toNearestOrAwayFromZero))
            result.pixels[index * 4] = bytes.x
            result.pixels[index * 4 + 1] = bytes.y
            result.pixels[index * 4 + 2] = bytes.z
            result.pixels[index * 4 + 3] = bytes.w
        }
        return result
    }
}

extension Plane {
    /// The part of the plane under `rect`, resampled to `width` × `height`. What `rect` covers beyond the border
    /// repeats the border.
    package func resampled(from rect: PixelRect? = nil, width: Int, height: Int, kernel: ResamplingKernel) -> Plane {
        let rect = rect ?? PixelRect(x: 0, y: 0, width: Double(self.width), height: Double(self.height))
        let samples = resample(
            width: self.width, height: self.height, rect: rect, outputWidth: width, outputHeight: height, kernel: kernel
        ) { values[$0] }
        return Plane(width: width, height: height, values: samples)
    }
}

/// What resampling adds and scales: a number, or four at once.
private protocol Sample {
    static var zero: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func * (a: Self, b: Float) -> Self
}

extension Float: Sample {}
extension SIMD4<Float>: Sample {}

/// Separable resampling: every input row the output needs is shrunk sideways once, then the rows are combined.
@inline(__always)
private func resample<S: Sample>(
    width: Int, height: Int, rect: PixelRect, outputWidth: Int, outputHeight: Int, kernel: ResamplingKernel,
    at load: (Int) -> S
) -> [S] {
    let across = ResamplingTaps(input: width, origin: rect.x, extent: rect.width, output: outputWidth, kernel: kernel)
    let down = ResamplingTaps(input: height, origin: rect.y, extent: rect.height, output: outputHeight, kernel: kernel)
    let firstRow = down.firsts.min() ?? 0
    let endRow = (down.firsts.max() ?? 0) + down.count
    var narrowed = [S](repeating: .zero, count: (endRow - firstRow) * outputWidth)
    for row in firstRow..<endRow {
        for x in 0..<outputWidth {
            var sum = S.zero
            let base = row * width + across.firsts[x]
            for tap in 0..<across.count { sum = sum + load(base + tap) * across.weights[x * across.count + tap] }
            narrowed[(row - firstRow) * outputWidth + x] = sum
        }
    }
    var result = [S](repeating: .zero, count: outputWidth * outputHeight)
    for y in 0..<outputHeight {
        for tap in 0..<down.count {
            let weight = down.weights[y * down.count + tap]
            guard weight != 0 else { continue }
            let source = (down.firsts[y] + tap - firstRow) * outputWidth
            for x in 0..<outputWidth {
                result[y * outputWidth + x] = result[y * outputWidth + x] + narrowed[source + x] * weight
            }
        }
    }
    return result
}
