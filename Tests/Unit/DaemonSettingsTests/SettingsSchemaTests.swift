import DaemonSettings
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct SettingsSchemaTests {
    private let root = FilePath(Repository.root.path)

    private func parse(_ name: String) throws -> JSONValue {
        try JSONParser.parse(Array(Data(contentsOf: URL(fileURLWithPath: root.appending(name).string))))
    }

    private func example(_ key: String) throws -> JSONValue? {
        try key.split(separator: ".").reduce(parse("config.example.json")) { $0?[String($1)] }
    }

    private func schema(_ key: String) throws -> JSONValue? {
        try key.split(separator: ".").reduce(parse("config.schema.json")) { $0?["properties"]?[String($1)] }
    }

    @Test func `The example and the schema in the repository are those that the keys generate`() throws {
        func read(_ name: String) throws -> String {
            try String(contentsOf: URL(fileURLWithPath: root.appending(name).string), encoding: .utf8)
        }
        #expect(try read("config.example.json") == SettingsDocuments.example(), "run make settings")
        #expect(try read("config.schema.json") == SettingsDocuments.schema(), "run make settings")
    }

    @Test(arguments: ["", "pack", "sticker", "sticker.outline", "colors", "gallery", "watch", "limits", "log"])
    func `No group admits unknown keys`(group: String) throws {
        let value = try group.isEmpty ? parse("config.schema.json") : schema(group)
        #expect(value?["type"] == .text("object"))
        #expect(value?["additionalProperties"] == .flag(false))
    }

    @Test(arguments: SettingKey.all)
    func `The schema explains each key in whole sentences`(key: SettingKey) throws {
        let description = try #require(try schema(key.name)?["description"]?.text)
        #expect(
            description.hasSuffix(".") && !description.hasSuffix("..") && description.first?.isLowercase != true
                || description.hasPrefix("auto"))
    }

    @Test func `The schema limits values as the daemon does`() throws {
        #expect(try schema("sticker.size")?["minimum"] == .number(96))
        #expect(try schema("sticker.size")?["maximum"] == .number(2048))
        #expect(try schema("sticker.size")?["default"] == .number(512))
        #expect(try schema("sticker.format")?["enum"] == .list([.text("png"), .text("webp")]))
        #expect(try schema("sticker.outline.width")?["type"] == .list([.text("integer"), .text("string")]))
        #expect(try schema("inbox")?["default"] == nil)
        let address = try #require(try schema("gallery.baseUrl")?["pattern"]?.text)
        #expect(address == ##"^(https?://[^\s"#<>?\\^`{|}]+)?$"##)
    }

    @Test func `The example has the defaults of a service`() throws {
        let example = try Settings.load(
            arguments: .init(), environment: [:], configFile: root.appending("config.example.json"))
        #expect(example.sources.count == SettingKey.all.count)
        #expect(try example == SettingsFixture().load(environment: ["STATE_DIRECTORY": "/var/lib/stickerd"]))
    }
}
