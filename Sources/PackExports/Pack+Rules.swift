import PackFacts

/// Rules that several messengers have.
extension Pack {
    /// The publisher as messengers take it.
    ///
    /// - Parameter limit: in UTF-16 code units.
    /// - Throws: if the pack has none.
    func publisher(for title: String, limit: Int) throws(ExportRefusal) -> String {
        let publisher = ExportText.cut(publisher, to: limit)
        guard !publisher.isEmpty else {
            throw ExportRefusal(
                "\(title) requires a publisher; set \"pack.publisher\" to your name, in the settings or with --set.")
        }
        return publisher
    }

    /// - Throws: if the pack has fewer stickers.
    func require(_ count: Int, for title: String) throws(ExportRefusal) {
        let missing = count - stickers.count
        guard missing > 0 else { return }
        throw ExportRefusal(
            """
            \(title) requires at least \(Self.stickerCount(count)), and this pack has \(stickers.count); \
            add photos for \(missing) more.
            """)
    }

    static func stickerCount(_ count: Int) -> String { count == 1 ? "1 sticker" : "\(count) stickers" }
}
