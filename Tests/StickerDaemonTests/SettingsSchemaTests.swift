import Foundation
import StickerDaemon
import SystemPackage
import Testing

@Suite struct SettingsSchemaTests {
    private let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()

    private func parse(_ name: String) throws -> JSONValue {
        try JSONParser.parse(Array(Data(contentsOf: URL(fileURLWithPath: root.appending(name).string))))
    }

    private func example(_ key: String) throws -> JSONValue? {
        try key.split(separator: ".").reduce(parse("config.example.json")) { $0?[String($1)] }
    }

    private func schema(_ key: String) throws -> JSONValue? {
        try key.split(separator: ".").reduce(parse("config.schema.json")) { $0?["properties"]?[String($1)] }
    }

    /// The dotted names of keys without properties, in order.
    private func leaves(_ schema: JSONValue, _ group: String = "") -> [String] {
        (schema["properties"]?.members ?? []).flatMap { member in
            let key = group + member.name
            return member.value["properties"] == nil ? [key] : leaves(member.value, key + ".")
        }
    }

    private func leaves(ofExample value: JSONValue, _ group: String = "") -> [String] {
        (value.members ?? []).flatMap { member in
            let key = group + member.name
            return member.value.members == nil ? [key] : leaves(ofExample: member.value, key + ".")
        }
    }

    @Test func `The schema has every key and no other, in the order of the table`() throws {
        let keys = ["$schema"] + SettingKey.all.map(\.name)
        #expect(try leaves(parse("config.schema.json")) == keys)
        #expect(try leaves(ofExample: parse("config.example.json")) == keys)
        #expect(try example("$schema") == .text("./config.schema.json"))
    }

    @Test(arguments: ["", "pack", "sticker", "sticker.outline", "colors", "gallery", "watch", "limits", "log"])
    func `No group admits unknown keys`(group: String) throws {
        let value = try group.isEmpty ? parse("config.schema.json") : schema(group)
        #expect(value?["type"] == .text("object"))
        #expect(value?["additionalProperties"] == .flag(false))
    }

    @Test(arguments: SettingKey.all.map(\.name))
    func `A key's schema matches the values that the daemon accepts`(name: String) throws {
        let key = try #require(SettingKey.all.first { $0.name == name })
        let schema = try #require(try schema(name))
        let description = try #require(schema["description"]?.text)
        #expect(description.hasSuffix("."))
        var expected = facets(of: key.shape)
        expected["description"] = .text(description)
        // Default folders depend on the user who runs the daemon; every other default is the example's value.
        if key.shape != .folder { expected["default"] = try example(name) }
        #expect(facets(of: schema) == expected)
    }

    @Test func `The example has the defaults of a service`() throws {
        let example = try Settings.load(
            arguments: .init(), environment: [:], configFile: root.appending("config.example.json"))
        #expect(example.sources.count == SettingKey.all.count)
        #expect(try example == SettingsFixture().load(environment: ["STATE_DIRECTORY": "/var/lib/stickerd"]))
    }

    /// The schema's members under dotted names.
    private func facets(of schema: JSONValue, _ group: String = "") -> [String: JSONValue] {
        (schema.members ?? []).reduce(into: [:]) { facets, member in
            let name = group + member.name
            guard member.value.members == nil else {
                return facets.merge(self.facets(of: member.value, name + ".")) { $1 }
            }
            facets[name] = member.value
        }
    }

    private func facets(of shape: SettingShape) -> [String: JSONValue] {
        switch shape {
        case .folder: ["type": .text("string"), "minLength": .number(1)]
        case .text(let length):
            [
                "type": .text("string"), "minLength": .number(Double(length.lowerBound)),
                "maxLength": .number(Double(length.upperBound)),
            ]
        case .identifier: ["type": .text("string"), "pattern": .text("^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
        case .integer(let range):
            [
                "type": .text("integer"), "minimum": .number(Double(range.lowerBound)),
                "maximum": .number(Double(range.upperBound)),
            ]
        case .integerOrAuto(let range):
            [
                "type": .list([.text("integer"), .text("string")]), "minimum": .number(Double(range.lowerBound)),
                "maximum": .number(Double(range.upperBound)), "pattern": .text("^auto$"),
            ]
        case .seconds(let range):
            ["type": .text("number"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .fraction: ["type": .text("number"), "minimum": .number(0), "maximum": .number(1)]
        case .flag: ["type": .text("boolean")]
        case .choice(let choices): ["type": .text("string"), "enum": .list(choices.map { .text($0) })]
        case .choices(let choices):
            [
                "type": .text("array"), "uniqueItems": .flag(true), "items.type": .text("string"),
                "items.enum": .list(choices.map { .text($0) }),
            ]
        case .webAddress:
            [
                "type": .text("string"), "maxLength": .number(2048),
                "pattern": .text(##"^(https?://[^\s"#<>?\\^`{|}]+)?$"##),
            ]
        case .color: ["type": .text("string"), "pattern": .text("^(#[0-9A-Fa-f]{6}|none)$")]
        case .globs:
            [
                "type": .text("array"), "maxItems": .number(256), "items.type": .text("string"),
                "items.minLength": .number(1), "items.maxLength": .number(255), "items.pattern": .text("^[^/]*$"),
            ]
        }
    }
}
