internal import CGalleryAssets
import Foundation
import LinuxIO
import OutboxLayout
package import PackFacts
import PhotoColors
import SystemPackage

/// A pack's page: one HTML file that needs only its script and the stickers next to it, from a web server or as a file.
/// The same contents give the same bytes. Names, files and reasons are untrusted text: the page escapes them.
///
/// Paths are plain, not percent-encoded, separated by `/`, and relative to the page's folder.
package struct GalleryPage {
    /// The ZIP of the pack's stickers.
    package struct Archive {
        package var file: String
        package var bytes: Int
        /// How many stickers it contains; fewer than the page shows while more arrive.
        package var stickers: Int
        /// Whether it has only the newest stickers, because a ZIP of all would be too large.
        package var isNewest = false

        package init(file: String, bytes: Int, stickers: Int) {
            self.file = file
            self.bytes = bytes
            self.stickers = stickers
        }
    }

    /// The most photos of each kind without a sticker on the page of a divided pack: it is written for each sticker.
    private static let maxListed = 50

    private let pack: Pack
    private let colorCount: Int
    private let archive: Archive?
    private let navigation: String
    private let exports: String?
    private let baseURL: String?

    /// - Parameters:
    ///   - pack: if it has pages, the page has those stickers that it has, and loads the pages' scripts.
    ///   - colorCount: how many colors the page shows initially.
    ///   - archive: nil if the page's folder has no ZIP.
    ///   - navigation: the path of the list of packs, a script that `navigation.js` reads.
    ///   - exports: the path of the list of exports, a script that `exports.js` reads; nil if the pack has none.
    ///   - baseURL: the web address of the page's folder, because link previews require absolute addresses; nil for
    ///     none. With it, the folder has a `PackFeed`.
    package init(
        _ pack: Pack, colorCount: Int, archive: Archive?, navigation: String, exports: String?, baseURL: String?
    ) {
        self.pack = pack
        self.colorCount = colorCount
        self.archive = archive
        self.navigation = navigation
        self.exports = exports
        self.baseURL = baseURL
    }

    /// In UTF-8.
    ///
    /// - Parameter stickers: the objects of the pack's stickers (`PackEntry.galleryJSON`).
    /// - Throws: `Errno` if SHA-256 cannot allocate memory.
    package func bytes(stickers: OrderedJSON) throws -> [UInt8] {
        let style = try PageTemplate.styleSource.get()
        let code = try PageCode.file.get()
        return PageTemplate.parts.reduce(into: []) { page, part in
            switch part {
            case .text(let text): page += text
            case .slot(.style): page += PageTemplate.style
            case .slot(.code): page += HTMLText.escape(code).utf8
            case .slot(.title): page += HTMLText.escape(pack.name).utf8
            case .slot(.icon): page += HTMLText.escape(icon).utf8
            case .slot(.exports): page += exportsTag.utf8
            case .slot(.packs): page += HTMLText.escape(HTMLText.address(navigation)).utf8
            case .slot(.policy): page += Self.policy(style: style, hasPages: pack.pages != nil).utf8
            case .slot(.social):
                if let baseURL { page += (preview(baseURL) + Self.feedTag).utf8 }
            case .slot(.contents): page += contents(build: style + code, stickers).bytes()
            }
        }
    }

    /// The preview that messengers show for a link to the page: Open Graph tags (https://ogp.me).
    private func preview(_ baseURL: String) -> String {
        let folder = baseURL.hasSuffix("/") ? baseURL : baseURL + "/"
        let count = pack.stickerCount ?? 0
        var tags = [
            ("og:type", "website"), ("og:title", pack.name),
            ("og:description", count == 1 ? "1 sticker" : "\(count) stickers"), ("og:url", folder),
        ]
        if let first = pack.cover {
            tags += [
                ("og:image", folder + HTMLText.address(first.file)), ("og:image:width", "\(first.width)"),
                ("og:image:height", "\(first.height)"), ("og:image:alt", first.name),
            ]
        }
        return tags.map { "<meta property=\"\($0.0)\" content=\"\(HTMLText.escape($0.1))\">\n" }.joined()
    }

    /// The page's data block; `contents.js` reads it.
    ///
    /// - Parameter build: identifies the page's style and script; an open page that finds another value reloads itself.
    private func contents(build: String, _ stickers: OrderedJSON) -> OrderedJSON {
        let limit = pack.pages == nil ? Int.max : Self.maxListed
        let without = pack.withoutSubject.prefix(limit) + pack.failed.prefix(limit)
        return [
            "build": .string(build), "revision": .number(pack.revision), "updated": .string(pack.updated),
            "pack": [
                "name": .string(pack.name), "identifier": .string(pack.identifier),
                "publisher": .string(pack.publisher),
            ],
            "colorCount": .number(colorCount),
            "archive": archive.map { archive in
                [
                    "file": .string(archive.file), "bytes": .number(archive.bytes),
                    "stickers": .number(archive.stickers), "newest": archive.isNewest ? 1 : nil,
                ]
            },
            "pending": .number(pack.photos.pending),
            // For the progress bar.
            "total": .number(pack.photos.pending + pack.photos.made + pack.photos.without),
            "waiting": .array(pack.pending.prefix(limit).map { ["name": .string($0.name)] }),
            "without": .array(
                without.map { photo in
                    [
                        "name": .string(photo.name), "reason": .string(photo.reason ?? ""),
                        "photo": photo.colors.map { .string($0.description) },
                    ]
                }),
            "withoutCount": .number(pack.photos.without),
            // In few bytes: there may be a thousand.
            "pages": pack.pages.map { .array($0.map { [.string($0.stem), .number($0.count)] }) },
            "stickers": stickers,
        ]
    }

    /// Allows only this page's own style, no script in the page itself, and scripts, images and requests only from its
    /// own folder's server; no sink accepts text as HTML or as a script's address (Trusted Types). 'self' is any file
    /// if the page is opened as one.
    ///
    /// The script of a large pack loads others, whose addresses its one Trusted Types policy checks.
    private static func policy(style: String, hasPages: Bool) -> String {
        [
            "default-src 'none'", "style-src \(style)", "script-src 'self'", "img-src 'self' data:",
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            "trusted-types " + (hasPages ? "pages" : "'none'"),
        ].joined(separator: "; ")
    }

    private static let feedTag =
        "<link rel=\"alternate\" type=\"application/feed+json\" href=\"\(OutboxFile.feed)\">\n"

    /// Loads the list of exports.
    private var exportsTag: String {
        exports.map {
            "<script src=\"\(HTMLText.escape(HTMLText.address($0)))\" id=\"exports-list\" defer></script>\n"
        } ?? ""
    }

    /// The first sticker's address; empty without one, so that no browser requests a favicon from the server.
    private var icon: String {
        pack.cover.map { HTMLText.address($0.thumbnail ?? $0.file) } ?? "data:,"
    }
}

