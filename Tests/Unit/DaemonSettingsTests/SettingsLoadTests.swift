import DaemonSettings
import Inbox
import Logging
import PackFacts
import Packs
import PhotoCodecs
import PhotoColors
import Processing
import StickerStudio
import SystemPackage
import Testing
import TestSupport

@Suite struct SettingsLoadTests {
    let fixture = SettingsFixture()

    @Test func `Without any source, the defaults apply`() throws {
        let settings = try fixture.load()
        #expect(settings.inbox == fixture.folder[".local/share/stickerd/inbox"])
        #expect(settings.outbox == fixture.folder[".local/share/stickerd/outbox"])
        #expect(settings.state == fixture.folder[".local/state/stickerd"])
        #expect(settings.sources.isEmpty)
    }

    @Test func `The file overrides the defaults, the environment the file, a flag everything`() throws {
        let json = #"{"inbox": "/srv/a", "outbox": "/srv/b", "state": "/srv/c", "colors": {"count": 6}}"#
        let settings = try fixture.load(
            json, environment: ["STICKERD_OUTBOX": "/srv/d", "STICKERD_STATE": "/srv/e"],
            arguments: SettingsOverrides(state: "/srv/f"))
        #expect(settings.inbox == "/srv/a")
        #expect(settings.outbox == "/srv/d")
        #expect(settings.state == "/srv/f")
        #expect(settings.pack.colorCount == 6)
        #expect(settings.sources["inbox"] == .file(fixture.file, line: 1))
        #expect(settings.sources["outbox"] == .environment("STICKERD_OUTBOX"))
        #expect(settings.sources["state"] == .flag("--state"))
        #expect(settings.sources["workers"] == nil)
    }

    @Test func `Under systemd, folders are in the state directory, the file is in the configuration directory`() throws
    {
        try fixture.folder.write(#"{"workers": 3}"#, to: "etc/config.json")
        let settings = try fixture.load(environment: [
            "STATE_DIRECTORY": "/var/lib/stickerd:/var/lib/other", "XDG_DATA_HOME": "/srv/data",
            "CONFIGURATION_DIRECTORY": fixture.folder["etc"].string,
        ])
        #expect(settings.inbox == "/var/lib/stickerd/inbox")
        #expect(settings.outbox == "/var/lib/stickerd/outbox")
        #expect(settings.state == "/var/lib/stickerd")
        #expect(settings.workers == 3)
    }

    @Test func `XDG's folders override the home folder's, unless they are relative`() throws {
        try fixture.folder.write(#"{"workers": 4}"#, to: "xdg/stickerd/config.json")
        let settings = try fixture.load(environment: [
            "XDG_DATA_HOME": "/srv/data", "XDG_STATE_HOME": "relative", "XDG_CONFIG_HOME": fixture.folder["xdg"].string,
        ])
        #expect(settings.inbox == "/srv/data/stickerd/inbox")
        #expect(settings.state == fixture.folder[".local/state/stickerd"])
        #expect(settings.workers == 4)
    }

    @Test func `Without a home folder, the service's folders apply`() throws {
        let settings = try Settings.load(
            arguments: .init(), environment: ["CONFIGURATION_DIRECTORY": fixture.folder.path.string], configFile: nil)
        #expect(settings.inbox == "/var/lib/stickerd/inbox")
        #expect(settings.state == "/var/lib/stickerd")
    }

    @Test func `Every key can be set by the environment`() throws {
        let values = [
            "pack.publisher": "Zoë", "pack.identifier": "org.cats", "sticker.outline.color": "none",
            "sticker.keepStem": "false", "colors.export": "css:ase", "gallery.baseUrl": "https://example.org/s",
            "imessage.size": "Large", "watch.settleSeconds": "0.5", "watch.ignore": "*.bak:a b:default",
            "limits.secondsPerPhoto": "1.5", "limits.minFreeBytes": "5", "log.level": "debug",
        ]
        let environment = try SettingKey.all.map { key in
            (key.environmentName, try values[key.name] ?? Self.exampleText(of: key))
        }
        let settings = try fixture.load(environment: Dictionary(uniqueKeysWithValues: environment))
        #expect(settings.sources.count == SettingKey.all.count)
        #expect(settings.pack.identifier == "org.cats")
        #expect(settings.pack.publisher == "Zoë")
        #expect(settings.sticker.outlineColor == nil)
        #expect(!settings.processing.keepStem)
        #expect(settings.pack.paletteFormats == [.css, .ase])
        #expect(settings.gallery.baseURL == "https://example.org/s")
        #expect("\(settings.imessageSize)" == "large")
        #expect(settings.watch.settleSeconds == 0.5)
        #expect(settings.watch.ignorePatterns == ["*.bak", "a b"] + IgnoredNames.usual)
        #expect(settings.processing(nil).timePerPhoto == .seconds(1.5))
        #expect(settings.processing(nil).minFreeBytes == 5 && settings.packs.minFreeBytes == 5)
        #expect(settings.logLevel == .debug)
    }

    /// The default, as it is written in the environment.
    private static func exampleText(of key: SettingKey) throws -> String {
        let example = try JSONParser.parse(Array(SettingsDocuments.example().utf8))
        func text(_ value: JSONValue?) -> String {
            switch value {
            case .list(let values): values.map(text).joined(separator: ":")
            case .text(let text): text
            default: value?.description ?? ""
            }
        }
        return text(key.name.split(separator: ".").reduce(example) { $0?[String($1)] })
    }

    @Test func `Relative folders start at the file's folder, the home folder or the working directory`() throws {
        let settings = try fixture.load(
            #"{"inbox": "photos/in", "outbox": "~/out"}"#, environment: ["HOME": "/home/zoe"],
            arguments: SettingsOverrides(state: "memory"))
        #expect(settings.inbox == fixture.folder["photos/in"])
        #expect(settings.outbox == "/home/zoe/out")
        #expect(settings.state.isAbsolute)
        #expect(settings.state.lastComponent == "memory")
        #expect(!settings.state.string.hasPrefix(fixture.folder.path.string))
    }

    @Test(arguments: [
        ("#FFAA00", "#ffaa00"), ("#f00", "#ff0000"), ("#F0a", "#ff00aa"), ("red", "#ff0000"),
        ("Rebeccapurple", "#663399"),
        ("grey", "#808080"), ("cyan", "#00ffff"), ("None", nil),
    ])
    func `Colors may be short or have CSS names`(text: String, color: String?) throws {
        let settings = try fixture.load(#"{"sticker": {"outline": {"color": "\#(text)"}}}"#)
        #expect(settings.sticker.outlineColor?.description == color)
    }

    @Test func `Upper and lower case are the same in names of values`() throws {
        let settings = try fixture.load(
            #"{"sticker": {"format": "WebP", "outline": {"width": "Auto"}}, "colors": {"export": ["CSS", "Gpl"]}, "#
                + #""whenPhotoRemoved": "KEEP"}"#, environment: ["STICKERD_GALLERY_ENABLED": "No"])
        #expect("\(settings.format)" == "webp")
        #expect(settings.outlineWidth == nil)
        #expect(settings.pack.paletteFormats == [.css, .gpl])
        #expect("\(settings.whenPhotoRemoved)" == "keep")
        #expect(!settings.hasGallery)
    }
}
