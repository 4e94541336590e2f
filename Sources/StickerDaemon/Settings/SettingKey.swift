import Logging
import PhotoColors
import StickerPipeline
import SystemPackage

/// One setting's key: its name, the values it accepts, and its property in `Settings`.
package struct SettingKey: Sendable {
    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// Dotted: `sticker.outline.width`.
    package let name: String
    package let shape: SettingShape
    /// What the setting does, in whole sentences, for the schema.
    package let explanation: String
    /// Whether a reload applies a new value; other keys require a restart.
    package let reloads: Bool

    /// Stores the value; returns false and stores nothing if `shape` does not admit it.
    let assign: @Sendable (JSONValue, inout Settings) -> Bool
    /// The value as written in the file.
    let value: @Sendable (Settings) -> JSONValue
    let isSame: @Sendable (Settings, Settings) -> Bool
    let copy: @Sendable (Settings, inout Settings) -> Void

    private init<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, _ shape: SettingShape, reloads: Bool, _ explanation: String,
        read: @escaping @Sendable (Value) -> JSONValue, convert: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.name = name
        self.shape = shape
        self.explanation = explanation
        self.reloads = reloads
        assign = { value, settings in
            guard shape.admits(value), let converted = convert(value) else { return false }
            settings[keyPath: path] = converted
            return true
        }
        value = { read($0[keyPath: path]) }
        isSame = { $0[keyPath: path] == $1[keyPath: path] }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    /// `STICKERD_WATCH_SETTLE_SECONDS` for `watch.settleSeconds`.
    package var environmentName: String {
        var result = Self.environmentPrefix
        for character in name {
            if character.isUppercase { result += "_" }
            result += character == "." ? "_" : character.uppercased()
        }
        return result
    }

    /// The prefix of the daemon's environment variables.
    package static let environmentPrefix = "STICKERD_"

    static func folder(_ name: String, _ path: Path<FilePath>, _ explanation: String) -> Self {
        Self(name, path, .folder, reloads: false, explanation, read: { .text($0.string) }) {
            $0.text.map { FilePath($0) }
        }
    }

    /// An empty text is nil.
    static func file(_ name: String, _ path: Path<FilePath?>, _ explanation: String) -> Self {
        Self(name, path, .file, reloads: false, explanation, read: { .text($0?.string ?? "") }) {
            $0.text.map { $0.isEmpty ? nil : FilePath($0) }
        }
    }

    static func text(
        _ name: String, _ path: Path<String>, length: ClosedRange<Int>, _ explanation: String
    ) -> Self {
        Self(name, path, .text(length: length), reloads: true, explanation, read: { .text($0) }) { $0.text }
    }

    static func identifier(_ name: String, _ path: Path<String>, _ explanation: String) -> Self {
        Self(name, path, .identifier, reloads: true, explanation, read: { .text($0) }) { $0.text }
    }

    static func integer(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, reloads: Bool = true, _ explanation: String
    ) -> Self {
        Self(name, path, .integer(range), reloads: reloads, explanation, read: { .number(Double($0)) }) {
            $0.number.flatMap { Int(exactly: $0) }
        }
    }

    /// `"auto"` is nil.
    static func integerOrAuto(
        _ name: String, _ path: Path<Int?>, _ range: ClosedRange<Int>, _ explanation: String
    ) -> Self {
        Self(
            name, path, .integerOrAuto(range), reloads: true, explanation,
            read: { $0.map { .number(Double($0)) } ?? .text("auto") }
        ) { value in
            value.number.map { Int(exactly: $0) } ?? (value.text != nil ? .some(nil) : nil)
        }
    }

    static func seconds(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ explanation: String
    ) -> Self {
        Self(name, path, .seconds(range), reloads: true, explanation, read: { .number($0) }) { $0.number }
    }

    static func fraction(_ name: String, _ path: Path<Double>, _ explanation: String) -> Self {
        Self(name, path, .fraction, reloads: true, explanation, read: { .number($0) }) { $0.number }
    }

    static func flag(_ name: String, _ path: Path<Bool>, _ explanation: String) -> Self {
        Self(name, path, .flag, reloads: true, explanation, read: { .flag($0) }) { $0.flag }
    }

    static func choice<Value>(
        _ name: String, _ path: Path<Value>, reloads: Bool = true, _ explanation: String
    ) -> Self where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
        let shape = SettingShape.choice(Value.allCases.map(\.rawValue))
        return Self(name, path, shape, reloads: reloads, explanation, read: { .text($0.rawValue) }) { value in
            value.text.flatMap(spelled)
        }
    }

    /// The value of this name, in upper or lower case.
    private static func spelled<Value>(_ name: String) -> Value? where Value: RawRepresentable<String> & CaseIterable {
        Value.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }

    static func choices<Value>(_ name: String, _ path: Path<[Value]>, _ explanation: String) -> Self
    where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
        Self(
            name, path, .choices(Value.allCases.map(\.rawValue)), reloads: true, explanation,
            read: { .list($0.map { .text($0.rawValue) }) }
        ) { value in
            value.list?.compactMap { $0.text.flatMap(spelled) }
        }
    }

    static func emoji(_ name: String, _ path: Path<[Emoji]>, _ explanation: String) -> Self {
        Self(
            name, path, .emoji, reloads: true, explanation, read: { .list($0.map { .text($0.text) }) }
        ) { value in
            value.list?.compactMap { $0.text.flatMap { Emoji(typed: $0) } }
        }
    }

    static func webAddress(_ name: String, _ path: Path<String>, _ explanation: String) -> Self {
        Self(name, path, .webAddress, reloads: true, explanation, read: { .text($0) }) { $0.text }
    }

    /// `"none"` is nil.
    static func color(_ name: String, _ path: Path<String?>, _ explanation: String) -> Self {
        Self(name, path, .color, reloads: true, explanation, read: { .text($0 ?? "none") }) { value in
            value.text.map { HexColor(css: $0)?.description }
        }
    }

    static func globs(_ name: String, _ path: Path<[String]>, _ explanation: String) -> Self {
        Self(name, path, .globs, reloads: true, explanation, read: { .list($0.map { .text($0) }) }) {
            $0.list?.compactMap(\.text)
        }
    }
}

