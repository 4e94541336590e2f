package import FileNames
import GRDB
package import PhotoLibrary
package import SystemPackage

/// What requests have in common.
extension Library {
    /// What a request does.
    package struct Answer: Sendable {
        /// Stickers that will be removed.
        package var stickers = 0
        /// Photos that will be processed again, or that have no sticker and will be removed.
        package var photos = 0
        /// What happens later, with a photo's return, or not at all; one line each.
        package var notes: [String] = []
        /// Names that were refused, with the reason; one line each.
        package var refused: [String] = []
        /// Photos that were moved out of the inbox and that the caller must put back: where they are, and their inbox
        /// paths.
        package var toPutBack: [(from: FilePath, path: InboxPath)] = []
    }

    /// What a user names to be removed or restored: a sticker, or a photo for all of its stickers.
    package struct RemovalName: Sendable {
        /// The sticker's path in the outbox. Without a folder, it may also be the name of a sticker in the only pack
        /// that has one.
        let sticker: String
        /// As for `FileRecord.named`.
        let photo: String
        /// Whether the photo is meant if there are both.
        let isPhoto: Bool

        /// See the properties.
        package init(sticker: String, photo: String, isPhoto: Bool) {
            (self.sticker, self.photo, self.isPhoto) = (sticker, photo, isPhoto)
        }
    }
}

extension Library {
    static func request(
        in folder: FilePath, _ names: [RemovalName],
        _ work: (RemovalName, inout Answer, Database) throws -> Void
    ) throws -> Answer {
        try writing(in: folder) { database in
            var answer = Answer()
            for name in names { try work(name, &answer, database) }
            return answer
        }
    }

    /// What `find` returns for a folder of the outbox and a file in it. Without a folder in the name, the root pack
    /// comes first, and then all packs (nil).
    static func named<Found>(
        _ name: String, in database: Database, _ find: (String?, String) throws -> [Found]
    ) throws -> [Found] {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 { return try find(parts[0], parts[1]) }
        let inRoot = try find("", name)
        return inRoot.isEmpty ? try find(nil, name) : inRoot
    }

    /// For a terminal.
    static func escaped(_ name: String) -> String { InboxPath(bytes: Array(name.utf8)).description }

    static func refusal(_ name: String, _ count: Int, _ reason: String) -> String {
        count > 1
            ? "\(escaped(name)): several packs have a sticker of this name; give its path in the outbox"
            : "\(escaped(name)): \(reason); give its path, or its path in the outbox or the inbox"
    }
}
