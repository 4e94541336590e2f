import FoundationEssentials
import SystemPackage
import Testing

/// One text file of `Scenarios`: events in an inbox, and the expected contents of the Library.
///
/// A line has a command and its arguments; `#` begins a comment. Names are written as `InboxPath` escapes them,
/// relative to the inbox, or after `@` to a folder beside it. The commands are those of `InboxScenarioRunner`.
struct InboxScenario: Sendable, CustomTestStringConvertible {
    struct Step: Sendable, CustomStringConvertible {
        let line: Int
        let words: [String]
        var description: String { "line \(line): \(words.joined(separator: " "))" }
    }

    let name: String
    let steps: [Step]

    var testDescription: String { name }

    static func all() throws -> [InboxScenario] {
        let folder = FilePath(#filePath).removingLastComponent().appending("Scenarios")
        return try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted().compactMap { name in
            guard name.hasSuffix(".txt") else { return nil }
            return InboxScenario(
                name: String(name.dropLast(4)),
                text: try String(contentsOfFile: folder.appending(name).string, encoding: .utf8))
        }
    }

    private init(name: String, text: String) {
        self.name = name
        steps = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            return words.isEmpty ? nil : Step(line: index + 1, words: words)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct InboxScenarioTests {
    @Test("Changes in the inbox reach the Library", arguments: try InboxScenario.all(), [false, true])
    func scenario(_ scenario: InboxScenario, readsSingleEvents: Bool) async throws {
        try await InboxScenarioRunner(readsSingleEvents: readsSingleEvents).play(scenario)
    }

    @Test("The scenarios are found")
    func found() throws {
        #expect(try InboxScenario.all().count >= 12)
    }
}
