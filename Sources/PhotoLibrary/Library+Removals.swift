import Foundation
package import GRDB
import SQLiteDatabase

/// Stickers that a user has removed for good, and photos without a sticker whose entries were removed. They are not
/// made again until they are restored: not by a remake, nor from a copy of the photo in the same pack. If the photo
/// moves to another pack, they stay removed there.
extension Library {
    /// Why a file that was never read is ignored once a user has removed it.
    package static let dismissal = "removed by stickerd remove; touch the file to process it again"

    /// A row of `removed`.
    package struct RemovedSticker: Decodable, FetchableRecord, Sendable, Hashable {
        /// SHA-256 of the photo, lowercase hexadecimal.
        package let photo: String
        /// Its number among the stickers of the photo, from 0.
        package let ordinal: Int
        /// The name it had in the pack's folder.
        package let file: String

        /// `file` is the name that `restore` finds it by.
        package init(photo: String, ordinal: Int, file: String) {
            self.photo = photo
            self.ordinal = ordinal
            self.file = file
        }
    }

    /// Records removals in a pack.
    package static func record(_ removed: [RemovedSticker], inPack pack: String, in database: Database) throws {
        for sticker in removed {
            try database.execute(
                sql: "INSERT OR IGNORE INTO removed (photo, pack, ordinal, file, since) VALUES (?, ?, ?, ?, ?)",
                arguments: [sticker.photo, pack, sticker.ordinal, sticker.file, Date()])
        }
    }

    /// Whether a user has removed a sticker.
    package static func isRemoved(_ photo: String, ordinal: Int, pack: String, in database: Database) throws -> Bool {
        try database.hasRow(
            cached: "SELECT 1 FROM removed WHERE photo = ? AND pack = ? AND ordinal = ?",
            arguments: [photo, pack, ordinal])
    }
}
