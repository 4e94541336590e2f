import Foundation
import LinuxIO

/// A pack's page: one HTML file that needs nothing but the stickers beside it, from a web server or as a file.
///
/// It is written in pieces, so that no more than a few stickers are in memory at a time: `opening`, any number of
/// `stickers`, `closing`. The same contents give the same bytes, UTF-8.
package struct GalleryPage {
    package static let fileName = "index.html"

    private let contents: GalleryContents
    private let baseURL: String?
    private var json = PageJSON()

    /// - Parameter baseURL: where the page's folder is on the web, for link previews, which need whole addresses; nil
    ///   leaves them out.
    package init(_ contents: GalleryContents, baseURL: String?) {
        self.contents = contents
        self.baseURL = baseURL
    }

    /// - Throws: `Errno` where SHA-256 finds no memory, nothing else.
    package mutating func opening() throws -> [UInt8] {
        let style = try Self.source(PageTemplate.style)
        let script = try Self.source(PageTemplate.script)
        var page: [UInt8] = []
        for part in PageTemplate.parts {
            switch part {
            case .text(let text): page += text
            case .slot(.style): page += PageTemplate.style
            case .slot(.script): page += PageTemplate.script
            case .slot(.title): page += HTMLText.escape(contents.pack.name).utf8
            case .slot(.icon): page += HTMLText.escape(icon).utf8
            case .slot(.policy): page += Self.policy(style: style, script: script).utf8
            case .slot(.social):
                if let baseURL { page += LinkPreview(contents, baseURL: baseURL).html.utf8 }
            case .slot(.contents):
                json.opening(contents, build: style + script)
                return page + json.take()
            }
        }
        return page
    }

    /// The next stickers, in order of arrival.
    package mutating func stickers(_ stickers: some Sequence<GalleryContents.Sticker>) -> [UInt8] {
        for sticker in stickers { json.entry(sticker) }
        return json.take()
    }

    package mutating func closing() -> [UInt8] {
        json.closing()
        return json.take() + PageTemplate.end
    }

    /// The style and the script of this page and no other, pictures and requests to its own folder's server only; no
    /// sink takes text for HTML (Trusted Types). 'self' is the page's folder tree where it is opened as a file.
    private static func policy(style: String, script: String) -> String {
        [
            "default-src 'none'", "style-src \(style)", "script-src \(script)", "img-src 'self' data:",
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    /// A source expression of CSP for an inline element with this text.
    private static func source(_ text: [UInt8]) throws -> String {
        let digest = try ContentDigest.sha256(of: text)
        return "'sha256-\(Data(digest.bytes).base64EncodedString())'"
    }

    /// The first sticker; without one an empty address, so that no browser asks the server for a favicon.
    private var icon: String {
        contents.cover.map { HTMLText.address($0.thumbnail ?? $0.file) } ?? "data:,"
    }
}
