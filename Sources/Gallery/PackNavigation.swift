import PackFacts

/// The packs that every page links to. The list is a script beside the root pack's page, which all pages load: a page
/// opened as a file can read no other file, and so a new sticker rewrites no page of another pack.
package struct PackNavigation: Sendable, Equatable {
    /// A pack, as a link shows it.
    package struct Pack: Sendable, Equatable {
        package var name: String
        /// As in `Pack.Description`: a page finds itself by it.
        package var identifier: String
        /// Relative to the outbox; '' for the root pack.
        package var folder: String
        package var stickers: Int
        /// The first sticker's small version, relative to the outbox; nil without one.
        package var cover: String?

        package init(name: String, identifier: String, folder: String, stickers: Int, cover: String?) {
            self.name = name
            self.identifier = identifier
            self.folder = folder
            self.stickers = stickers
            self.cover = cover
        }
    }

    private let packs: [Pack]

    /// - Parameter packs: in the order of the links.
    package init(_ packs: [Pack]) { self.packs = packs }

    /// The whole script. It sets one global variable, to an object literal that is JSON.
    package var bytes: [UInt8] {
        let list: OrderedJSON = [
            "packs": .lines(
                packs.map { pack in
                    [
                        "name": .string(pack.name), "identifier": .string(pack.identifier),
                        "folder": .string(pack.folder), "stickers": .number(pack.stickers),
                        "cover": pack.cover.map { .string($0) },
                    ]
                })
        ]
        return Self.beginning + list.bytes() + Array(";\n".utf8)
    }

    /// The first bytes of every list.
    package static let beginning = Array("globalThis.stickerdPacks = ".utf8)
}