/// The page's fixed parts inside the binary, and the slots for variable content.
enum PageTemplate {
    /// `{{name}}` in `gallery.html`.
    enum Slot: String {
        case code, contents, exports, icon, packs, policy, social, style, title
    }

    enum Part {
        case text([UInt8])
        case slot(Slot)
    }

    static let style = asset(GALLERY_STYLE)
    static let script = asset(GALLERY_SCRIPT)

    /// The style's source expression in CSP. Fails only if memory runs out.
    static let styleSource = Result<String, Errno> { () throws(Errno) in
        let digest = try ContentDigest.sha256(of: style)
        return "'sha256-\(Data(digest.bytes).base64EncodedString())'"
    }

    /// `gallery.html` cut at its slots.
    static let parts: [Part] = {
        var parts: [Part] = []
        var rest = asset(GALLERY_TEMPLATE)[...]
        while let opening = rest.firstRange(of: Array("{{".utf8)),
            let closing = rest[opening.upperBound...].firstRange(of: Array("}}".utf8)),
            let slot = Slot(rawValue: String(decoding: rest[opening.upperBound..<closing.lowerBound], as: UTF8.self))
        {
            parts += [.text(Array(rest[..<opening.lowerBound])), .slot(slot)]
            rest = rest[closing.upperBound...]
        }
        return parts + [.text(Array(rest))]
    }()

    private static func asset(_ asset: gallery_asset) -> [UInt8] {
        // The assets are static and read-only.
        unsafe Array(UnsafeBufferPointer(start: gallery_asset_bytes(asset), count: gallery_asset_size(asset)))
    }
}

/// Escapes untrusted text for HTML.
package enum HTMLText {
    /// For element content and quoted attributes.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A relative path as a URL path: everything except RFC 3986's unreserved characters and `/` is percent-encoded.
    package static func address(_ path: String) -> String {
        var address = ""
        for unit in path.utf8 {
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                address.unicodeScalars.append(Unicode.Scalar(unit))
            default:
                let digits = String(unit, radix: 16, uppercase: true)
                address += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return address
    }
}
