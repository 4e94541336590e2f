/// The table of results: limit, measurement, and whether the limit was met.
struct Report {
    private var rows: [[String]] = []
    private(set) var misses = 0

    /// Adds a measurement that must not exceed its limit.
    mutating func add(_ number: String, limit: Double, unit: String, measured: Double, remark: String = "") {
        let isKept = measured <= limit
        if !isKept { misses += 1 }
        rows.append(
            [
                number, "≤ \(Self.text(limit)) \(unit)",
                "\(Self.text(measured)) \(unit)" + (remark.isEmpty ? "" : " (\(remark))"), isKept ? "ok" : "MISSED",
            ])
    }

    var text: String {
        Console.table([["Number", "Limit", "Measured", ""]] + rows)
    }

    /// Two decimals below 10, one below 100, none above; no decimals if they are zeros.
    static func text(_ value: Double) -> String {
        let scale = abs(value) < 10 ? 100.0 : abs(value) < 100 ? 10 : 1
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
