import PackFacts
package import SystemPackage

/// Invalid settings: all problems at once, never empty.
package struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    package let problems: [SettingsProblem]

    /// One line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One problem with the settings, and its fix if there is one.
package struct SettingsProblem: Sendable, Equatable, CustomStringConvertible {
    /// The dotted key, as written; nil if the problem concerns the whole file.
    package let key: String?
    package let source: SettingsSource
    /// Names the key and the values that it accepts.
    package let reason: String
    /// The nearest valid name, if the key is unknown.
    package var suggestion: String?

    /// One line: `/etc/stickerd/config.json:7: unknown key "sticker.sise"; did you mean "sticker.size"?`
    package var description: String {
        "\(source): \(reason)" + (suggestion.map { "; did you mean \($0.quoted)?" } ?? "")
    }
}

/// The source of a value.
package enum SettingsSource: Sendable, Equatable, CustomStringConvertible {
    /// A command-line flag, dashes included.
    case flag(String)
    /// An environment variable's name.
    case environment(String)
    /// The configuration file; `line` counts from 1.
    case file(FilePath, line: Int? = nil)
    /// The default.
    case builtIn

    package var description: String {
        switch self {
        case .flag(let name), .environment(let name): name
        case .file(let path, line: let line?): "\(path):\(line)"
        case .file(let path, line: nil): path.string
        case .builtIn: "default settings"
        }
    }
}

/// Finds the name that a misspelled one most likely stands for.
package enum NearestName {
    /// Longer names are compared by this prefix.
    private static let maximumLength = 128

    /// The candidate within an edit distance of 2, or one in another group whose last part is within 1; nil if none is
    /// that close. Of equals, the one whose whole name is nearer, then the first.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { candidate in
            let whole = distance(name, candidate)
            return (candidate, min(whole, distance(lastPart(name), lastPart(candidate)) + 1), whole)
        }
        guard let best = ranked.min(by: { ($0.1, $0.2) < ($1.1, $1.2) }), best.1 <= 2 else { return nil }
        return best.0
    }

    private static func lastPart(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    /// Edit distance with insertion, removal, replacement and swapping of neighbors, ignoring case (optimal string
    /// alignment).
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
