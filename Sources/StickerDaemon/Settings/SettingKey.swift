import Logging
import SystemPackage

/// One key people can set: its name, what it accepts, and where in `Settings` its value goes.
package struct SettingKey: Sendable {
    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// Dotted: `sticker.outline.width`.
    package let name: String
    package let shape: SettingShape
    /// Whether a running daemon takes over a new value; the others wait for a restart.
    package let reloads: Bool

    /// Stores the value; false, with nothing stored, when `shape` does not admit it.
    let assign: @Sendable (JSONValue, inout Settings) -> Bool
    let isSame: @Sendable (Settings, Settings) -> Bool
    let copy: @Sendable (Settings, inout Settings) -> Void

    private init<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, _ shape: SettingShape, reloads: Bool,
        convert: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.name = name
        self.shape = shape
        self.reloads = reloads
        assign = { value, settings in
            guard shape.admits(value), let converted = convert(value) else { return false }
            settings[keyPath: path] = converted
            return true
        }
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

    /// What every environment variable of the daemon's own begins with.
    package static let environmentPrefix = "STICKERD_"

    static func folder(_ name: String, _ path: Path<FilePath>) -> Self {
        Self(name, path, .folder, reloads: false) { $0.text.map { FilePath($0) } }
    }

    /// An empty text is nil.
    static func file(_ name: String, _ path: Path<FilePath?>) -> Self {
        Self(name, path, .file, reloads: false) { $0.text.map { $0.isEmpty ? nil : FilePath($0) } }
    }

    static func text(_ name: String, _ path: Path<String>, length: ClosedRange<Int>) -> Self {
        Self(name, path, .text(length: length), reloads: true) { $0.text }
    }

    static func identifier(_ name: String, _ path: Path<String>) -> Self {
        Self(name, path, .identifier, reloads: true) { $0.text }
    }

    static func integer(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, reloads: Bool = true
    ) -> Self {
        Self(name, path, .integer(range), reloads: reloads) { $0.number.flatMap { Int(exactly: $0) } }
    }

    /// `"auto"` is nil.
    static func integerOrAuto(_ name: String, _ path: Path<Int?>, _ range: ClosedRange<Int>) -> Self {
        Self(name, path, .integerOrAuto(range), reloads: true) { value in
            value.number.map { Int(exactly: $0) } ?? (value.text == "auto" ? .some(nil) : nil)
        }
    }

    static func seconds(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, reloads: Bool = true
    ) -> Self {
        Self(name, path, .seconds(range), reloads: reloads) { $0.number }
    }

    static func fraction(_ name: String, _ path: Path<Double>) -> Self {
        Self(name, path, .fraction, reloads: true) { $0.number }
    }

    static func flag(_ name: String, _ path: Path<Bool>, reloads: Bool = true) -> Self {
        Self(name, path, .flag, reloads: reloads) { $0.flag }
    }

    static func choice<Value>(_ name: String, _ path: Path<Value>, reloads: Bool = true) -> Self
    where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
        Self(name, path, .choice(Value.allCases.map(\.rawValue)), reloads: reloads) { value in
            value.text.flatMap { Value(rawValue: $0) }
        }
    }

    static func choices<Value>(_ name: String, _ path: Path<[Value]>) -> Self
    where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
        Self(name, path, .choices(Value.allCases.map(\.rawValue)), reloads: true) { value in
            value.list?.compactMap { $0.text.flatMap { Value(rawValue: $0) } }
        }
    }

    static func webAddress(_ name: String, _ path: Path<String>) -> Self {
        Self(name, path, .webAddress, reloads: true) { $0.text }
    }

    static func color(_ name: String, _ path: Path<String?>) -> Self {
        Self(name, path, .color, reloads: true) { value in
            value.text.map { $0 == "none" ? String?.none : $0.lowercased() }
        }
    }

    static func globs(_ name: String, _ path: Path<[String]>) -> Self {
        Self(name, path, .globs, reloads: true) { $0.list?.compactMap(\.text) }
    }
}
