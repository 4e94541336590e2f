import Foundation
import LinuxIO

/// A pack's page: one HTML file that needs only the stickers next to it, from a web server or as a file.
///
/// It is written in pieces, so that only a few stickers are in memory at a time: `opening`, any number of `stickers`,
/// `closing`. The same contents give the same bytes, in UTF-8.
package struct GalleryPage {
    package static let fileName = "index.html"

    private let contents: GalleryContents
    private let baseURL: String?
    private var json = PageJSON()

    /// Link previews require absolute addresses: `baseURL` is the web address of the page's folder, and nil leaves the
    /// previews out.
    package init(_ contents: GalleryContents, baseURL: String?) {
        self.contents = contents
        self.baseURL = baseURL
    }

    /// - Throws: `Errno` if SHA-256 cannot allocate memory; nothing else.
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

    /// Allows only this page's own style and script, and images and requests only from its own folder's server; no sink
    /// accepts text as HTML (Trusted Types). 'self' is the page's folder tree if it is opened as a file.
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

    /// The first sticker; without one, an empty address, so that no browser requests a favicon from the server.
    private var icon: String {
        contents.cover.map { HTMLText.address($0.thumbnail ?? $0.file) } ?? "data:,"
    }
}
