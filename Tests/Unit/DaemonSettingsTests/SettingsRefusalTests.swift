import DaemonSettings
import Foundation
import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite struct SettingsRefusalTests {
    let fixture = SettingsFixture()

    @Test("A path that is not UTF-8 is an error, because as text it would lead to another folder")
    func bytes() throws {
        let odd = fixture.folder.path.appending(bytes: Array("caf".utf8) + [0xE9])
        try FolderTree.make(at: odd)
        let file = odd.appending("config.json")
        try OwnedDescriptor(opening: file, .readWrite, options: .create).write(Array(#"{"inbox": "in"}"#.utf8))
        let refusal = #expect(throws: SettingsError.self) {
            try Settings.load(arguments: .init(), environment: [:], configFile: file)
        }
        #expect(refusal?.description.contains("whose name must be UTF-8; give an absolute path") == true)
        for name in ["HOME", "STICKERD_INBOX"] {
            #expect(try fixture.refusal(environment: [name: "/caf\u{FFFD}"]).contains("\(name): must be UTF-8"))
        }
    }

    @Test(arguments: [
        (#"{"sticker": {"sise": 512}}"#, #"config.json:1: unknown key "sticker.sise"; did you mean "sticker.size"?"#),
        (#"{"stickers": {"size": 512}}"#, #"config.json:1: unknown key "stickers.size"; did you mean "sticker.size"?"#),
        ("{\n\n\"Inbox\": \"/a\"}", #"config.json:3: unknown key "Inbox"; did you mean "inbox"?"#),
        (#"{"outline": {"width": 1}}"#, #"unknown key "outline.width"; did you mean "sticker.outline.width"?"#),
        (#"{"colour": {"count": 5}}"#, #"unknown key "colour.count"; did you mean "colors.count"?"#),
        (#"{"pack": {"nmae": ""}}"#, #"unknown key "pack.nmae"; did you mean "pack.name"?"#),
        (#"{"wallpaper": true}"#, #"config.json:1: unknown key "wallpaper""#),
        (#"{"wallpaper": {}}"#, #"config.json:1: unknown key "wallpaper""#),
        (#"{"forged\nline": 1}"#, #"config.json:1: unknown key "forged\nline""#),
        (#"{"sticker.size": 512}"#, #""sticker.size" must be written as nested objects, split at each dot"#),
        (#"{"sticker": 512}"#, "sticker must be an object with keys of its own, not 512"),
        (#"{"workers": 1, "workers": 1}"#, #"config.json:1: duplicate key "workers""#),
        (#"{"log": {}, "log": {}}"#, #"config.json:1: duplicate key "log""#),
        (#"{"sticker": {"size": "512"}}"#, #"sticker.size must be a whole number from 96 to 2048, not "512""#),
        (#"{"sticker": {"size": 512.5}}"#, "sticker.size must be a whole number from 96 to 2048, not 512.5"),
        (#"{"sticker": {"size": 95}}"#, "sticker.size must be a whole number from 96 to 2048, not 95"),
        (#"{"sticker": {"size": 1e99}}"#, "sticker.size must be a whole number from 96 to 2048, not 1e+99"),
        (#"{"sticker": {"size": null}}"#, "sticker.size must be a whole number from 96 to 2048, not null"),
        (#"{"sticker": {"size": {"px": 1}}}"#, "sticker.size must be a whole number from 96 to 2048, not an object"),
        (#"{"sticker": {"format": "gif"}}"#, #"sticker.format must be "png" or "webp", not "gif""#),
        (#"{"sticker": {"shadow": {"opacity": 1.5}}}"#, "sticker.shadow.opacity must be a number from 0 to 1"),
        (
            #"{"sticker": {"outline": {"color": "whitish"}}}"#,
            ##"must be a color like "#ffffff", "#fff" or "white", or "none", not "whitish""##
        ),
        (##"{"sticker": {"outline": {"color": "#fffff"}}}"##, ##"or "none", not "#fffff""##),
        (
            #"{"sticker": {"size": 96, "padding": 24}}"#,
            "sticker.shadow and sticker.padding together leave less than half"
        ),
        (#"{"sticker": {"keepStem": 1}}"#, "sticker.keepStem must be true or false, not 1"),
        (#"{"colors": {"count": 2}}"#, "colors.count must be a whole number from 3 to 10, not 2"),
        (#"{"colors": {"count": 11}}"#, "colors.count must be a whole number from 3 to 10, not 11"),
        (#"{"watch": {"settleSeconds": 0}}"#, "must be a number of seconds from 0.1 to 3600, not 0"),
        (
            #"{"watch": {"ignore": "*.tmp"}}"#,
            #"a list of at most 256 name patterns like "*.tmp", without slashes, not "*.tmp""#
        ),
        (#"{"watch": {"ignore": ["a/b"]}}"#, #"without slashes, not "a/b""#),
        (#"{"watch": {"ignore": ["a", ""]}}"#, #"without slashes, not """#),
        (#"{"limits": {"maxPixels": 0}}"#, "limits.maxPixels must be a whole number from 1 to 10000000000, not 0"),
        (#"{"pack": {"name": ""}}"#, #"pack.name must be text of 1 to 128 characters"#),
        (#"{"pack": {"publisher": "a\tb"}}"#, #"without control characters, not "a\tb""#),
        (#"{"pack": {"identifier": "../up"}}"#, #"pack.identifier must be 1 to 128 letters, digits"#),
        (#"{"pack": {"emoji": "🐱"}}"#, #"pack.emoji must be a list of at most 20 emoji like "🐱""#),
        (#"{"pack": {"emoji": ["cat"]}}"#, #"each a separate item, without duplicates, not ["cat"]"#),
        (#"{"pack": {"emoji": ["🐱🐶"]}}"#, #"not ["🐱🐶"]"#), (#"{"pack": {"emoji": ["🐱", "🐱"]}}"#, #"not ["🐱", "🐱"]"#),
        (#"{"pack": {"emoji": ["1"]}}"#, #"not ["1"]"#), (#"{"pack": {"emoji": [1]}}"#, "not [1]"),
        (#"{"pack": {"emoji": ["❤", "❤️"]}}"#, "without duplicates"),
        (#"{"workers": -1}"#, "workers must be a whole number from 0 to 256, not -1"),
        (#"{"log": {"level": "loud"}}"#, #"log.level must be "trace" or "debug" or "info" or "#),
        (#"{"inbox": ""}"#, #"inbox must be the path of a folder, not """#),
        (#"{"inbox": "a\u0000b"}"#, #"inbox must be the path of a folder, not "a\0b""#),
        (#"[1, 2]"#, "config.json:1: must be a JSON object, not [1, 2]"),
        ("{\n  \"workers\": 1,\n}", "config.json:3: invalid JSON at column 1: expected a key in double quotes"),
        ("", "config.json:1: invalid JSON at column 1: expected a value"),
    ])
    func `An error in the file names the key`(json: String, expected: String) throws {
        let refusal = try fixture.refusal(json)
        #expect(refusal.contains(expected))
        #expect(refusal.hasPrefix("config.json:"))
        #expect(!refusal.contains("\n"))
    }

    @Test(arguments: [
        (
            "STICKERD_COLORS_COUNT", "12",
            "STICKERD_COLORS_COUNT: colors.count must be a whole number from 3 to 10, not 12"
        ),
        ("STICKERD_COLORS_COUNT", "", #"not """#), ("STICKERD_WORKERS", "nan", "not nan"),
        ("STICKERD_STICKER_KEEP_STEM", "maybe", #"sticker.keepStem must be true or false, not "maybe""#),
        ("STICKERD_INBOX", "", "STICKERD_INBOX: inbox must be the path of a folder"),
        ("STICKERD_EXPORTS", #"["line"]"#, #"not "[\"line\"]"; separate items with colons, without brackets"#),
        ("STICKERD_EXPORTS", "foo", #"not "foo""#),
    ])
    func `An error in the environment names the variable`(name: String, text: String, expected: String) throws {
        let refusal = try fixture.refusal(environment: [name: text])
        #expect(refusal.contains(expected))
        #expect(refusal.contains("colons") == expected.contains("colons"))
    }

    @Test func `An unknown variable is no error, and is named with the nearest setting`() throws {
        let environment = ["STICKERD_COLOR_COUNT": "5", "STICKERD_PORT": "tcp://10.0.0.1:80", "STICKERD_WORKERS": "1"]
        #expect(try fixture.load(environment: environment).workers == 1)
        #expect(
            Settings.unknownVariables(in: environment).map(\.description) == [
                #"STICKERD_COLOR_COUNT: unknown setting; it has no effect; did you mean "STICKERD_COLORS_COUNT"?"#,
                "STICKERD_PORT: unknown setting; it has no effect",
            ])
    }

    @Test func `A byte-order mark before the settings is no error`() throws {
        #expect(try fixture.load("\u{FEFF}{\"workers\": 3}").workers == 3)
    }

    @Test func `All errors are reported at once, one line each`() throws {
        let lines = try fixture.refusal(
            "{\n\"colors\": {\"count\": 1},\n\"x\": 0}", environment: ["STICKERD_WORKERS": "many"],
            arguments: SettingsOverrides(inbox: "/srv/a", outbox: "/srv/a/b"))
        #expect(
            lines.split(separator: "\n") == [
                "config.json:2: colors.count must be a whole number from 3 to 10, not 1",
                #"config.json:3: unknown key "x""#,
                #"STICKERD_WORKERS: workers must be a whole number from 0 to 256, not "many""#,
                #"--outbox: outbox "/srv/a/b" lies inside inbox "/srv/a""#,
            ])
    }

    @Test func `An invalid value is an error even if another source overrides it`() throws {
        let refusal = try fixture.refusal(#"{"workers": "x"}"#, environment: ["STICKERD_WORKERS": "1"])
        #expect(refusal.hasPrefix("config.json:1: workers must be"))
    }

    @Test func `A file given by flag must exist`() throws {
        let error = #expect(throws: SettingsError.self) {
            try Settings.load(arguments: .init(), environment: [:], configFile: fixture.file)
        }
        #expect(
            error.map { fixture.relative($0.description) } == "config.json: cannot be read: No such file or directory")
    }

    @Test func `A folder or a huge file is not a settings file`() throws {
        #expect(throws: SettingsError.self) {
            try Settings.load(arguments: .init(), environment: [:], configFile: fixture.folder.path)
        }
        let endless = #expect(throws: SettingsError.self) {
            try Settings.load(arguments: .init(), environment: [:], configFile: "/dev/zero")
        }
        #expect(endless?.description == "/dev/zero: larger than 1048576 bytes")
    }

    @Test(.timeLimit(.minutes(1))) func `A FIFO without a writer is empty, and a pipe is read to its end`() throws {
        try fixture.folder.makeFIFO("config.json")
        let error = #expect(throws: SettingsError.self) {
            try Settings.load(arguments: .init(), environment: [:], configFile: fixture.file)
        }
        #expect(error?.description.hasSuffix("invalid JSON at column 1: expected a value") == true)
        let pipe = Pipe()
        Thread.detachNewThread {
            // More than the pipe holds.
            pipe.fileHandleForWriting.write(Data(String(repeating: " ", count: 1 << 18).utf8))
            pipe.fileHandleForWriting.write(Data(#"{"workers": 3}"#.utf8))
            try? pipe.fileHandleForWriting.close()
        }
        let file = FilePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        #expect(try Settings.load(arguments: .init(), environment: [:], configFile: file).workers == 3)
    }
}
