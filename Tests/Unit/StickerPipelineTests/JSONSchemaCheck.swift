import Foundation

/// Checks JSON against a JSON Schema. Knows the keywords that `pack.schema.json` uses; another keyword is a problem, so
/// that no rule goes unchecked. So is a member that the schema does not describe.
struct JSONSchemaCheck {
    private let root: [String: Any]

    private static let undescribed = ": not described"
    private static let notes: Set<String> = ["$schema", "$defs", "title", "description"]

    init(_ schema: Data) throws {
        root = try JSONSerialization.jsonObject(with: schema) as? [String: Any] ?? [:]
    }

    /// Where and how the text breaks the schema.
    func problems(in text: Data) throws -> [String] {
        try problems(in: JSONSerialization.jsonObject(with: text), by: root, at: "")
    }

    private func problems(in value: Any, by schema: [String: Any], at place: String) -> [String] {
        schema.keys.sorted().flatMap { key -> [String] in
            if Self.notes.contains(key) { return [] }
            if key == "$ref", let name = schema[key] as? String { return problems(in: value, named: name, at: place) }
            if key == "oneOf", let choices = schema[key] as? [[String: Any]] {
                let results = choices.map { problems(in: value, by: $0, at: place) }
                // By the standard, a member that is not described breaks no schema.
                let fitting = results.filter { $0.allSatisfy { $0.hasSuffix(Self.undescribed) } }
                return fitting.count == 1
                    ? fitting[0] : ["\(place): \(fitting.count) of \(choices.count) fit: \(results)"]
            }
            let isRight: Bool? =
                switch key {
                case "type": Self.isType(schema[key] as? String, value)
                case "const": (value as? NSNumber) == (schema[key] as? NSNumber)
                case "minimum": Self.number(value) >= Self.number(schema[key])
                case "maximum": Self.number(value) <= Self.number(schema[key])
                case "not": !problems(in: value, by: schema[key] as? [String: Any] ?? [:], at: place).isEmpty
                case "maxItems": ((value as? [Any])?.count ?? 0) <= (schema[key] as? Int ?? 0)
                case "pattern": Self.matches(value, schema[key] as? String ?? "")
                case "required":
                    (schema[key] as? [String] ?? []).allSatisfy { (value as? [String: Any])?[$0] != nil }
                default: nil
                }
            if let isRight { return isRight ? [] : ["\(place): \(key) \(schema[key] ?? "")"] }
            switch key {
            case "properties":
                return members(value, schema[key] as? [String: [String: Any]] ?? [:], at: place)
            case "items":
                return (value as? [Any] ?? []).enumerated().flatMap { index, item in
                    problems(in: item, by: schema[key] as? [String: Any] ?? [:], at: "\(place)[\(index)]")
                }
            default: return ["\(place): unknown keyword \(key)"]
            }
        }
    }

    private func problems(in value: Any, named name: String, at place: String) -> [String] {
        let name = name.replacing("#/$defs/", with: "")
        guard let schema = (root["$defs"] as? [String: [String: Any]])?[name] else { return ["no schema \(name)"] }
        return problems(in: value, by: schema, at: place)
    }

    private func members(_ value: Any, _ schemas: [String: [String: Any]], at place: String) -> [String] {
        (value as? [String: Any] ?? [:]).flatMap { name, member in
            guard let schema = schemas[name] else { return ["\(place).\(name)\(Self.undescribed)"] }
            return problems(in: member, by: schema, at: "\(place).\(name)")
        }
    }

    private static func isType(_ type: String?, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "number": value is NSNumber
        case "integer": number(value).rounded() == number(value)
        default: false
        }
    }

    /// Not a number, which is unlike any, if it is none.
    private static func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

    private static func matches(_ value: Any, _ pattern: String) -> Bool {
        guard let text = value as? String, let regex = try? Regex(pattern) else { return false }
        return text.contains(regex)
    }
}
