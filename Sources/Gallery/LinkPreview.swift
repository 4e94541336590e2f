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
