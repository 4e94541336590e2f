import Inbox
import PackFacts
import Packs
import PhotoColors

/// The values that a key accepts. `description` completes "sticker.size must be …".
package enum SettingShape: Sendable, Equatable {
    case folder
    /// May be empty.
    case file
    /// Length in Unicode scalars; no control characters.
    case text(length: ClosedRange<Int>)
    case identifier
    case integer(ClosedRange<Int>)
    /// An integer in this range, or the text `auto`.
    case integerOrAuto(ClosedRange<Int>)
    case seconds(ClosedRange<Double>)
    /// 0…1.
    case fraction
    case flag
    /// One of them, in upper or lower case.
    case choice([String])
    /// Any of them, none twice.
    case choices([String])
    /// At most `Emoji.maxListed`, none twice.
    case emoji
    /// May be empty.
    case webAddress
    case color
    case globs

    static let maximumGlobs = 256
    /// NAME_MAX: a longer pattern without a wildcard cannot match a name.
    static let maximumGlobBytes = 255

    func admits(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.folder, .text(let text)): !text.isEmpty && !text.utf8.contains(0)
        case (.file, .text(let text)): !text.utf8.contains(0)
        case (.text(let length), .text(let text)):
            length.contains(text.unicodeScalars.count)
                && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        case (.identifier, .text(let text)): Self.isIdentifier(text)
        case (.integerOrAuto, .text(let text)): text.lowercased() == "auto"
        case (.integer(let range), .number(let number)), (.integerOrAuto(let range), .number(let number)):
            Int(exactly: number).map(range.contains) ?? false
        case (.seconds(let range), .number(let number)): range.contains(number)
        case (.fraction, .number(let number)): (0...1).contains(number)
        case (.flag, .flag): true
        case (.choice(let choices), .text(let text)): choices.contains { $0.lowercased() == text.lowercased() }
        case (.choices(let choices), .list(let list)):
            list.allSatisfy { Self.choice(choices).admits($0) }
                && Set(list.compactMap { $0.text?.lowercased() }).count == list.count
        case (.emoji, .list(let list)): list.count <= Emoji.maxListed && Self.areEmoji(list)
        case (.webAddress, .text(let text)): text.isEmpty || Self.isWebAddress(text)
        case (.color, .text(let text)): text.lowercased() == "none" || HexColor(css: text) != nil
        case (.globs, .list(let list)): list.count <= Self.maximumGlobs && list.allSatisfy { Self.isGlob($0) }
        default: false
        }
    }

    /// What `admits` rejects: the first invalid item of a list, or else all of `value`.
    func invalidPart(of value: JSONValue) -> JSONValue {
        let list = value.list ?? []
        return switch self {
        case .choices(let choices): list.first { !Self.choice(choices).admits($0) } ?? value
        case .globs: list.first { !Self.isGlob($0) } ?? value
        default: value
        }
    }

    /// The choice that the first invalid one of a list most likely stands for.
    func nearest(to value: JSONValue) -> String? {
        guard case .choices(let choices) = self else { return nil }
        return invalidPart(of: value).text.flatMap { NearestName.of($0, among: choices) }
    }

    /// The value of an environment variable. Text that does not parse stays text, which `admits` rejects. Lists are
    /// separated by colons, as in `PATH`.
    func value(of text: String) -> JSONValue {
        switch self {
        case .folder, .file, .text, .identifier, .choice, .webAddress, .color: .text(text)
        case .integer, .integerOrAuto, .seconds, .fraction: Double(text).map { .number($0) } ?? .text(text)
        case .flag: Self.flags[text.lowercased()].map { .flag($0) } ?? .text(text)
        case .choices, .emoji, .globs: .list(text.split(separator: ":").map { .text(String($0)) })
        }
    }

    private static let flags = [
        "true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false, "0": false,
    ]

    private static func isIdentifier(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\-]{0,127}/) != nil
    }

    private static func areEmoji(_ list: [JSONValue]) -> Bool {
        let emoji = list.compactMap { $0.text.flatMap { Emoji(typed: $0) } }
        return emoji.count == list.count && Set(emoji).count == list.count
    }

    private static func isWebAddress(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.utf8.count <= 2048 else {
            return false
        }
        return text.utf8.count > scheme.utf8.count
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && $0.value > 0x20 && !"\"<>\\^`{|}?#".unicodeScalars.contains($0)
            }
    }

    private static func isGlob(_ value: JSONValue) -> Bool {
        guard let text = value.text, !["!", "!" + IgnoredNames.usualName].contains(text.lowercased()) else {
            return false
        }
        return (1...maximumGlobBytes).contains(text.utf8.count)
            && !text.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
}

extension SettingShape: CustomStringConvertible {
    package var description: String {
        switch self {
        case .folder: "the path of a folder"
        case .file: "the path of a file, or empty"
        case .text(let length):
            "text of \(length.lowerBound) to \(length.upperBound) characters without control characters"
        case .identifier:
            "1 to 128 letters, digits, dots, hyphens and underscores, beginning with a letter or digit"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .integerOrAuto(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound), or \"auto\""
        case .seconds(let range):
            "a number of seconds from \(JSONValue.number(range.lowerBound)) to \(JSONValue.number(range.upperBound))"
        case .fraction: "a number from 0 to 1"
        case .flag: "true or false"
        case .choice(let choices): choices.map { $0.quoted }.joined(separator: " or ")
        case .choices(let choices): "a list of \(choices.map { $0.quoted }.joined(separator: ", ")), without duplicates"
        case .emoji: "a list of at most \(Emoji.maxListed) emoji like \"🐱\", each a separate item, without duplicates"
        case .webAddress: "a web address like \"https://example.org/stickers\", or empty"
        case .color: "a color like \"#ffffff\", \"#fff\" or \"white\", or \"none\""
        case .globs: "a list of at most \(Self.maximumGlobs) name patterns like \"*.tmp\", without slashes"
        }
    }
}
