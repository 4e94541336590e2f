internal import CRasterLoops

/// For every output position along one axis: the first input position it reads, and the weights from there on.
///
/// Input positions beyond the border read the border pixel.
struct ResamplingTaps {
    /// The size of the input.
    let input: Int
    let count: Int
    let firsts: [Int]
    /// `count` weights per output position, summing to one.
    let weights: [Float]

    /// Maps `origin ..< origin + extent` of an input of `input` pixels onto `output` pixels.
    init(input: Int, origin: Double, extent: Double, output: Int, kernel: ResamplingKernel) {
        let scale = extent / Double(output)
        let reducing = scale > 1
        let stretch = max(scale, 1)
        let support = kernel.support(reducing: reducing) * stretch + 0.5
        let most = min(input, Int((2 * support).rounded(.up)) + 1)
        var rows: [(first: Int, weights: ArraySlice<Double>)] = []
        rows.reserveCapacity(output)
        for position in 0..<output {
            let centre = origin + (Double(position) + 0.5) * scale
            let low = Int((centre - support).rounded(.down))
            let high = Int((centre + support).rounded(.up))
            let first = min(max(low, 0), input - most)
            var sum = 0.0
            var row = [Double](repeating: 0, count: most)
            for source in low...max(low, high) {
                let distance = (Double(source) + 0.5 - centre) / stretch
                let weight = kernel.weight(at: distance, cell: 1 / stretch, reducing: reducing)
                guard weight != 0 else { continue }
                let tap = min(max(source, 0), input - 1) - first
                guard row.indices.contains(tap) else { continue }
                row[tap] += weight
                sum += weight
            }
            let used = (row.firstIndex { $0 != 0 } ?? 0)..<(row.lastIndex { $0 != 0 } ?? 0) + 1
            rows.append((first, sum == 0 ? [0] : row.map { $0 / sum }[used]))
        }
        // As many as the widest position uses.
        let count = rows.reduce(1) { max($0, $1.weights.count) }
        var firsts = [Int](repeating: 0, count: output)
        var weights = [Float](repeating: 0, count: output * count)
        for (position, row) in rows.enumerated() {
            let used = row.first + row.weights.startIndex
            firsts[position] = min(used, input - count)
            let start = position * count + used - firsts[position]
            for (index, weight) in row.weights.enumerated() { weights[start + index] = Float(weight) }
        }
        self.input = input
        self.count = count
        self.firsts = firsts
        self.weights = weights
    }
}

extension ResamplingTaps {
    /// Resamples one line horizontally: writes the samples `columns` of the row of `target` that begins at `start`.
    ///
    /// - Parameter channels: floats per sample.
    func mix(_ line: [Float], channels: Int, columns: Range<Int>, into target: inout [Float], at start: Int) {
        precondition(columns.upperBound <= firsts.count && start + columns.upperBound * channels <= target.count)
        precondition(line.count == input * channels)
        // `init` leaves no position beyond the input; the rest was checked above. No pointer is kept.
        unsafe target.withUnsafeMutableBufferPointer { target in
            guard let row = unsafe target.baseAddress?.advanced(by: start) else { return }
            unsafe raster_mix_columns(
                line, channels, firsts, weights, count, columns.lowerBound, columns.upperBound, row)
        }
    }

    /// Combines rows vertically for output row `row`: writes `places` of `target`.
    ///
    /// - Parameters:
    ///   - ring: the last `count` input rows, each at its number modulo `count`.
    ///   - length: of a row.
    func mix(rowsOf ring: [Float], length: Int, places: Range<Int>, at row: Int, into target: inout [Float]) {
        precondition(ring.count == count * length && places.upperBound <= min(length, target.count))
        let weights = weights.span.extracting(row * count..<(row + 1) * count)
        // Every index was checked above; no pointer is kept.
        unsafe weights.withUnsafeBufferPointer { weights in
            unsafe raster_mix_rows(
                ring, length, count, firsts[row], weights.baseAddress, count, places.lowerBound, places.upperBound,
                &target)
        }
    }
}
