extension Raster {
    /// The part of the image under `rect` (nil: all of it), resampled to `width` × `height` pixels, premultiplied
    /// meanwhile so that the color of transparent pixels does not bleed in. Parts of `rect` beyond the border repeat
    /// the border.
    ///
    /// O(rows of the rect × width + width × height), times the kernel's width.
    package func resampled(from rect: PixelRect? = nil, width: Int, height: Int, kernel: ResamplingKernel) -> Raster {
        let source = pixels.span
        let stride = self.width * Self.channels
        let samples = resample(
            from: rect, ofWidth: self.width, height: self.height, to: (width, height), kernel: kernel
        ) { (row, line: inout [SIMD4<Float>]) in
            let bytes = source.extracting(row * stride..<(row + 1) * stride)
            var samples = line.mutableSpan
            for x in 0..<samples.count {
                let alpha = Float(bytes[x * 4 + 3])
                var sample = SIMD4(Float(bytes[x * 4]), Float(bytes[x * 4 + 1]), Float(bytes[x * 4 + 2]), 255)
                if alpha != 255 { sample *= alpha / 255 }
                samples[x] = sample
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * Self.channels)
        for sample in samples {
            // Lanczos may overshoot on both sides.
            let alpha = min(max(sample.w, 0), 255)
            let straight = alpha > 0 ? sample * (255 / alpha) : .zero
            let rounded = straight.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)) + 0.5
            bytes.append(UInt8(rounded.x))
            bytes.append(UInt8(rounded.y))
            bytes.append(UInt8(rounded.z))
            bytes.append(UInt8(alpha + 0.5))
        }
        return Raster(width: width, height: height, pixels: bytes)
    }
}

extension Plane {
    /// The part of the plane under `rect` (nil: all of it), resampled to `width` × `height` numbers. Parts of `rect`
    /// beyond the border repeat the border.
    package func resampled(from rect: PixelRect? = nil, width: Int, height: Int, kernel: ResamplingKernel) -> Plane {
        let source = values.span
        let samples = resample(
            from: rect, ofWidth: self.width, height: self.height, to: (width, height), kernel: kernel
        ) { (row, line: inout [Float]) in
            var samples = line.mutableSpan
            for x in 0..<samples.count { samples[x] = source[row * samples.count + x] }
        }
        return Plane(width: width, height: height, values: samples)
    }
}

/// The values that resampling adds and scales: a number, or four at once.
private protocol Sample {
    static var zero: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func * (a: Self, b: Float) -> Self
}

extension Float: Sample {}
extension SIMD4<Float>: Sample {}

/// Separable resampling: every needed input row is first resampled horizontally, then rows are combined.
///
/// `load` fills a line with the samples of one input row.
@inline(__always)
private func resample<S: Sample>(
    from rect: PixelRect?, ofWidth width: Int, height: Int, to output: (width: Int, height: Int),
    kernel: ResamplingKernel, load: (Int, inout [S]) -> Void
) -> [S] {
    let rect = rect ?? PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
    let across = ResamplingTaps(input: width, origin: rect.x, extent: rect.width, output: output.width, kernel: kernel)
    let down = ResamplingTaps(
        input: height, origin: rect.y, extent: rect.height, output: output.height, kernel: kernel)
    // Spans: retaining a class reference in the innermost loops would double their time.
    let (acrossFirsts, acrossWeights) = (across.firsts.span, across.weights.span)
    let (downFirsts, downWeights) = (down.firsts.span, down.weights.span)
    let firstRow = down.firsts.min() ?? 0
    let endRow = (down.firsts.max() ?? 0) + down.count

    var line = [S](repeating: .zero, count: width)
    var narrowed: [S] = []
    narrowed.reserveCapacity((endRow - firstRow) * output.width)
    for row in firstRow..<endRow {
        load(row, &line)
        let samples = line.span
        for x in 0..<output.width {
            var sum = S.zero
            let first = acrossFirsts[x]
            for tap in 0..<across.count { sum = sum + samples[first + tap] * acrossWeights[x * across.count + tap] }
            narrowed.append(sum)
        }
    }

    var result: [S] = []
    result.reserveCapacity(output.width * output.height)
    var combined = [S](repeating: .zero, count: output.width)
    let lines = narrowed.span
    for y in 0..<output.height {
        var sums = combined.mutableSpan
        for x in 0..<output.width { sums[x] = .zero }
        for tap in 0..<down.count {
            let weight = downWeights[y * down.count + tap]
            guard weight != 0 else { continue }
            let source = (downFirsts[y] + tap - firstRow) * output.width
            for x in 0..<output.width { sums[x] = sums[x] + lines[source + x] * weight }
        }
        result.append(contentsOf: combined)
    }
    return result
}
