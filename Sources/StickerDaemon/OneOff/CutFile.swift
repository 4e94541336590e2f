import FoundationEssentials
import PhotoFacts
import StickerStudio

/// A sticker as printers with a cutting plotter take it: an SVG of the picture and, above it, the line to cut along.
enum CutFile {
    /// The recipe of its picture: a PNG, which every program reads, without the shadow, which the knife would cut.
    static func recipe(_ recipe: Recipe) -> Recipe {
        var sticker = recipe.sticker
        sticker.shadow = nil
        return Recipe(sticker: sticker, format: .png, model: recipe.weights)
    }

    /// The line has the name that plotters' programs look for, and the color magenta. `xlink:href` is for programs that
    /// know SVG 1.1 only.
    static func text(of sticker: ProcessedPhoto.Sticker) -> String {
        let size = "width=\"\(sticker.facts.width)\" height=\"\(sticker.facts.height)\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(size) \
            viewBox="0 0 \(sticker.facts.width) \(sticker.facts.height)">
            <image \(size) xlink:href="data:image/png;base64,\(Data(sticker.data).base64EncodedString())"/>
            <path id="CutContour" fill="none" stroke="#f0f" d="\(sticker.cutPath?.svg ?? "")"/>
            </svg>

            """
    }
}
