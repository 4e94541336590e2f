import PhotoRaster

/// The position of the subject in the photo and on the sticker.
struct StickerPlacement {
    /// Whole pixels of the photo; the sticker's margin may reach beyond the photo's border.
    struct Crop {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    /// The largest enlargement of a small subject; a sticker that needs more is smaller than the recipe's size.
    private static let largestEnlargement = 2.0

    let crop: Crop
    /// In pixels of the finished sticker.
    private let width: Int
    private let height: Int
    /// The part of the crop that the sticker shows.
    private let view: PixelRect
    private let kernel: ResamplingKernel

    /// Nil if no pixel has at least half the full opacity.
    init?(of opacity: Plane, recipe: StickerRecipe) {
        // The outline covers the soft edge, so the margin starts at the outline's inner edge; without an outline the
        // soft edge itself must fit.
        let level: Float = recipe.hasOutline ? 0.5 : 1 / 255
        guard let bounds = SubjectBounds(of: opacity, level: level)?.rect else { return nil }
        let margins = recipe.margins
        let scale = min(
            Double(recipe.size - margins.across) / bounds.width, Double(recipe.size - margins.down) / bounds.height,
            Self.largestEnlargement)
        func side(_ length: Double, _ margin: Int) -> Int { max(1, Int((length * scale).rounded())) + margin }
        width = side(bounds.width, margins.across)
        height = side(bounds.height, margins.down)
        // Lanczos rings faintly beyond the soft edge; only an outline hides that.
        kernel = scale > 1 && recipe.hasOutline ? .lanczos3 : .area

        let shown = PixelRect(
            x: bounds.x + (bounds.width - Double(width - margins.across) / scale) / 2 - Double(margins.left) / scale,
            y: bounds.y + (bounds.height - Double(height - margins.down) / scale) / 2 - Double(margins.top) / scale,
            width: Double(width) / scale, height: Double(height) / scale)
        // One pixel more on every side, so that beyond the photo the sticker is transparent instead of repeating its
        // border.
        let left = Int(shown.x.rounded(.down)) - 1
        let top = Int(shown.y.rounded(.down)) - 1
        crop = Crop(
            x: left, y: top, width: Int((shown.x + shown.width).rounded(.up)) + 1 - left,
            height: Int((shown.y + shown.height).rounded(.up)) + 1 - top)
        view = PixelRect(x: shown.x - Double(left), y: shown.y - Double(top), width: shown.width, height: shown.height)
    }

    /// The sticker without its outline, from the crop's pixels.
    func resized(_ cutOut: Raster) -> Raster {
        cutOut.resampled(from: view, width: width, height: height, kernel: kernel)
    }
}
