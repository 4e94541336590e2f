package import StickerStudio

extension Settings {
    /// The look and file name of stickers; lengths in pixels of the finished sticker.
    package struct Sticker: Sendable {
        /// The longer side, outline, shadow and padding included.
        package internal(set) var size = 512
        package internal(set) var format = StickerFormat.png
        /// Maximum bytes of a WebP sticker; 0 for no limit.
        package internal(set) var maxBytes = 100_000
        package internal(set) var subjects = SubjectGrouping.auto
        package internal(set) var outline = Outline()
        package internal(set) var shadow = Shadow()
        /// The transparent margin around subject, outline and shadow.
        package internal(set) var padding = 4
        /// Whether the file name begins with the photo's.
        package internal(set) var keepStem = true
    }

    /// The die-cut edge around a sticker.
    package struct Outline: Sendable {
        /// The width beyond the subject, in pixels of the finished sticker; nil for `StickerRecipe`'s usual fraction of
        /// the size.
        package internal(set) var width: Int?
        /// `#rrggbb` in lowercase, sRGB; nil for no outline, regardless of the width.
        package internal(set) var color: String? = "#ffffff"
    }

    /// The soft shadow under a sticker; lengths in pixels of the finished sticker.
    package struct Shadow: Sendable {
        /// 0 for no shadow, 1 for black.
        package internal(set) var opacity = 0.0
        /// The distance over which it fades out.
        package internal(set) var radius = 12
        /// The distance below the sticker; negative values move it up.
        package internal(set) var offset = 4
    }
}

extension SettingKey {
    static let sticker: [SettingKey] = [
        .integer(
            "sticker.size", \.sticker.size, 96...2048,
            "The length of the longer side in pixels, including outline, shadow and padding."),
        .choice("sticker.format", \.sticker.format, "The image format of stickers."),
        .integer(
            "sticker.maxBytes", \.sticker.maxBytes, 0...1 << 30,
            """
            Maximum bytes of a WebP sticker, whose quality is lowered until it fits; 0 for no limit. Ignored for PNG.
            """),
        .choice(
            "sticker.subjects", \.sticker.subjects,
            """
            Whether subjects of a photo that do not touch become one sticker together, or one each, from left to \
            right. auto makes one each if the gap between them is wider than half the smaller one and each is \
            clear by itself.
            """),
        .integerOrAuto(
            "sticker.outline.width", \.sticker.outline.width, 0...256,
            """
            The width in pixels; auto is 12 per 512 pixels of sticker.size. Outline, shadow and padding together must \
            leave at least half of sticker.size for the subject.
            """),
        .color(
            "sticker.outline.color", \.sticker.outline.color,
            "The color as #rrggbb, #rgb or a CSS name such as white, or none for no outline."),
        .fraction("sticker.shadow.opacity", \.sticker.shadow.opacity, "The opacity; 0 for no shadow, 1 for black."),
        .integer(
            "sticker.shadow.radius", \.sticker.shadow.radius, 0...256,
            "The distance in pixels over which it fades out."),
        .integer(
            "sticker.shadow.offset", \.sticker.shadow.offset, -256...256,
            "The distance in pixels by which it is moved down; negative values move it up."),
        .integer(
            "sticker.padding", \.sticker.padding, 0...256,
            "The transparent margin in pixels around the outline."),
        .flag(
            "sticker.keepStem", \.sticker.keepStem,
            "Whether a sticker's file name begins with the photo's; if not, it has only digits of the photo's SHA-256."),
    ]
}