extension SettingKey {
    /// All keys, in the order of `config.example.json`. This list is the basis of files, environment, suggestions,
    /// reloads, the example and the schema.
    package static let all = folders + pack + sticker + photos + process

    private static let folders: [SettingKey] = [
        .folder(
            "inbox", \.inbox,
            """
            The folder for incoming photos; only read unless originals.mode says otherwise. A relative path starts \
            at the folder of this file, ~/ at the user's home. Default: inbox in systemd's state directory, or \
            else in ~/.local/share/stickerd.
            """),
        .folder(
            "outbox", \.outbox,
            """
            The folder for stickers, packs and the gallery; inbox and outbox must not contain each other. Default: \
            outbox next to the inbox.
            """),
        .folder(
            "state", \.state,
            """
            The folder of the Library, the database of all photos; must not be inside inbox or outbox. Default: systemd's \
            state directory, or else ~/.local/state/stickerd.
            """),
        .file(
            "model", \.model,
            """
            The file of a network to find subjects with, converted from ONNX with Training/convert.py; empty for the \
            built-in network. A relative path starts at the folder of this file, ~/ at the user's home.
            """),
    ]

    /// What each group of keys configures, by the group's name.
    static let groups: [String: String] = [
        "pack": "Name, identifier, publisher and emoji, as written to pack.json.",
        "sticker": "The look and file name of stickers.",
        "sticker.outline": "The die-cut edge around the subject.",
        "sticker.shadow": "A soft shadow under the sticker.",
        "colors": "The colors extracted from each photo.",
        "gallery": "The page that shows a pack.",
        "imessage": "Options of the iMessage export.",
        "duplicates": "Near-duplicates: photos that look like an earlier one.",
        "watch": "How the inbox is watched.",
        "originals": "What happens to photos in the inbox when they are finished.",
        "history": "How long the history of photos that left the inbox is kept.",
        "limits": "Limits for each photo, which fails if it exceeds one; and the minimum free space.",
        "log": "The daemon's log.",
    ]

    static let named: [String: SettingKey] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Whether keys exist below this name: true for `sticker` and `sticker.outline`.
    static func isGroup(_ name: String) -> Bool { groups[name] != nil }
}
