/// For every output position along one axis: the first input position it reads, and the weights from there on.
///
/// Input positions beyond the border read the border pixel.
struct ResamplingTaps {
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
        let count = min(input, Int((2 * support).rounded(.up)) + 1)
        var firsts = [Int](repeating: 0, count: output)
        var weights = [Float](repeating: 0, count: output * count)
        for position in 0..<output {
            let centre = origin + (Double(position) + 0.5) * scale
            let low = Int((centre - support).rounded(.down))
            let high = Int((centre + support).rounded(.up))
            let first = min(max(low, 0), input - count)
            var sum = 0.0
            var row = [Double](repeating: 0, count: count)
            for source in low...max(low, high) {
                let distance = (Double(source) + 0.5 - centre) / stretch
                let weight = kernel.weight(at: distance, cell: 1 / stretch, reducing: reducing)
                guard weight != 0 else { continue }
                let tap = min(max(source, 0), input - 1) - first
                guard row.indices.contains(tap) else { continue }
                row[tap] += weight
                sum += weight
            }
            firsts[position] = first
            for tap in 0..<count where sum != 0 { weights[position * count + tap] = Float(row[tap] / sum) }
        }
        self.count = count
        self.firsts = firsts
        self.weights = weights
    }
}
