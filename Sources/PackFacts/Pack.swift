import OutboxLayout
package import PhotoColors

/// A pack as its files show it, in the format of every release: made once for each write, or read from `pack.json`,
/// which `pack.schema.json` describes. It reveals neither the paths of the originals nor their metadata.
package struct Pack: Sendable {
    package struct Description: Decodable, Sendable, Equatable {
        /// The root pack's is from the settings; the others' are what people read of their folders' names in the inbox.
        package var name: String
        /// From the settings; the other packs append a dot and their folder in the outbox. The browser stores favorites
        /// under it.
        package var identifier: String
        /// May be empty.
        package var publisher: String
        /// From the settings, for stickers that have none; nil in a file of an early release.
        package var emoji: [String]?
        /// The folder's name in the inbox, escaped, if it differs from `name`; nil for the root pack.
        package var inboxFolder: String?

        package init(
            name: String, identifier: String, publisher: String, emoji: [String] = [], inboxFolder: String? = nil
        ) {
            self.name = name
            self.identifier = identifier
            self.publisher = publisher
            self.emoji = emoji
            self.inboxFolder = inboxFolder
        }
    }

    /// Some of a large pack's stickers, in files of their own (see `PageName`).
    package struct Page: Decodable, Sendable, Equatable {
        /// Relative to the folder that `pack.json` is in.
        package var file: String
        /// How many stickers it lists.
        package var count: Int
        /// Incremented with every change of the page.
        package var revision: Int

        package init(file: String, count: Int, revision: Int) {
            self.file = file
            self.count = count
            self.revision = revision
        }

        /// The name of its files without the extension.
        package var stem: String {
            String(file.dropFirst(OutboxSubfolder.pages.prefix.count).dropLast(PageName.Kind.index.rawValue.count))
        }
    }

    /// A photo without a sticker, or without one so far.
    package struct Photo: Decodable, Sendable, Equatable {
        private enum CodingKeys: String, CodingKey { case name, reason }

        /// Its file's name with the extension, escaped.
        package var name: String
        /// One line for a person, if any.
        package var reason: String?
        /// Of the whole photo; nil if unknown, and in files.
        package var colors: PhotoColorSample?

        package init(name: String, reason: String? = nil, colors: PhotoColorSample? = nil) {
            self.name = name
            self.reason = reason
            self.colors = colors
        }
    }

    /// A sticker that a user removed for good.
    package struct Removed: Decodable, Sendable, Equatable {
        /// As a sticker's.
        package var id: String
        /// The name it had.
        package var file: String

        package init(id: String, file: String) {
            self.id = id
            self.file = file
        }
    }

    /// Version 1, of early releases, had neither `pages` nor `stickerCount`.
    package static let schemaVersion = 3

    package var description: Description
    /// Of its `pack.json`: incremented with every written change.
    package var revision = 0
    /// When this revision was written; ISO 8601, UTC.
    package var updated = ""
    /// In order of arrival. If it has pages: the first ones if it was made from the Library, none if it was read.
    package var stickers: [PackEntry]
    /// In order of arrival; nil if it has none.
    package var pages: [Page]?
    /// In `stickers` or in all pages; nil in a file of an early release.
    package var stickerCount: Int?
    /// In order of arrival, and perhaps not all.
    package var pending: [Photo] = []
    package var failed: [Photo] = []
    /// Not in `pack.json`.
    package var withoutSubject: [Photo] = []
    /// So that a new Library knows them.
    package var removed: [Removed] = []
    /// How many photos are pending, have no subject or failed, and have a sticker, listed or not. Not in `pack.json`.
    package var photos = (pending: 0, without: 0, made: 0)
    /// The sticker that represents the pack; nil before the first one, and if it was read.
    package var cover: PackEntry?

    package init(_ description: Description, stickers: [PackEntry], pages: [Page]? = nil) {
        self.description = description
        self.stickers = stickers
        self.pages = pages
        stickerCount = pages?.reduce(0) { $0 + $1.count } ?? stickers.count
        cover = stickers.first
    }

    package var name: String { description.name }
    package var identifier: String { description.identifier }
    package var publisher: String { description.publisher }
    package var emoji: [String] { description.emoji ?? [] }
}

// MARK: - In files

extension Pack {
    /// Its members in `pack.json` after `revision` and `updated`. Each sticker and each page has its own line, so that
    /// revisions can be compared.
    ///
    /// - Parameter lines: the objects of `stickers`; not used if it has pages.
    package func indexJSON(stickers lines: @autoclosure () -> OrderedJSON) -> OrderedJSON {
        [
            "pack": [
                "identifier": .string(identifier), "name": .string(name), "publisher": .string(publisher),
                "emoji": .strings(emoji), "inboxFolder": description.inboxFolder.map { .string($0) },
            ],
            "pending": .array(pending.map(\.json)), "failed": .array(failed.map(\.json)),
            "removed": removed.isEmpty
                ? nil : .array(removed.map { ["id": .string($0.id), "file": .string($0.file)] }),
            "stickers": pages == nil ? lines() : nil,
            "pages": pages.map { .lines($0.map(\.json)) },
            "stickerCount": .number(stickerCount ?? stickers.count),
        ]
    }

    /// A page's file.
    package static func pageJSON(revision: Int, _ stickers: [PackEntry], colorCount: Int) -> OrderedJSON {
        [
            "schemaVersion": .number(schemaVersion), "revision": .number(revision),
            "stickers": .lines(stickers.map { $0.indexJSON(colorCount: colorCount) }),
        ]
    }
}

extension Pack.Photo {
    fileprivate var json: OrderedJSON { ["name": .string(name), "reason": reason.map { .string($0) }] }
}

extension Pack.Page {
    fileprivate var json: OrderedJSON {
        ["file": .string(file), "count": .number(count), "revision": .number(revision)]
    }
}

extension Pack: Decodable {
    private enum CodingKeys: String, CodingKey {
        case schemaVersion, revision, updated, pack, stickers, pages, stickerCount, pending, failed, removed
    }

    /// Reads `pack.json` of any release.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        _ = try members.decode(Int.self, forKey: .schemaVersion)
        pages = try members.decodeIfPresent([Page].self, forKey: .pages)
        stickers = pages == nil ? try members.decode([PackEntry].self, forKey: .stickers) : []
        description = try members.decode(Description.self, forKey: .pack)
        revision = try members.decode(Int.self, forKey: .revision)
        updated = try members.decode(String.self, forKey: .updated)
        stickerCount = try members.decodeIfPresent(Int.self, forKey: .stickerCount)
        pending = try members.decode([Photo].self, forKey: .pending)
        failed = try members.decode([Photo].self, forKey: .failed)
        removed = try members.decodeIfPresent([Removed].self, forKey: .removed) ?? []
    }
}
