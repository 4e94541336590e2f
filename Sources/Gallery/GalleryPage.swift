internal import CGalleryAssets
import Foundation
import LinuxIO
import SystemPackage

/// A pack's page: one HTML file that needs only its script and the stickers next to it, from a web server or as a file.
///
/// It is written in pieces, so that only a few stickers are in memory at a time: `opening`, any number of `stickers`,
/// `closing`. The same contents give the same bytes, in UTF-8.
package struct GalleryPage {
    package static let fileName = "index.html"
    private let contents: GalleryContents
    private let baseURL: String?
    private var json = PageJSON()

    /// The web address of the page's folder, because link previews require absolute addresses; nil for no previews.
    package init(_ contents: GalleryContents, baseURL: String?) {
        self.contents = contents
        self.baseURL = baseURL
    }

    /// - Throws: `Errno` if SHA-256 cannot allocate memory.
    package mutating func opening() throws -> [UInt8] {
        let style = try PageTemplate.styleSource.get()
        let code = try PageCode.file.get()
        var page: [UInt8] = []
        for part in PageTemplate.parts {
            switch part {
            case .text(let text): page += text
            case .slot(.style): page += PageTemplate.style
            case .slot(.code): page += HTMLText.escape(code).utf8
            case .slot(.title): page += HTMLText.escape(contents.pack.name).utf8
            case .slot(.icon): page += HTMLText.escape(icon).utf8
            case .slot(.exports): page += exports.utf8
            case .slot(.packs): page += HTMLText.escape(HTMLText.address(contents.navigation)).utf8
            case .slot(.policy): page += Self.policy(style: style, hasPages: contents.pages != nil).utf8
            case .slot(.social):
                if let baseURL { page += LinkPreview(contents, baseURL: baseURL).html.utf8 }
            case .slot(.contents):
                json.opening(contents, build: style + code)
                return page + json.take()
            }
        }
        return page
    }

    /// The next stickers, in order of arrival.
    package mutating func stickers(_ stickers: some Sequence<GalleryEntry>) -> [UInt8] {
        for sticker in stickers { json.line { $0.append(sticker.bytes) } }
        return json.take()
    }

    package mutating func closing() -> [UInt8] {
        json.closing()
        return json.take() + PageTemplate.end
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

    /// Loads the list of exports.
    private var exports: String {
        contents.exports.map {
            "<script src=\"\(HTMLText.escape(HTMLText.address($0)))\" id=\"exports-list\" defer></script>\n"
        } ?? ""
    }

    /// The first sticker's address; empty without one, so that no browser requests a favicon from the server.
    private var icon: String {
        contents.cover.map { HTMLText.address($0.thumbnail ?? $0.file) } ?? "data:,"
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
            let slot = Slot(
                rawValue: String(decoding: rest[opening.upperBound..<closing.lowerBound], as: UTF8.self))
        {
            parts += [.text(Array(rest[..<opening.lowerBound])), .slot(slot)]
            rest = rest[closing.upperBound...]
        }
        return parts + [.text(Array(rest))]
    }()

    /// Everything after the contents.
    static let end: [UInt8] = {
        guard let contents = parts.firstIndex(where: { if case .slot(.contents) = $0 { true } else { false } })
        else { return [] }
        return parts[(contents + 1)...].reduce(into: []) { end, part in
            switch part {
            case .text(let text): end += text
            case .slot: preconditionFailure("No slot may follow the contents")
            }
        }
    }()

    private static func asset(_ asset: gallery_asset) -> [UInt8] {
        // The assets are static and read-only.
        unsafe Array(UnsafeBufferPointer(start: gallery_asset_bytes(asset), count: gallery_asset_size(asset)))
    }
}

/// The preview that messengers show for a link to the page: Open Graph tags (https://ogp.me).
struct LinkPreview {
    private let tags: [(property: String, content: String)]

    /// - Parameter baseURL: the page's folder, with or without a trailing slash.
    init(_ contents: GalleryContents, baseURL: String) {
        let folder = baseURL.hasSuffix("/") ? baseURL : baseURL + "/"
        let count = contents.stickerCount
        var tags = [
            ("og:type", "website"), ("og:title", contents.pack.name),
            ("og:description", count == 1 ? "1 sticker" : "\(count) stickers"), ("og:url", folder),
        ]
        if let first = contents.cover {
            tags += [
                ("og:image", folder + HTMLText.address(first.file)), ("og:image:width", "\(first.width)"),
                ("og:image:height", "\(first.height)"), ("og:image:alt", first.name),
            ]
        }
        self.tags = tags
    }

    var html: String {
        tags.map { "<meta property=\"\($0.property)\" content=\"\(HTMLText.escape($0.content))\">\n" }.joined()
    }
}

/// Escapes untrusted text for HTML.
enum HTMLText {
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
    static func address(_ path: String) -> String {
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
