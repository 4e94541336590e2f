import TestSupport

/// Indexes as texts, for readers that must not believe everything.
extension PipelineFixture {
    /// A sticker's object: an ordinary one of the photo whose digest is a repeated digit, with some members changed.
    /// The values are JSON.
    static func listed(_ digit: Int = 1, _ changes: KeyValuePairs<String, String> = [:]) -> String {
        var members = [
            "id": "\"sha256:\(String(repeating: "\(digit)", count: 64))\"", "file": "\"a-11111111.png\"", "width": "1",
            "height": "1", "bytes": "3", "confidence": "1", "addedAt": "\"2026-01-01T00:00:00.000Z\"",
        ]
        for (key, value) in changes { members[key] = value }
        return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }

    /// Writes an index of these stickers.
    ///
    /// - Parameters:
    ///   - more: further members, each with a comma before it.
    ///   - pack: JSON.
    ///   - folder: the pack's, in the outbox.
    func writeIndex(
        _ stickers: [String], more: String = "", pack: String = #"{"name":"","identifier":"","publisher":""}"#,
        folder: String = ""
    ) throws {
        let index = """
            {"schemaVersion":1,"revision":7,"updated":"","pack":\(pack),"pending":[],"failed":[],\
            "stickers":[\(stickers.joined(separator: ","))]\(more)}
            """
        try self.folder.write(index, to: "outbox/\(folder)/pack.json")
    }
}
