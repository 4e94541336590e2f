/// Finds the name that a mistyped one most likely means.
enum NearestName {
    /// Longer names are compared by this prefix.
    private static let maximumLength = 128

    /// The candidate within two letters, or the one in another group whose last part is within one letter; nil if none
    /// is that close. The first of equals.
    static func of(_ name: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { candidate in
            (candidate, min(distance(name, candidate), distance(lastPart(name), lastPart(candidate)) + 1))
        }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= 2 else { return nil }
        return best.0
    }

    private static func lastPart(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    /// Letters to insert, remove, replace or swap with a neighbor, ignoring case (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased().unicodeScalars.prefix(maximumLength))
        let right = Array(right.lowercased().unicodeScalars.prefix(maximumLength))
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
