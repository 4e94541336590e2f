/// Why nothing could be measured, in words for whoever started the bench.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What the C library says of the call that just failed.
    static func system(_ call: String) -> BenchError {
        BenchError("\(call): \(SystemError.lastText)")
    }
}
