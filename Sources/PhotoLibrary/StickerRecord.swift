package import Foundation
import GRDB

/// A finished sticker as the Library knows it: a row of `sticker`, but for the columns that only the Library uses.
package struct StickerRecord: Codable, FetchableRecord, EncodableRecord, Sendable, Hashable {
    /// The pack's name in the Library: '' for the root pack.
    package let pack: String
    /// SHA-256 of the photo, lowercase hexadecimal.
    package let photo: String
    /// Its number among the stickers of one photo, from 0.
    package let ordinal: Int
    /// Its name in the pack's folder.
    package let file: String
    /// The sticker's size in pixels, then the length of its file.
    package let width: Int
    package let height: Int
    package let bytes: Int
    /// SHA-256 of the sticker file, lowercase hexadecimal.
    package let sha256: String
    /// The score for a clear subject, 0…1.
    package let confidence: Double
    /// The identifier of the recipe it was made with.
    package let recipe: String
    /// When it came into its pack; a remade sticker keeps this.
    package let added: Date
    /// Its thumbnail's name in the pack's folder of thumbnails, if it has one.
    package let thumbnail: String?

    package init(
        pack: String, photo: String, ordinal: Int, file: String, width: Int, height: Int, bytes: Int, sha256: String,
        confidence: Double, recipe: String, added: Date, thumbnail: String? = nil
    ) {
        self.pack = pack
        self.photo = photo
        self.ordinal = ordinal
        self.file = file
        self.width = width
        self.height = height
        self.bytes = bytes
        self.sha256 = sha256
        self.confidence = confidence
        self.recipe = recipe
        self.added = added
        self.thumbnail = thumbnail
    }
}

extension StickerRecord {
    /// The same sticker as a file of another pack, added now, without a thumbnail so far.
    package func copied(toPack pack: String) -> StickerRecord {
        StickerRecord(
            pack: pack, photo: photo, ordinal: ordinal, file: file, width: width, height: height, bytes: bytes,
            sha256: sha256, confidence: confidence, recipe: recipe, added: .now)
    }

    /// The same sticker under another name.
    package func named(_ file: String, thumbnail: String?) -> StickerRecord {
        StickerRecord(
            pack: pack, photo: photo, ordinal: ordinal, file: file, width: width, height: height, bytes: bytes,
            sha256: sha256, confidence: confidence, recipe: recipe, added: added, thumbnail: thumbnail)
    }

    /// Values for every column of a row.
    ///
    /// - Parameters:
    ///   - source: the key of the file that it was made from; 0 if that is not known.
    ///   - arrival: its place in the pack.
    func arguments(source: Int64, arrival: Int64) throws -> StatementArguments {
        var columns = try databaseDictionary
        columns["source"] = source.databaseValue
        columns["arrival"] = arrival.databaseValue
        return StatementArguments(columns)
    }
}
