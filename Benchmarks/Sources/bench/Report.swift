/// The table of results: limit, measurement, and whether the limit was met.
struct Report {
    private struct Row {
        let number: String
        let limit: String
        let measured: String
        let verdict: String
    }

    private var rows: [Row] = []
    private(set) var misses = 0

    /// Adds a measurement that must not exceed its limit.
    mutating func add(_ number: String, limit: Double, unit: String, measured: Double, remark: String = "") {
        let isKept = measured <= limit
        if !isKept { misses += 1 }
        rows.append(
            Row(
                number: number, limit: "≤ \(Self.text(limit)) \(unit)",
                measured: "\(Self.text(measured)) \(unit)" + (remark.isEmpty ? "" : " (\(remark))"),
                verdict: isKept ? "ok" : "MISSED"))
    }

    var text: String {
        let head = Row(number: "Number", limit: "Limit", measured: "Measured", verdict: "")
        let all = [head] + rows
        func column(_ cell: (Row) -> String) -> Int { all.map { cell($0).count }.max() ?? 0 }
        let widths = (column(\.number), column(\.limit), column(\.measured))
        return all.map { row in
            let cells = [
                Self.padded(row.number, to: widths.0), Self.padded(row.limit, to: widths.1),
                Self.padded(row.measured, to: widths.2), row.verdict,
            ]
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// Two decimals below 10, one below 100, none above; no decimals if they are zeros.
    static func text(_ value: Double) -> String {
        let scale = abs(value) < 10 ? 100.0 : abs(value) < 100 ? 10 : 1
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
