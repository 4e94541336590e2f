package import PhotoColors
import SubjectModel

/// Everything that determines a photo's result besides its bytes: the same photo and recipe give the same bytes.
package struct Recipe: Codable, Hashable, Sendable {
    /// Must increase whenever the same settings and weights give other bytes than before.
    package static let currentRevision = 19

    /// `currentRevision` of the release that made the result.
    package let revision: Int
    /// Identifies the weights of the subject network: `SubjectNetwork.weightsDigest`, or the fingerprint of another
    /// model.
    package let weights: String
    package let sticker: StickerRecipe
    package let format: StickerFormat
    /// The largest size of a sticker's file in bytes, for formats that can trade quality for size; nil for no limit.
    package let maxBytes: Int?

    /// The recipe of this release, with the embedded weights, or with those whose fingerprint is `model`.
    package init(sticker: StickerRecipe, format: StickerFormat, maxBytes: Int? = nil, model: String? = nil) {
        self.revision = Self.currentRevision
        self.weights = model ?? SubjectNetwork.weightsDigest
        self.sticker = sticker
        self.format = format
        self.maxBytes = maxBytes
    }

    /// The longer side, in pixels, that a photo is decoded to, or a little more or less.
    package var workingSide: Int { max(SubjectNetwork.side, sticker.workingSide) }
}

/// The appearance of a finished sticker; lengths in pixels of the finished sticker.
package struct StickerRecipe: Codable, Hashable, Sendable {
    /// The longer side, outline, shadow and padding included.
    package var size: Int
    /// How far the die-cut outline reaches beyond the subject.
    package var outlineWidth: Int
    /// Nil for no outline, regardless of its width.
    package var outlineColor: HexColor?
    /// Nil for no shadow.
    package var shadow: StickerShadow?
    /// The transparent margin around everything that is drawn.
    package var padding: Int
    package var subjects: SubjectGrouping

    /// Accepts any values; check `leavesRoom` before drawing.
    package init(
        size: Int = 512, outlineWidth: Int = usualOutlineWidth,
        outlineColor: HexColor? = HexColor(red: 255, green: 255, blue: 255), shadow: StickerShadow? = nil,
        padding: Int = 4, subjects: SubjectGrouping = .auto
    ) {
        self.size = size
        self.outlineWidth = outlineWidth
        self.outlineColor = outlineColor
        self.shadow = shadow
        self.padding = padding
        self.subjects = subjects
    }

    /// `length` pixels of a sticker of 512, for one of `size`: at least 1.
    package static func usual(_ length: Int, forSize size: Int) -> Int { max(1, (size * length + 256) / 512) }
    /// The default outline's width, for 512 pixels.
    package static let usualOutlineWidth = 15

    /// Whether anything is drawn around the subject.
    package var hasOutline: Bool { outlineColor != nil && outlineWidth > 0 }

    /// Whether at least half of the longer side remains for the subject. Other recipes cannot be drawn.
    package var leavesRoom: Bool {
        // Before they are added up, so that the sums cannot overflow.
        guard 1...Self.sizeLimit ~= size, 0...size ~= outlineWidth, 0...size ~= padding, shadow?.isDrawable ?? true
        else {
            return false
        }
        return 2 * max(margins.across, margins.down) <= size
    }

    /// Far above the largest setting.
    private static let sizeLimit = 1 << 20

    /// The distances between the subject and the sticker's border.
    var margins: StickerMargins {
        let around = (hasOutline ? outlineWidth : 0) + padding
        let reach = shadow?.reach ?? StickerMargins()
        return StickerMargins(
            left: around + reach.left, right: around + reach.right, top: around + reach.top,
            bottom: around + reach.bottom)
    }

    /// The outline's width as a fraction of the space that remains for the subject.
    var outlineShare: Double {
        hasOutline ? Double(outlineWidth) / Double(size - max(margins.across, margins.down)) : 0
    }

    /// The longer side, in pixels, that a photo is decoded to: nearly twice the sticker's. A subject that fills
    /// half of the photo is not enlarged then, and a 12-megapixel photo can still be decoded at a quarter of its size.
    var workingSide: Int { size * 15 / 8 }
}

/// Whether several subjects that do not touch become one sticker or several.
package enum SubjectGrouping: String, Codable, Hashable, Sendable, CaseIterable {
    /// One sticker for each subject if they are far apart and each is clear by itself; otherwise one for all.
    case auto
    /// One sticker shows them all.
    case together
    /// One sticker for each, from left to right.
    case separate
}
