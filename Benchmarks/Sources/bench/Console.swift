import Foundation

/// Unbuffered standard output: unless it is a terminal, `print` buffers lines, and a measurement takes minutes.
enum Console {
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Lines with the cells of each column below each other; all rows have equally many.
    static func table(_ rows: [[String]]) -> String {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row.dropLast(), widths).map { $0.padding(toLength: $1 + 2, withPad: " ", startingAt: 0) }.joined()
                + (row.last ?? "") + "\n"
        }.joined()
    }
}
