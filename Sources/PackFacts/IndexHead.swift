import Foundation

/// The first part of `pack.json`, which changes with every revision.
package struct IndexHead: Codable, Equatable {
    var schemaVersion = Pack.schemaVersion
    /// In `revisions` if stickerd wrote it.
    package var revision: Int
    /// ISO 8601, UTC.
    package var updated: String

    package init(revision: Int, updated: String) { (self.revision, self.updated) = (revision, updated) }

    /// All up to the comma before the next member.
    package var bytes: [UInt8] {
        Array("{\"schemaVersion\":\(schemaVersion),\"revision\":\(revision),\"updated\":\"\(updated)\"".utf8)
    }

    /// The head of a file that stickerd wrote, and its length; nil for any other.
    package static func parse(_ beginning: [UInt8]) -> (head: IndexHead, length: Int)? {
        guard let end = beginning.firstRange(of: Array(",\n".utf8))?.lowerBound,
            let head = try? JSONDecoder().decode(IndexHead.self, from: Data(beginning[..<end] + [UInt8(ascii: "}")])),
            revisions.contains(head.revision)
        else { return nil }
        return (head, end)
    }

    /// Revisions of indexes that stickerd wrote: others would overflow, or are no exact numbers in JavaScript.
    package static let revisions = 1..<1 << 53
    /// The longest head.
    package static let maxBytes = 256
}
