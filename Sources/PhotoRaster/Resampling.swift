internal import CRasterLoops

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
            channels: Self.channels, from: rect, ofWidth: self.width, height: self.height, to: (width, height),
            kernel: kernel
        ) { row, samples in
            let bytes = source.extracting(row * stride..<(row + 1) * stride)
            guard let first = (0..<self.width).first(where: { bytes[$0 * 4 + 3] > 0 }),
                let last = (first..<self.width).last(where: { bytes[$0 * 4 + 3] > 0 })
            else { return 0..<0 }
            let start = first * Self.channels
            // The line has four samples for each of these pixels, like the row.
            unsafe samples.withUnsafeMutableBufferPointer { samples in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    guard let from = bytes.baseAddress, let to = samples.baseAddress else { return }
                    unsafe raster_load_row(from + start, last + 1 - first, to + start)
                }
            }
            return first..<last + 1
        } store: { row, samples, columns in
            let start = columns.lowerBound * Self.channels
            // The row has four bytes for each of these pixels, and as many samples.
            unsafe target.withUnsafeMutableBufferPointer { target in
                unsafe samples.withUnsafeBufferPointer { samples in
                    guard let from = samples.baseAddress, let to = target.baseAddress else { return }
                    unsafe raster_store_row(from + start, columns.count, to + row * width * Self.channels + start)
                }
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
        let result = unsafe [Float](unsafeUninitializedCapacity: width * height) { target, count in
            resample(
                channels: 1, from: rect, ofWidth: self.width, height: self.height, to: (width, height), kernel: kernel
            ) { row, samples in
                let line = source.extracting(row * samples.count..<(row + 1) * samples.count)
                // As many numbers as samples.
                unsafe samples.withUnsafeMutableBufferPointer { samples in
                    unsafe line.withUnsafeBufferPointer { _ = unsafe samples.update(fromContentsOf: $0) }
                }
                return 0..<samples.count
            } store: { row, samples, columns in
                // Every row is stored, with all of its `width` columns, because `load` fills all of a line's.
                let line = unsafe UnsafeMutableBufferPointer(rebasing: target[row * width..<(row + 1) * width])
                unsafe samples.withUnsafeBufferPointer { _ = unsafe line.initialize(fromContentsOf: $0) }
            }
            count = width * height
        }
        return Plane(width: width, height: height, values: result)
    }
}

/// Separable resampling: every needed input row is resampled horizontally, then rows are combined. Keeps at most as
/// many rows as one output row needs.
///
/// - Parameters:
///   - channels: floats per sample, 1 or 4.
///   - load: fills a line with the samples of one input row, and returns the columns beyond which all are zero; it may
///     leave those unwritten.
///   - store: takes a finished row and the columns beyond which all are zero, top row first.
@inline(__always)
private func resample(
    channels: Int, from rect: PixelRect?, ofWidth width: Int, height: Int, to output: (width: Int, height: Int),
    kernel: ResamplingKernel, load: (_ row: Int, _ line: inout MutableSpan<Float>) -> Range<Int>,
    store: (_ row: Int, _ line: Span<Float>, _ columns: Range<Int>) -> Void
) {
    let rect = rect ?? PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
    let across = ResamplingTaps(input: width, origin: rect.x, extent: rect.width, output: output.width, kernel: kernel)
    let down = ResamplingTaps(input: height, origin: rect.y, extent: rect.height, output: output.height, kernel: kernel)

    var line = [Float](repeating: 0, count: width * channels)
    // The last `down.count` input rows, resampled horizontally; a row's slot follows from its number.
    let rowLength = output.width * channels
    var rows = [Float](repeating: 0, count: down.count * rowLength)
    var rowColumns = [Range<Int>](repeating: 0..<0, count: down.count)
    var combined = [Float](repeating: 0, count: rowLength)

    var next = 0
    for y in 0..<output.height {
        next = max(next, down.firsts[y])
        while next < down.firsts[y] + down.count {
            let slot = next % down.count
            var lineSpan = line.mutableSpan
            let filled = load(next, &lineSpan)
            var columns = 0..<output.width
            if filled.isEmpty {
                columns = 0..<0
            } else if filled != 0..<width {
                let (first, end) = (filled.lowerBound, filled.upperBound)
                for index in max(first - across.count, 0) * channels..<first * channels { line[index] = 0 }
                for index in end * channels..<min(end + across.count, width) * channels { line[index] = 0 }
                let start = columns.first { across.firsts[$0] + across.count > first } ?? output.width
                columns = start..<max(start, (columns.last { across.firsts[$0] < end }).map { $0 + 1 } ?? start)
            }
            across.mix(line, channels: channels, columns: columns, into: &rows, at: slot * rowLength)
            for x in rowColumns[slot] where !columns.contains(x) {
                for channel in 0..<channels { rows[slot * rowLength + x * channels + channel] = 0 }
            }
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
        down.mix(
            rowsOf: rows, length: rowLength, places: columns.lowerBound * channels..<columns.upperBound * channels,
            at: y, into: &combined)
        store(y, combined.span, columns)
    }
}
