import Packs

/// `config.example.json` and `config.schema.json`, generated from the keys: `make install` writes them.
package enum SettingsDocuments {
    /// Where systemd keeps the state of the installed service.
    private static let stateFolder = "/var/lib/stickerd"
    /// Without this machine's settings file.
    private static let settings = Settings(folders: DefaultFolders(environment: ["STATE_DIRECTORY": stateFolder]))

    /// A settings file with every key at the installed service's default.
    package static func example() -> String {
        let values = SettingKey.all.map { (key: $0.name.split(separator: "."), value: $0.value(settings)) }
        return JSONValue.object([.init("$schema", .text("./config.schema.json"))] + nested(values[...]) { $1 })
            .formatted
    }

    /// The JSON Schema (draft 2020-12) of a settings file.
    package static func schema() -> String {
        let values = SettingKey.all.map { key in
            var members = [JSONValue.Member("description", .text(key.explanation))] + key.shape.schema
            // Folders depend on the user who runs the daemon.
            if key.shape != .folder { members.append(.init("default", key.value(settings))) }
            return (key: key.name.split(separator: "."), value: JSONValue.object(members))
        }
        let location = JSONValue.object([
            .init("description", .text("The location of this schema, for editors; it has no effect.")),
            .init("type", .text("string")),
        ])
        let properties = [JSONValue.Member("$schema", location)] + nested(values[...], group: group)
        return JSONValue.object(
            [
                .init("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
                .init("title", .text("stickerd settings")),
                .init(
                    "description",
                    .text(
                        """
                        Every key is optional. Command-line flags and environment variables (STICKERD_STICKER_SIZE for \
                        sticker.size) override this file.
                        """)),
            ] + object(properties)
        ).formatted
    }

    private static func group(_ name: String, _ members: JSONValue) -> JSONValue {
        .object([.init("description", .text(SettingKey.groups[name] ?? ""))] + object(members.members ?? []))
    }

    private static func object(_ properties: [JSONValue.Member]) -> [JSONValue.Member] {
        [
            .init("type", .text("object")), .init("additionalProperties", .flag(false)),
            .init("properties", .object(properties)),
        ]
    }

    /// Turns dotted keys into nested objects. Keys of a group must be adjacent.
    ///
    /// - Parameter group: makes a group's value from its name and members.
    private static func nested(
        _ values: ArraySlice<(key: [Substring], value: JSONValue)>, depth: Int = 0,
        group: (String, JSONValue) -> JSONValue
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var rest = values
        while let first = rest.first {
            let same = rest.prefix { $0.key[depth] == first.key[depth] }
            rest = rest.dropFirst(same.count)
            let isLeaf = first.key.count == depth + 1
            let name = first.key[...depth].joined(separator: ".")
            let value = isLeaf ? first.value : group(name, .object(nested(same, depth: depth + 1, group: group)))
            members.append(.init(String(first.key[depth]), value))
        }
        return members
    }
}

extension SettingShape {
    /// The members of a JSON Schema for the values that `admits` accepts, choices in their usual spelling, so that
    /// editors complete it.
    fileprivate var schema: [JSONValue.Member] {
        func type(_ name: String) -> JSONValue.Member { .init("type", .text(name)) }
        func range(_ low: Double, _ high: Double) -> [JSONValue.Member] {
            [.init("minimum", .number(low)), .init("maximum", .number(high))]
        }
        func list(_ texts: [String]) -> JSONValue { .list(texts.map { .text($0) }) }
        func pattern(_ text: String) -> JSONValue.Member { .init("pattern", .text(text)) }
        return switch self {
        case .folder: [type("string"), .init("minLength", .number(1))]
        case .file: [type("string")]
        case .text(let length):
            [
                type("string"), .init("minLength", .number(Double(length.lowerBound))),
                .init("maxLength", .number(Double(length.upperBound))),
            ]
        case .identifier: [type("string"), pattern("^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
        case .integer(let numbers):
            [type("integer")] + range(Double(numbers.lowerBound), Double(numbers.upperBound))
        case .integerOrAuto(let numbers):
            [.init("type", list(["integer", "string"]))]
                + range(Double(numbers.lowerBound), Double(numbers.upperBound)) + [pattern("^auto$")]
        case .seconds(let numbers): [type("number")] + range(numbers.lowerBound, numbers.upperBound)
        case .fraction: [type("number")] + range(0, 1)
        case .flag: [type("boolean")]
        case .choice(let choices): [type("string"), .init("enum", list(choices))]
        case .choices(let choices):
            [
                type("array"), .init("uniqueItems", .flag(true)),
                .init("items", .object([type("string"), .init("enum", list(choices))])),
            ]
        case .emoji:
            [
                type("array"), .init("maxItems", .number(Double(Emoji.maxListed))), .init("uniqueItems", .flag(true)),
                .init("items", .object([type("string"), .init("minLength", .number(1))])),
            ]
        case .webAddress:
            [type("string"), .init("maxLength", .number(2048)), pattern(##"^(https?://[^\s"#<>?\\^`{|}]+)?$"##)]
        case .color: [type("string"), pattern("^(#([0-9A-Fa-f]{3}){1,2}|[A-Za-z]+)$")]
        case .globs:
            [
                type("array"), .init("maxItems", .number(Double(Self.maximumGlobs))),
                .init(
                    "items",
                    .object([
                        type("string"), .init("minLength", .number(1)),
                        .init("maxLength", .number(Double(Self.maximumGlobBytes))), pattern("^[^/]*$"),
                    ])),
            ]
        }
    }
}

extension JSONValue.Member {
    fileprivate init(_ name: String, _ value: JSONValue) { self.init(name: name, line: 0, value: value) }
}

extension JSONValue {
    /// Indented by two spaces, with a line break at the end.
    fileprivate var formatted: String { formatted("") + "\n" }

    private func formatted(_ indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .text(let text): return Self.escaped(text)
        case .list(let list) where list.isEmpty: return "[]"
        case .list(let list):
            let isShort = list.allSatisfy { $0.text != nil } && list.count <= Self.mostOnOneLine
            let items = list.map { $0.formatted(inner) }
            return isShort
                ? "[\(items.joined(separator: ", "))]"
                : "[\n\(items.map { inner + $0 }.joined(separator: ",\n"))\n\(indent)]"
        case .object(let members):
            let lines = members.map { "\(inner)\(Self.escaped($0.name)): \($0.value.formatted(inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .null, .flag, .number: return description
        }
    }

    private static let mostOnOneLine = 8

    private static func escaped(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
