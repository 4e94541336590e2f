/// The reason why the measurement failed, in one line for a person.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The C library's message for the call that just failed.
    static func system(_ call: String) -> BenchError {
        BenchError("\(call): \(SystemError.lastText)")
    }
}
