import PackFacts
import Packs

private typealias Member = (key: String, value: OrderedJSON)

/// `config.example.json` and `config.schema.json`, generated from the keys: `make install` writes them.
package enum SettingsDocuments {
    /// Where systemd keeps the state of the installed service.
    private static let stateFolder = "/var/lib/stickerd"
    /// Without this machine's settings file.
    private static let settings = Settings(folders: DefaultFolders(environment: ["STATE_DIRECTORY": stateFolder]))

    /// A settings file with every key at the installed service's default.
    package static func example() -> String {
        let values = SettingKey.all.map { (key: $0.name.split(separator: "."), value: $0.value(settings)) }
        let schema: Member = ("$schema", "./config.schema.json")
        return text([schema] + nested(values[...]) { .object($1) })
    }

    /// The JSON Schema (draft 2020-12) of a settings file.
    package static func schema() -> String {
        let values = SettingKey.all.map { key in
            var members: [Member] = [("description", .string(key.explanation))]
            members += key.shape.schema
            // Folders depend on the user who runs the daemon.
            if key.shape != .folder { members.append(("default", key.value(settings))) }
            return (key: key.name.split(separator: "."), value: OrderedJSON.object(members))
        }
        let location: Member = (
            "$schema",
            ["description": "The location of this schema, for editors; it has no effect.", "type": "string"]
        )
        let start: [Member] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "stickerd settings"),
            (
                "description",
                """
                Every key is optional. Command-line flags and environment variables (STICKERD_STICKER_SIZE for \
                sticker.size) override this file.
                """
            ),
        ]
        return text(start + object([location] + nested(values[...], group: group)))
    }

    private static func text(_ members: [Member]) -> String {
        String(decoding: OrderedJSON.object(members).bytes(.readable()), as: UTF8.self)
    }

    private static func group(_ name: String, _ members: [Member]) -> OrderedJSON {
        let description: Member = ("description", .string(SettingKey.groups[name] ?? ""))
        return .object([description] + object(members))
    }

    private static func object(_ properties: [Member]) -> [Member] {
        [("type", "object"), ("additionalProperties", false), ("properties", .object(properties))]
    }

    /// Turns dotted keys into nested objects. Keys of a group must be adjacent.
    ///
    /// - Parameter group: makes a group's value from its name and members.
    private static func nested(
        _ values: ArraySlice<(key: [Substring], value: OrderedJSON)>, depth: Int = 0,
        group: (String, [Member]) -> OrderedJSON
    ) -> [Member] {
        var members: [Member] = []
        var rest = values
        while let first = rest.first {
            let same = rest.prefix { $0.key[depth] == first.key[depth] }
            rest = rest.dropFirst(same.count)
            let isLeaf = first.key.count == depth + 1
            let name = first.key[...depth].joined(separator: ".")
            let value = isLeaf ? first.value : group(name, nested(same, depth: depth + 1, group: group))
            members.append((String(first.key[depth]), value))
        }
        return members
    }
}

extension SettingShape {
    /// The members of a JSON Schema for the values that `admits` accepts, choices in their usual spelling, so that
    /// editors complete it.
    fileprivate var schema: [Member] {
        switch self {
        case .folder: [("type", "string"), ("minLength", 1)]
        case .file: [("type", "string")]
        case .text(let length):
            [("type", "string"), ("minLength", .number(length.lowerBound)), ("maxLength", .number(length.upperBound))]
        case .identifier: [("type", "string"), ("pattern", "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
        case .integer(let range):
            [("type", "integer"), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))]
        case .integerOrAuto(let range):
            [
                ("type", ["integer", "string"]), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)), ("pattern", "^auto$"),
            ]
        case .seconds(let range):
            [("type", "number"), ("minimum", .decimal(range.lowerBound)), ("maximum", .decimal(range.upperBound))]
        case .fraction: [("type", "number"), ("minimum", 0), ("maximum", 1)]
        case .flag: [("type", "boolean")]
        case .choice(let choices): [("type", "string"), ("enum", .strings(choices))]
        case .choices(let choices):
            [
                ("type", "array"), ("uniqueItems", true),
                ("items", ["type": "string", "enum": .strings(choices)]),
            ]
        case .emoji:
            [
                ("type", "array"), ("maxItems", .number(Emoji.maxListed)), ("uniqueItems", true),
                ("items", ["type": "string", "minLength": 1]),
            ]
        case .webAddress:
            [("type", "string"), ("maxLength", 2048), ("pattern", ##"^(https?://[^\s"#<>?\\^`{|}]+)?$"##)]
        case .color: [("type", "string"), ("pattern", "^(#([0-9A-Fa-f]{3}){1,2}|[A-Za-z]+)$")]
        case .globs:
            [
                ("type", "array"), ("maxItems", .number(Self.maximumGlobs)),
                (
                    "items",
                    [
                        "type": "string", "minLength": 1, "maxLength": .number(Self.maximumGlobBytes),
                        "pattern": "^[^/]*$",
                    ]
                ),
            ]
        }
    }
}
