/// The folders that every pack's folder has for what belongs to its stickers.
package enum OutboxSubfolder: String, CaseIterable, Sendable {
    /// A small WebP of each sticker, for the gallery.
    case thumbnails
    /// Each photo's colors, in the formats of `colors.export`.
    case palettes
}
