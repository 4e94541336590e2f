import PhotoColors
import Processing
import StickerStudio

extension SettingKey {
    static let sticker: [SettingKey] = [
        .integer(
            "sticker.size", \.sticker.size, 512, 96...2048,
            "The length of the longer side in pixels, including outline, shadow and padding."),
        .choice("sticker.format", \.format, .png, "The image format of stickers."),
        .integer(
            "sticker.maxBytes", \.maxBytes, 100_000, 0...1 << 30,
            """
            Maximum bytes of a WebP sticker, whose quality is lowered until it fits; 0 for no limit. Ignored for PNG.
            """),
        .choice(
            "sticker.subjects", \.sticker.subjects, .auto,
            """
            Whether subjects of a photo that do not touch become one sticker together, or one each, from left to \
            right. auto makes one each if the outline does not join them and each is clear by itself.
            """),
        .integerOrAuto(
            "sticker.outline.width", \.outlineWidth, 0...256,
            """
            The width in pixels; auto is 15 per 512 pixels of sticker.size. Outline, shadow and padding together must \
            leave at least half of sticker.size for the subject.
            """),
        .color(
            "sticker.outline.color", \.sticker.outlineColor, HexColor(red: 255, green: 255, blue: 255),
            "The color as #rrggbb, #rgb or a CSS name such as white, or none for no outline."),
        .fraction("sticker.shadow.opacity", \.shadowOpacity, 0.25, "The opacity; 0 for no shadow, 1 for black."),
        .integerOrAuto(
            "sticker.shadow.radius", \.shadowRadius, 0...256,
            "The distance in pixels over which it fades out; auto is 8 per 512 pixels of sticker.size."),
        .integerOrAuto(
            "sticker.shadow.offset", \.shadowOffset, -256...256,
            """
            The distance in pixels by which it is moved down; negative values move it up. auto is 3 per 512 pixels of \
            sticker.size.
            """),
        .integer(
            "sticker.padding", \.sticker.padding, 4, 0...256,
            "The transparent margin in pixels around the outline."),
        .flag(
            "sticker.keepStem", \.processing.keepStem, true,
            "Whether a sticker's file name begins with the photo's; if not, it has only digits of the photo's SHA-256."),
    ]
}
