import PackFacts
import Foundation

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
        let file: BookFile
        do {
            file = try JSONDecoder().decode(BookFile.self, from: Data(json))
        } catch let error as DecodingError {
            throw Self.problem(error, in: json)
        } catch {
            throw Self.syntaxProblem(in: json)
        }
        guard file.stickers.count <= Self.maxStickers else {
            throw Self.problem(
                "it has more than \(Self.maxStickers) stickers. Remove those that the pack no longer has.")
        }
        self.init()
        stickers = file.stickers.mapValues { entry in
            // What is not a whole number becomes one that `check` refuses.
            Entry(
                shortcode: entry.shortcode, sets: entry.sets?.mapValues { Int(exactly: $0) ?? 0 },
                numbers: entry.numbers?.mapValues { Int(exactly: $0) ?? 0 })
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

    private static func problem(_ error: DecodingError, in json: [UInt8]) -> ExportRefusal {
        let (context, reason): (DecodingError.Context, String) =
            switch error {
            case .typeMismatch(_, let context): (context, "has a value of the wrong kind.")
            case .valueNotFound(_, let context): (context, "has no value.")
            case .keyNotFound(_, let context): (context, "lacks “stickers”.")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "is not valid.")
            }
        let path = context.codingPath.dropFirst().map { "“\(shown($0.stringValue))”" }.joined(separator: ", ")
        if !path.isEmpty { return problem("\(path) \(reason)") }
        if case .dataCorrupted = error, context.codingPath.isEmpty { return syntaxProblem(in: json) }
        return problem("it \(reason)")
    }

    private static func syntaxProblem(in json: [UInt8]) -> ExportRefusal {
        // Unlike JSONDecoder, this parser says where the mistake is.
        do {
            _ = try JSONSerialization.jsonObject(with: Data(json))
            return problem("it is not valid JSON.")
        } catch {
            let message = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
            let place = message.split { !$0.isWholeNumber }.last.flatMap { Int($0) }
            let line = place.map { json.prefix($0).count { $0 == UInt8(ascii: "\n") } + 1 }
            return problem("it is not valid JSON: \(shown(message))" + (line.map { " See line \($0)." } ?? ""))
        }
    }

    /// The start of an untrusted text, without control characters.
    private static func shown(_ text: String) -> String {
        let visible = text.unicodeScalars.prefix(80).map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(visible))
    }
}

private struct BookFile: Decodable {
    let stickers: [String: EntryFile]

    init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(["stickers"])
        stickers = try members.decode([String: EntryFile].self, forKey: AnyKey("stickers"))
    }
}

private struct EntryFile: Decodable {
    let shortcode: String?
    /// Of any size: `check` names the entry, which the decoder of integers does not.
    let sets: [String: Double]?
    let numbers: [String: Double]?

    init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(["shortcode", "sets", "numbers"])
        shortcode = try members.decodeIfPresent(String.self, forKey: AnyKey("shortcode"))
        sets = try members.decodeIfPresent([String: Double].self, forKey: AnyKey("sets"))
        numbers = try members.decodeIfPresent([String: Double].self, forKey: AnyKey("numbers"))
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Writing the book would remove a key that it does not know, such as a misspelt one, so such a key is refused.
    fileprivate func strictContainer(_ known: Set<String>) throws -> KeyedDecodingContainer<AnyKey> {
        let members = try container(keyedBy: AnyKey.self)
        if let key = members.allKeys.map(\.stringValue).filter({ !known.contains($0) }).min() {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [AnyKey(key)],
                    debugDescription: "is not one of: \(known.sorted().joined(separator: ", "))."))
        }
        return members
    }
}
