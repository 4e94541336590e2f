import PackFacts

/// The book as a file:
///
///     {
///       "stickers": {
///         "Cat-1a2b3c4d.png": {"shortcode": "cat", "sets": {"whatsapp": 1}},
///         "Dog-5e6f7a8b.png": {"shortcode": "dog"}
///       }
///     }
extension NameBook {
    /// The most bytes that its file may have: enough for `maxStickers` in six exports with sets.
    package static let maxBytes = 128 << 20
    /// The highest number of a set, and of a sticker in it.
    package static let maxSet = 1_000_000
    /// The longest name of a file on Linux (`NAME_MAX`).
    private static let maxFileNameBytes = 255
    /// The longest name of an export.
    private static let maxExportNameBytes = 64

    /// Reads a file that users may have edited.
    ///
    /// - Throws: what is wrong with it, with the entry's name: a key that stickerd does not know, a shortcode that is
    ///   not valid or that two stickers have, a number out of range, or a book over its limits.
    package init(json: [UInt8]) throws(ExportRefusal) {
        guard json.count <= Self.maxBytes else {
            throw Self.problem("it has more than \(Self.maxBytes) bytes. Remove stickers that the pack no longer has.")
        }
        let file: JSONValue
        do throws(JSONSyntaxError) {
            file = try JSONParser.parse(json)
        } catch {
            throw Self.problem("it is not valid JSON: \(error.reason). See line \(error.line).")
        }
        guard let list = try Self.members(of: file, known: ["stickers"]).first else {
            throw Self.problem("it lacks “stickers”.")
        }
        let entries = try Self.members(of: list.value)
        guard entries.count <= Self.maxStickers else {
            throw Self.problem(
                "it has more than \(Self.maxStickers) stickers. Remove those that the pack no longer has.")
        }
        self.init()
        for entry in entries {
            stickers[entry.name] = try Self.entry(entry.value, at: [entry.name])
        }
        try check()
    }

    /// The same books are the same bytes. Each sticker has a line, in the order of their files' names.
    package var json: [UInt8] {
        let lines = stickers.sorted { $0.key < $1.key }.map { file, entry in
            var members: [(key: String, value: OrderedJSON)] = []
            if let shortcode = entry.shortcode { members.append(("shortcode", .string(shortcode))) }
            for (key, values) in [("sets", entry.sets), ("numbers", entry.numbers)] {
                guard let values else { continue }
                let numbers = values.sorted { $0.key < $1.key }
                    .map { (key: $0.key, value: OrderedJSON.number($0.value)) }
                members.append((key, .object(numbers)))
            }
            return (key: file, value: OrderedJSON.object(members))
        }
        return OrderedJSON.object([("stickers", .object(lines))]).bytes(.readable(levels: 2))
    }

    private static func entry(_ value: JSONValue, at path: [String]) throws(ExportRefusal) -> Entry {
        var entry = Entry()
        let known: Set = ["shortcode", "sets", "numbers"]
        for member in try members(of: value, at: path, known: known) where member.value != .null {
            let path = path + [member.name]
            switch member.name {
            case "sets": entry.sets = try numbers(member.value, at: path)
            case "numbers": entry.numbers = try numbers(member.value, at: path)
            default:
                guard let text = member.value.text else { throw wrongKind(path) }
                entry.shortcode = text
            }
        }
        return entry
    }

    private static func numbers(_ value: JSONValue, at path: [String]) throws(ExportRefusal) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for member in try members(of: value, at: path) {
            guard let number = member.value.number else { throw wrongKind(path + [member.name]) }
            // What is not a whole number becomes one that `check` refuses.
            numbers[member.name] = Int(exactly: number) ?? 0
        }
        return numbers
    }

    /// The members of an object. Writing the book would remove a key that it does not know, such as a misspelt one, and
    /// one of two that are the same: such keys are refused.
    ///
    /// - Parameters:
    ///   - path: the keys that lead to the object.
    ///   - known: nil for any.
    private static func members(
        of value: JSONValue, at path: [String] = [], known: Set<String>? = nil
    ) throws(ExportRefusal) -> [JSONValue.Member] {
        guard let members = value.members else { throw wrongKind(path) }
        var names: Set<String> = []
        for member in members {
            if let known, !known.contains(member.name) {
                throw problem(path + [member.name], "is not one of: \(known.sorted().joined(separator: ", ")).")
            }
            guard names.insert(member.name).inserted else {
                throw problem(path + [member.name], "is there twice, again in line \(member.line). Remove one of them.")
            }
        }
        return members
    }

    private func check() throws(ExportRefusal) {
        var owners: [String: String] = [:]
        // In order, so that the same book gives the same message.
        for (file, entry) in stickers.sorted(by: { $0.key < $1.key }) {
            guard !file.isEmpty, file.utf8.count <= Self.maxFileNameBytes else {
                throw Self.problem("“\(Self.shown(file))” is not a file's name. Remove this entry.")
            }
            for (key, values) in [("sets", entry.sets), ("numbers", entry.numbers)] {
                for (export, number) in values ?? [:] {
                    guard (1...Self.maxSet).contains(number), export.utf8.count <= Self.maxExportNameBytes else {
                        throw Self.problem(
                            "the \(key) of “\(Self.shown(file))” must be numbers from 1 to \(Self.maxSet).")
                    }
                }
            }
            guard let shortcode = entry.shortcode else { continue }
            guard Shortcode.isValid(shortcode) else {
                throw Self.problem(
                    """
                    the shortcode “\(Self.shown(shortcode))” of “\(Self.shown(file))” is not valid. Use \
                    \(Shortcode.minLength) to \(Shortcode.maxLength) of the characters a–z, 0–9 and _.
                    """)
            }
            if let owner = owners.updateValue(file, forKey: shortcode) {
                throw Self.problem(
                    """
                    “\(Self.shown(owner))” and “\(Self.shown(file))” have the same shortcode “\(shortcode)”. Give one \
                    of them another.
                    """)
            }
        }
    }

    private static func problem(_ sentence: String) -> ExportRefusal { ExportRefusal("\(fileName): \(sentence)") }

    private static func problem(_ path: [String], _ reason: String) -> ExportRefusal {
        problem((path.isEmpty ? "it" : path.map { "“\(shown($0))”" }.joined(separator: ", ")) + " \(reason)")
    }

    private static func wrongKind(_ path: [String]) -> ExportRefusal {
        problem(path, "has a value of the wrong kind.")
    }

    /// The start of an untrusted text, without control characters.
    private static func shown(_ text: String) -> String {
        let visible = text.unicodeScalars.prefix(80).map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(visible))
    }
}
