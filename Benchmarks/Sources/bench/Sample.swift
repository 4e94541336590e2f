/// Repeated measurements of one quantity.
struct Sample {
    private let sorted: [Double]

    /// `values` must not be empty.
    init(_ values: [Double]) {
        precondition(!values.isEmpty)
        sorted = values.sorted()
    }

    var count: Int { sorted.count }
    var best: Double { sorted[0] }
    var worst: Double { sorted[count - 1] }

    var median: Double {
        (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
