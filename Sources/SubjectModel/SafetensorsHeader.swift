/// The JSON at the start of a safetensors file: one entry per tensor, and strings under `__metadata__`.
struct SafetensorsHeader: Decodable {
    struct Entry: Decodable {
        enum CodingKeys: String, CodingKey {
            case dtype, shape
            case offsets = "data_offsets"
        }

        let dtype: String
        let shape: [Int]
        /// Start and end, from the end of the header on.
        let offsets: [Int]
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let metadataKey = "__metadata__"

    let metadata: [String: String]
    let entries: [String: Entry]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var metadata: [String: String] = [:]
        var entries: [String: Entry] = [:]
        for key in container.allKeys {
            if key.stringValue == Self.metadataKey {
                metadata = try container.decode([String: String].self, forKey: key)
            } else {
                entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
            }
        }
        self.metadata = metadata
        self.entries = entries
    }
}
