import Inbox
import PackFacts
import Packs
import PhotoColors
import SystemPackage

/// One setting's key: its name, its default, the values it accepts, what it does, and its property in `Settings`.
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
    /// Stores the default. Those of folders depend on the user (`DefaultFolders`), and stay as they are.
    let reset: @Sendable (inout Settings) -> Void
    /// The value as it is written in a file.
    let value: @Sendable (Settings) -> OrderedJSON
    let isSame: @Sendable (Settings, Settings) -> Bool
    let copy: @Sendable (Settings, inout Settings) -> Void

    private init<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, _ usual: Value?, _ shape: SettingShape, reloads: Bool = true,
        _ explanation: String,
        read: @escaping @Sendable (Value) -> OrderedJSON, convert: @escaping @Sendable (JSONValue) -> Value?
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
        reset = { settings in if let usual { settings[keyPath: path] = usual } }
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
        Self(name, path, nil, .folder, reloads: false, explanation, read: { .string($0.string) }) {
            $0.text.map { FilePath($0) }
        }
    }

    /// An empty text is nil, the default.
    static func file(_ name: String, _ path: Path<FilePath?>, _ explanation: String) -> Self {
        Self(name, path, .some(nil), .file, reloads: false, explanation, read: { .string($0?.string ?? "") }) {
            $0.text.map { $0.isEmpty ? nil : FilePath($0) }
        }
    }

    static func text(
        _ name: String, _ path: Path<String>, _ usual: String, length: ClosedRange<Int>, _ explanation: String
    ) -> Self {
        Self(name, path, usual, .text(length: length), explanation, read: { .string($0) }) { $0.text }
    }

    static func identifier(_ name: String, _ path: Path<String>, _ usual: String, _ explanation: String) -> Self {
        Self(name, path, usual, .identifier, explanation, read: { .string($0) }) { $0.text }
    }

    static func integer(
        _ name: String, _ path: Path<Int>, _ usual: Int, _ range: ClosedRange<Int>, reloads: Bool = true,
        _ explanation: String
    ) -> Self {
        Self(name, path, usual, .integer(range), reloads: reloads, explanation, read: { .number($0) }) {
            $0.number.flatMap { Int(exactly: $0) }
        }
    }

    /// `"auto"` is nil, the default.
    static func integerOrAuto(
        _ name: String, _ path: Path<Int?>, _ range: ClosedRange<Int>, _ explanation: String
    ) -> Self {
        Self(
            name, path, .some(nil), .integerOrAuto(range), explanation,
            read: { $0.map { .number($0) } ?? .string("auto") }
        ) { value in
            value.number.map { Int(exactly: $0) } ?? (value.text != nil ? .some(nil) : nil)
        }
    }

    static func seconds(
        _ name: String, _ path: Path<Double>, _ usual: Double, _ range: ClosedRange<Double>, _ explanation: String
    ) -> Self {
        Self(name, path, usual, .seconds(range), explanation, read: { .decimal($0) }) { $0.number }
    }

    static func seconds(
        _ name: String, _ path: Path<Duration>, _ usual: Duration, _ range: ClosedRange<Double>, _ explanation: String
    ) -> Self {
        Self(name, path, usual, .seconds(range), explanation, read: { .decimal($0 / .seconds(1)) }) {
            $0.number.map { .seconds($0) }
        }
    }

    static func fraction(_ name: String, _ path: Path<Double>, _ usual: Double, _ explanation: String) -> Self {
        Self(name, path, usual, .fraction, explanation, read: { .decimal($0) }) { $0.number }
    }

    static func flag(_ name: String, _ path: Path<Bool>, _ usual: Bool, _ explanation: String) -> Self {
        Self(name, path, usual, .flag, explanation, read: { .bool($0) }) { $0.flag }
    }

    static func choice<Value>(
        _ name: String, _ path: Path<Value>, _ usual: Value, reloads: Bool = true, _ explanation: String
    ) -> Self where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
        let shape = SettingShape.choice(Value.allCases.map(\.rawValue))
        return Self(name, path, usual, shape, reloads: reloads, explanation, read: { .string($0.rawValue) }) { value in
            value.text.flatMap(spelled)
        }
    }

    /// The value of this name, in upper or lower case.
    private static func spelled<Value>(_ name: String) -> Value? where Value: RawRepresentable<String> & CaseIterable {
        Value.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }

    /// By default none.
    static func choices<Value>(_ name: String, _ path: Path<[Value]>, _ explanation: String) -> Self
    where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
        Self(
            name, path, [], .choices(Value.allCases.map(\.rawValue)), explanation,
            read: { .strings($0.map(\.rawValue)) }
        ) { value in
            value.list?.compactMap { $0.text.flatMap(spelled) }
        }
    }

    /// By default none.
    static func emoji(_ name: String, _ path: Path<[Emoji]>, _ explanation: String) -> Self {
        Self(name, path, [], .emoji, explanation, read: { .strings($0.map(\.text)) }) { value in
            value.list?.compactMap { $0.text.flatMap { Emoji(typed: $0) } }
        }
    }

    /// An empty text is nil, the default.
    static func webAddress(_ name: String, _ path: Path<String?>, _ explanation: String) -> Self {
        Self(name, path, .some(nil), .webAddress, explanation, read: { .string($0 ?? "") }) {
            $0.text.map { $0.isEmpty ? nil : $0 }
        }
    }

    /// `"none"` is nil.
    static func color(_ name: String, _ path: Path<HexColor?>, _ usual: HexColor, _ explanation: String) -> Self {
        Self(name, path, usual, .color, explanation, read: { .string($0?.description ?? "none") }) { value in
            value.text.map { HexColor(css: $0) }
        }
    }

    /// The word for the usual patterns stands for each of them.
    static func globs(_ name: String, _ path: Path<[String]>, _ usual: [String], _ explanation: String) -> Self {
        Self(name, path, usual, .globs, explanation, read: { .strings($0) }) {
            $0.list?.compactMap(\.text)
                .flatMap { $0.lowercased() == IgnoredNames.usualName ? IgnoredNames.usual : [$0] }
        }
    }
}

extension SettingKey {
    /// All keys, in the order of `stickerd settings`. This list is the basis of files, environment, suggestions,
    /// reloads, the example and the schema.
    package static let all = folders + pack + sticker + photos + process

    static let named: [String: SettingKey] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Whether keys exist below this name: true for `sticker` and `sticker.outline`.
    static func isGroup(_ name: String) -> Bool { groups[name] != nil }
}

extension OrderedJSON {
    /// Whole numbers without a fraction.
    static func decimal(_ number: Double) -> OrderedJSON {
        Int(exactly: number).map { .number($0) } ?? .encoded(Array("\(number)".utf8))
    }
}
