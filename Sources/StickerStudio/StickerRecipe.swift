package import PhotoColors

/// How a finished sticker looks; lengths in pixels of the finished sticker.
package struct StickerRecipe: Codable, Hashable, Sendable {
    /// The longer side, outline and padding included.
    package var size: Int
    /// How far the die-cut outline reaches beyond the subject.
    package var outlineWidth: Int
    /// Nil for no outline, whatever its width.
    package var outlineColor: HexColor?
    /// What stays transparent around the outline.
    package var padding: Int

    /// Any values; whether they can be drawn is `leavesRoom`.
    package init(
        size: Int = 512, outlineWidth: Int = 12, outlineColor: HexColor? = HexColor(red: 255, green: 255, blue: 255),
        padding: Int = 4
    ) {
        self.size = size
        self.outlineWidth = outlineWidth
        self.outlineColor = outlineColor
        self.padding = padding
    }

    /// Whether anything is drawn around the subject.
    package var hasOutline: Bool { outlineColor != nil && outlineWidth > 0 }

    /// Whether at least half of the longer side is left for the subject. Nothing can be drawn by a recipe without room.
    package var leavesRoom: Bool { size > 0 && outlineWidth >= 0 && padding >= 0 && 4 * margin <= size }

    /// What lies between the subject and the sticker's border on every side.
    package var margin: Int { (hasOutline ? outlineWidth : 0) + padding }
}
