import Foundation
import LinuxIO
import PhotoColors
import PhotoFacts
import PhotoLibrary
import SystemPackage

extension Outbox {
    /// Records the outbox's stickers in a new Library: those that a `pack.json` lists and whose files match it. Photos
    /// are recognized by their digests, so that no sticker is made twice. After a crash the next start resumes.
    ///
    /// - Parameter progress: called for each sticker that is read.
    /// - Returns: how many stickers were recorded.
    /// - Throws: `Errno` if the outbox cannot be read, or GRDB's `DatabaseError`.
    package func rebuild(progress: @Sendable () -> Void = {}) async throws -> Int {
        var count = 0
        for folder in try packFolders() {
            guard let data = FileManager.default.contents(atPath: path(folder).appending(PackIndex.fileName).string),
                let index = try? JSONDecoder().decode(ListedPack.self, from: data)
            else { continue }
            count += try await adopt(index, folder: folder, progress)
        }
        try await library.endRebuilding()
        return count
    }

    /// The most stickers recorded in one transaction.
    private static let rebuildBatch = 200

    /// Records a pack's stickers. Does not read those again that an interrupted rebuild has recorded.
    private func adopt(_ index: ListedPack, folder: String, _ progress: () -> Void) async throws -> Int {
        let pack = folder.isEmpty ? "" : index.pack.name
        let known = try await library.publishedFiles(ofPack: pack)
        var count = 0
        var rest = index.stickers[...]
        repeat {
            let batch = rest.prefix(Self.rebuildBatch)
            rest = rest.dropFirst(Self.rebuildBatch)
            let found = batch.filter { !known.contains(ExactName($0.file)) }.map { listed in
                progress()
                return record(listed, pack: pack, folder: folder).map {
                    PhotoLibrary.FoundSticker(
                        $0, colors: listed.colors?.sample, subjectColors: listed.subjectColors?.sample)
                }
            }
            let stickers = found.compactMap(\.self)
            try await library.adopt(
                stickers, inPack: pack, folder: folder, revision: index.revision, following: rest.count)
            count += stickers.count + batch.count - found.count
        } while !rest.isEmpty
        return count
    }

    /// Relative to the outbox; the root pack's first.
    private func packFolders() throws -> [String] {
        let root = try OwnedDescriptor(opening: folder, options: .directory)
        var scan = try DirectoryScan(of: root.raw)
        var folders: [String] = []
        while let entry = try scan.next() {
            if entry.kind == .folder { folders.append(String(decoding: entry.name, as: UTF8.self)) }
        }
        return [""] + folders.sorted()
    }

    private func path(_ folder: String) -> FilePath { folder.isEmpty ? self.folder : self.folder.appending(folder) }

    /// nil if the file does not match the index, or the index is invalid.
    private func record(_ sticker: ListedPack.Sticker, pack: String, folder: String) -> StickerRecord? {
        guard let (photo, ordinal) = Self.photo(of: sticker.id), FilePath(sticker.file).components.count == 1,
            let data = FileManager.default.contents(atPath: path(folder).appending(sticker.file).string),
            data.count == sticker.bytes, let digest = try? ContentDigest.sha256(of: [UInt8](data)).hex
        else { return nil }
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return StickerRecord(
            StickerFacts(width: sticker.width, height: sticker.height, confidence: sticker.confidence),
            pack: pack, photo: photo, ordinal: ordinal, file: sticker.file,
            thumbnail: thumbnail(of: sticker, folder: folder), bytes: sticker.bytes, sha256: digest,
            recipe: PhotoLibrary.unknownRecipe, added: (try? time.parse(sticker.addedAt)) ?? .now)
    }

    /// nil if there is none at the expected path.
    private func thumbnail(of sticker: ListedPack.Sticker, folder: String) -> String? {
        let name = OutboxName.thumbnail(ofSticker: sticker.file)
        let file = "\(OutboxSubfolder.thumbnails.rawValue)/\(name)"
        return sticker.thumbnail == file && OwnedDescriptor.exists(path(folder).appending(file)) ? name : nil
    }

    /// `sha256:…` and `#2` for the second sticker of a photo.
    private static func photo(of id: String) -> (digest: String, ordinal: Int)? {
        let parts = id.split(separator: "#", maxSplits: 1)
        guard let first = parts.first, first.hasPrefix("sha256:") else { return nil }
        let digest = first.dropFirst("sha256:".count)
        guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else { return nil }
        guard parts.count > 1 else { return (String(digest), 0) }
        return Int(parts[1]).flatMap { $0 > 1 ? (String(digest), $0 - 1) : nil }
    }
}

/// The part of a `pack.json` that identifies its stickers, in the format of every release.
private struct ListedPack: Decodable {
    struct Pack: Decodable {
        let name: String
    }

    struct Sticker: Decodable {
        let id: String
        let file: String
        let thumbnail: String?
        let width: Int
        let height: Int
        let bytes: Int
        let addedAt: String
        let confidence: Double
        let colors: Colors?
        let subjectColors: Colors?
    }

    /// Invalid colors are ignored; they must not cost the sticker.
    struct Colors: Decodable {
        let sample: PhotoColorSample?

        init(from decoder: any Decoder) throws {
            let colors = try? [SchemeColor](from: decoder)
            sample = colors.flatMap { PhotoColorSample(PhotoColorScheme(colors: $0)) }
        }
    }

    let revision: Int
    let pack: Pack
    let stickers: [Sticker]
}
