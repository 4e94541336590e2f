extension Raster {
    /// The part of the image under `rect` (nil: all of it), resampled to `width` × `height` pixels. Computed with
    /// premultiplied alpha, so that the color of transparent pixels does not bleed in. Parts of `rect` beyond the
    /// border repeat the border.
    ///
    /// O(rows of the rect × width + width × height), times the kernel's width.
    package func resampled(from rect: PixelRect? = nil, width: Int, height: Int, kernel: ResamplingKernel) -> Raster {
        let source = pixels.span
        let stride = self.width * Self.channels
        var result = Raster(width: width, height: height)
        var target = result.pixels.mutableSpan
        resample(
            from: rect, ofWidth: self.width, height: self.height, to: (width, height), kernel: kernel
        ) { (row, samples: inout MutableSpan<SIMD4<Float>>) in
            let bytes = source.extracting(row * stride..<(row + 1) * stride)
            guard let first = (0..<samples.count).first(where: { bytes[$0 * 4 + 3] > 0 }),
                let last = (first..<samples.count).last(where: { bytes[$0 * 4 + 3] > 0 })
            else { return 0..<0 }
            for x in first...last {
                let alpha = Float(bytes[x * 4 + 3])
                var sample = SIMD4(Float(bytes[x * 4]), Float(bytes[x * 4 + 1]), Float(bytes[x * 4 + 2]), 255)
                if alpha != 255 { sample *= alpha / 255 }
                samples[x] = sample
            }
            return first..<last + 1
        } store: { row, samples, columns in
            for x in columns {
                let sample = samples[x]
                // Lanczos may overshoot on either side.
                let alpha = min(sample.w, 255)
                // It would round to 0, and dividing by it may overflow.
                guard alpha >= 0.5 else { continue }
                let straight = alpha == 255 ? sample : sample * (255 / alpha)
                let base = (row * width + x) * Self.channels
                target[base] = UInt8(min(max(straight.x, 0), 255) + 0.5)
                target[base + 1] = UInt8(min(max(straight.y, 0), 255) + 0.5)
                target[base + 2] = UInt8(min(max(straight.z, 0), 255) + 0.5)
                target[base + 3] = UInt8(alpha + 0.5)
            }
        }
        return result
    }
}

extension Plane {
    /// The part of the plane under `rect` (nil: all of it), resampled to `width` × `height` numbers. Parts of `rect`
    /// beyond the border repeat the border.
    package func resampled(from rect: PixelRect? = nil, width: Int, height: Int, kernel: ResamplingKernel) -> Plane {
        let source = values.span
        var result = Plane(width: width, height: height)
        var target = result.values.mutableSpan
        resample(
            from: rect, ofWidth: self.width, height: self.height, to: (width, height), kernel: kernel
        ) { (row, samples: inout MutableSpan<Float>) in
            for x in 0..<samples.count { samples[x] = source[row * samples.count + x] }
            return 0..<samples.count
        } store: { row, samples, columns in
            for x in columns { target[row * width + x] = samples[x] }
        }
        return result
    }
}

/// The values that resampling adds and scales: one number, or four at once.
private protocol Sample {
    static var zero: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func * (a: Self, b: Float) -> Self
}

extension Float: Sample {}
extension SIMD4<Float>: Sample {}

/// Separable resampling: every needed input row is resampled horizontally, then rows are combined. Keeps at most as
/// many rows as one output row needs.
///
/// - Parameters:
///   - load: fills a line with the samples of one input row, and returns the columns beyond which all are zero; it may
///     leave those unwritten.
///   - store: takes a finished row and the columns beyond which all are zero, top row first.
@inline(__always)
private func resample<S: Sample>(
    from rect: PixelRect?, ofWidth width: Int, height: Int, to output: (width: Int, height: Int),
    kernel: ResamplingKernel, load: (_ row: Int, _ line: inout MutableSpan<S>) -> Range<Int>,
    store: (_ row: Int, _ line: Span<S>, _ columns: Range<Int>) -> Void
) {
    let rect = rect ?? PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
    let across = ResamplingTaps(input: width, origin: rect.x, extent: rect.width, output: output.width, kernel: kernel)
    let down = ResamplingTaps(
        input: height, origin: rect.y, extent: rect.height, output: output.height, kernel: kernel)
    // Spans: retaining a class reference in the innermost loops would double their time.
    let (acrossFirsts, acrossWeights) = (across.firsts.span, across.weights.span)
    let (downFirsts, downWeights) = (down.firsts.span, down.weights.span)

    var lineStorage = [S](repeating: .zero, count: width)
    var line = lineStorage.mutableSpan
    // The last `down.count` input rows, resampled horizontally; a row's slot follows from its number.
    var rowStorage = [S](repeating: .zero, count: down.count * output.width)
    var rows = rowStorage.mutableSpan
    var rowColumns = [Range<Int>](repeating: 0..<0, count: down.count)
    var combinedStorage = [S](repeating: .zero, count: output.width)
    var combined = combinedStorage.mutableSpan

    var next = 0
    for y in 0..<output.height {
        next = max(next, downFirsts[y])
        while next < downFirsts[y] + down.count {
            let slot = next % down.count
            let base = slot * output.width
            let filled = load(next, &line)
            var columns = 0..<output.width
            if filled.isEmpty {
                columns = 0..<0
            } else if filled != 0..<width {
                for x in max(filled.lowerBound - across.count, 0)..<filled.lowerBound { line[x] = .zero }
                for x in filled.upperBound..<min(filled.upperBound + across.count, width) { line[x] = .zero }
                let start = columns.first { acrossFirsts[$0] + across.count > filled.lowerBound } ?? 0
                columns = start..<((columns.last { acrossFirsts[$0] < filled.upperBound }).map { $0 + 1 } ?? start)
            }
            for x in columns {
                var sum = S.zero
                let first = acrossFirsts[x]
                for tap in 0..<across.count { sum = sum + line[first + tap] * acrossWeights[x * across.count + tap] }
                rows[base + x] = sum
            }
            for x in rowColumns[slot] where !columns.contains(x) { rows[base + x] = .zero }
            rowColumns[slot] = columns
            next += 1
        }
        var columns = 0..<0
        for range in rowColumns where !range.isEmpty {
            columns =
                columns.isEmpty
                ? range
                : min(columns.lowerBound, range.lowerBound)..<max(columns.upperBound, range.upperBound)
        }
        for x in columns { combined[x] = .zero }
        for tap in 0..<down.count {
            let weight = downWeights[y * down.count + tap]
            guard weight != 0 else { continue }
            let base = (downFirsts[y] + tap) % down.count * output.width
            for x in columns { combined[x] = combined[x] + rows[base + x] * weight }
        }
        store(y, combined.span, columns)
    }
}
