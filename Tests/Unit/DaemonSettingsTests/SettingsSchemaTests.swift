import DaemonSettings
import PackFacts
import Testing

@Suite struct SettingsSchemaTests {
    /// The schema of a key or group; of the whole file for an empty name.
    private func schema(_ key: String) throws -> JSONValue? {
        try key.split(separator: ".").reduce(JSONParser.parse(Array(SettingsDocuments.schema().utf8))) {
            $0?["properties"]?[String($1)]
        }
    }

    @Test(arguments: ["", "pack", "sticker", "sticker.outline", "colors", "gallery", "watch", "limits", "log"])
    func `No group admits unknown keys`(group: String) throws {
        let value = try schema(group)
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
        let fixture = SettingsFixture()
        let example = try fixture.load(SettingsDocuments.example())
        #expect(example.sources.count == SettingKey.all.count)
        #expect(try example == fixture.load(environment: ["STATE_DIRECTORY": "/var/lib/stickerd"]))
    }
}
