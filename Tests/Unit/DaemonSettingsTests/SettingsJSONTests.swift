import Testing

@testable import PackFacts

@Suite struct SettingsJSONTests {
    private func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    @Test(
        arguments: [
            ("true", .flag(true)), (" false\n", .flag(false)), ("null", .null), ("0", .number(0)),
            ("-0.5e+2", .number(-50)),
            ("12E1", .number(120)), (#""""#, .text("")), (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{c}\n\r\t")),
            (#""é\u00e9\ud83d\ude00😀""#, .text("éé😀😀")), ("[]", .list([])), ("{ }", .object([])),
            ("[1 , [\t]]", .list([.number(1), .list([])])),
        ] as [(String, JSONValue)])
    func `Valid JSON is parsed`(text: String, expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test func `Members keep their order, their line and their duplicates`() throws {
        let expected = [("b", 1), ("a", 3), ("b", 3)].enumerated().map { index, member in
            JSONValue.Member(name: member.0, line: member.1, value: .number(Double(index)))
        }
        #expect(try parse("{\"b\":0,\n\n\"a\":1, \"b\":2}") == .object(expected))
    }

    @Test(arguments: [
        ("", 1, 1, "expected a value"), ("nul", 1, 1, "expected a value"), ("-", 1, 1, "expected a value"),
        ("'a'", 1, 1, "expected a value"), ("[1,]", 1, 4, "expected a value"), (".5", 1, 1, "expected a value"),
        ("01", 1, 3, "expected a JSON number"), ("1.", 1, 3, "expected a JSON number"),
        ("1e", 1, 3, "expected a JSON number"), ("1 2", 1, 3, "expected the end of the file"),
        ("[1 2]", 1, 4, "expected a comma or a closing bracket"), ("[", 1, 2, "expected a value"),
        ("{\n\"a\" 1}", 2, 5, "expected a colon after the key"), ("{a: 1}", 1, 2, "expected a key in double quotes"),
        ("{\"a\": 1\n \"b\": 2}", 2, 2, "expected a comma or a closing brace"),
        ("// no\n{}", 1, 1, "expected a value"), ("\"a", 1, 3, "expected a closing double quote"),
        ("\"a\\", 1, 4, "expected a closing double quote"),
        ("\"a\nb\"", 1, 3, "line break or control character in a string"),
        (#""\x""#, 1, 4, "invalid escape sequence"), (#""\u12""#, 1, 4, "expected four hexadecimal digits"),
        (#""\ud83d""#, 1, 8, "incomplete surrogate pair"), (#""\ud83d\u0041""#, 1, 14, "incomplete surrogate pair"),
        (#""\udc00""#, 1, 8, "incomplete surrogate pair"), ("\u{FEFF}x", 1, 1, "expected a value"),
    ])
    func `Invalid JSON is an error with line and column`(
        text: String, line: Int, column: Int, reason: String
    ) throws {
        #expect(throws: JSONSyntaxError(line: line, column: column, reason: reason)) { try parse(text) }
    }

    @Test func `Bytes that are not UTF-8 are an error`() {
        #expect(throws: JSONSyntaxError(line: 1, column: 3, reason: "the string is not UTF-8")) {
            try JSONParser.parse([0x22, 0xFF, 0x22])
        }
    }

    @Test func `The depth of nesting is limited`() {
        let depth = JSONParser.maximumDepth
        #expect(throws: Never.self) {
            try parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        #expect(throws: JSONSyntaxError(line: 1, column: depth + 1, reason: "nested deeper than \(depth) levels")) {
            try parse(String(repeating: "[", count: 1 << 20))
        }
    }
}
