import Foundation
import TestSupport

/// All SQL statements in the Library's sources, except those of the schema.
struct LibraryStatements {
    /// The statement with single spaces and with interpolated constants inserted.
    let all: [String]
    /// Statements with an interpolated value that is not a constant: their text is known only at run time.
    let unresolved: [String]
    /// The source files in which a statement occurs.
    let files: [String: Set<String>]

    private static let modules = ["PhotoLibrary", "PackLedger", "LibraryCommands"]

    init() throws {
        let folders = Self.modules.map { Repository.root.appending(path: "Sources/\($0)") }
        let sources = try folders.flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }.filter { $0.pathExtension == "swift" && !$0.lastPathComponent.hasPrefix("Schema") }
            .map { (name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
        // Made of the columns' names when it is first used.
        var constants = ["columns": "sticker.*"]
        for (_, text) in sources {
            for match in text.matches(of: #/let (\w+)(?:: String)? = "{3}(.*?)"{3}/#.dotMatchesNewlines()) {
                constants[String(match.1)] = String(match.2)
            }
            for match in text.matches(of: #/let (\w+) =\s+"([^"\n]+)"/#) {
                constants[String(match.1)] = String(match.2)
            }
        }
        var files: [String: Set<String>] = [:]
        for (name, text) in sources {
            for literal in Self.literals(in: text) {
                let statement = Self.normalized(
                    literal.replacing(#/\\\((?:\w+\.)?(\w+)\)/#) { constants[String($0.1)] ?? String($0.0) })
                if Self.isStatement(statement) { files[statement, default: []].insert(name) }
            }
        }
        self.files = files
        all = files.keys.filter { !$0.contains("\\(") }.sorted()
        unresolved = files.keys.filter { $0.contains("\\(") }
    }

    /// The statements of a trigger, one by one.
    static func body(ofTrigger sql: String) -> [String] {
        guard let begin = sql.range(of: " BEGIN"), let end = sql.range(of: "END", options: .backwards) else {
            return []
        }
        return sql[begin.upperBound..<end.lowerBound].replacing(#/(NEW|OLD)\.\w+/#, with: "?")
            .split(separator: ";").map { normalized(String($0)) }.filter { !$0.isEmpty }
    }

    private static func literals(in text: String) -> [String] {
        text.matches(of: #/"{3}\n(?<long>.*?)"{3}|"(?<short>[^"\n]*)"/#.dotMatchesNewlines())
            .map { String($0.long ?? $0.short ?? "") }
    }

    private static func isStatement(_ text: String) -> Bool {
        text.prefixMatch(of: #/(SELECT|INSERT|UPDATE|DELETE|WITH) /#) != nil
    }

    private static func normalized(_ sql: String) -> String {
        sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
