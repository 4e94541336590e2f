import Foundation
import Gallery
import LinuxIO
import PhotoColors
import PhotoLibrary

/// Encodes a `PackIndex`. Each sticker and each page has its own line, so that revisions can be compared.
struct PackIndexFile {
    /// The first part, which changes with every revision.
    struct Head: Codable, Equatable {
        var schemaVersion = PackIndex.schemaVersion
        var revision: Int
        /// ISO 8601.
        var updated: String

        var bytes: [UInt8] {
            Array("{\"schemaVersion\":\(schemaVersion),\"revision\":\(revision),\"updated\":\"\(updated)\"".utf8)
        }

        /// The head of a file that stickerd wrote, and its length; nil for any other.
        static func parse(_ beginning: [UInt8]) -> (head: Head, length: Int)? {
            guard let end = beginning.firstRange(of: Array(",\n".utf8))?.lowerBound,
                let head = try? JSONDecoder().decode(Head.self, from: Data(beginning[..<end] + [UInt8(ascii: "}")])),
                revisions.contains(head.revision)
            else { return nil }
            return (head, end)
        }

        /// Revisions of indexes that stickerd wrote: others would overflow, or are no exact numbers in JavaScript.
        static let revisions = 1..<1 << 53
        /// The longest head.
        static let maxBytes = 256
    }

    let description: PackIndex.Pack
    let summary: PhotoLibrary.PackSummary
    /// The number of colors per photo.
    let colorCount: Int
    /// The files that list the stickers; nil if this one does.
    let pages: PageLists?
    /// All stickers if this file lists them; otherwise none.
    let stickers: [PhotoLibrary.PackSticker]
    let cache: EntryCache

    /// What follows the head.
    func body() -> [UInt8] {
        var json = PageJSON()
        json.member("pack") { json in
            json.member("identifier", description.identifier)
            json.member("name", description.name)
            json.member("publisher", description.publisher)
            json.array("emoji", description.emoji ?? []) { $1.value($0) }
            if let folder = description.inboxFolder { json.member("inboxFolder", folder) }
        }
        json.array("pending", summary.pending) { $1.waiting($0) }
        json.array("failed", summary.failed) { $1.waiting($0) }
        if !summary.removed.isEmpty {
            json.array("removed", summary.removed) { removed, json in
                json.object { json in
                    json.member("id", PackIndex.identifier(ofPhoto: removed.photo, removed.ordinal))
                    json.member("file", removed.file)
                }
            }
        }
        json.openArray(pages == nil ? "stickers" : "pages")
        for sticker in stickers { json.line { $0.append(cache.entry(of: sticker, colorCount: colorCount)) } }
        let beginning = json.take() + (pages?.index ?? [])
        json.close("]")
        json.member("stickerCount", pages?.stickerCount ?? stickers.count)
        json.close("}")
        return Array(",\n".utf8) + beginning + json.take() + [UInt8(ascii: "\n")]
    }

    /// The whole file of a page.
    static func page(
        revision: Int, stickers: [PhotoLibrary.PackSticker], colorCount: Int, cache: EntryCache
    ) -> [UInt8] {
        var json = PageJSON()
        json.object { json in
            json.member("schemaVersion", PackIndex.schemaVersion)
            json.member("revision", revision)
            json.openArray("stickers")
            for sticker in stickers {
                json.line { $0.append(cache.entry(of: sticker, colorCount: colorCount)) }
            }
            json.close("]")
        }
        return json.take() + [UInt8(ascii: "\n")]
    }
}

extension PageJSON {
    fileprivate mutating func waiting(_ photo: PhotoLibrary.PackSummary.Photo) {
        object { json in
            json.member("name", photo.path.fileName)
            json.member("reason", photo.reason)
        }
    }

    mutating func sticker(_ sticker: PackIndex.Sticker) {
        object { json in
            json.member("id", sticker.id)
            json.member("name", sticker.name)
            json.member("text", sticker.text)
            json.array("emoji", sticker.emoji ?? []) { $1.value($0) }
            json.member("file", sticker.file)
            json.member("thumbnail", sticker.thumbnail)
            json.member("width", sticker.width)
            json.member("height", sticker.height)
            json.member("bytes", sticker.bytes)
            json.member("addedAt", sticker.addedAt)
            json.member("confidence", sticker.confidence, decimals: 4)
            json.colors("colors", sticker.colors)
            json.colors("subjectColors", sticker.subjectColors)
            json.array("gradient", sticker.gradient ?? []) { $1.value($0.description) }
        }
    }

    private mutating func colors(_ key: StaticString, _ colors: [SchemeColor]?) {
        array(key, colors ?? []) { color, json in
            json.object { json in
                json.member("hex", color.hex.description)
                json.member("weight", color.weight, decimals: 4)
                json.member("name", color.name)
            }
        }
    }
}
