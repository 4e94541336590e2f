/// The position of a JSON syntax error, and what was expected there.
package struct JSONSyntaxError: Error, Equatable {
    /// Counted from 1.
    package let line: Int
    /// In bytes, counted from 1.
    package let column: Int
    /// The message without the position.
    package let reason: String

    package init(line: Int, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }
}
