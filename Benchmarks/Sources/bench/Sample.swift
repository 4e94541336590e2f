/// Repeated measurements of one quantity.
struct Sample {
    private let sorted: [Double]

    /// `values` must not be empty.
    init(_ values: some Sequence<Double>) {
        sorted = values.sorted()
        precondition(!sorted.isEmpty)
    }

    var count: Int { sorted.count }
    var best: Double { sorted[0] }
    var worst: Double { sorted[count - 1] }
    var mean: Double { sorted.reduce(0, +) / Double(count) }

    var median: Double {
        (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
