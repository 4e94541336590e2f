import PhotoRaster

/// The position of the subject in the photo and on the sticker.
struct StickerPlacement {
    /// Of the photo; it may reach beyond the photo's border.
    let crop: PixelBounds
    /// The sticker's pixels for each pixel of the opacity, along a side.
    let scale: Double
    /// The size of the sticker, in pixels.
    private let width: Int
    private let height: Int
    /// The part of the crop that the sticker shows.
    private let view: PixelRect
    private let kernel: ResamplingKernel

    /// A small subject has the size that it has in the photo; its sticker is smaller than the recipe's size.
    ///
    /// Nil if no pixel has at least half the full opacity.
    ///
    /// - Parameters:
    ///   - opacity: at the working size.
    ///   - photoScale: the photo's pixels for each of these, along a side.
    ///   - recipe: of the sticker.
    init?(of opacity: Plane, photoScale: Double, recipe: StickerRecipe) {
        // With an outline, which covers the soft edge, the margin starts at the outline's inner edge; without one, the
        // soft edge itself must fit.
        let level: Float = recipe.hasOutline ? 0.5 : 1 / 255
        guard let bounds = opacity.bounds(level: level) else { return nil }
        let margins = recipe.margins
        let scale = min(
            Double(recipe.size - margins.across) / bounds.width, Double(recipe.size - margins.down) / bounds.height,
            max(photoScale, 1))
        self.scale = scale
        func side(_ length: Double, _ margin: Int) -> Int { max(1, Int((length * scale).rounded())) + margin }
        width = side(bounds.width, margins.across)
        height = side(bounds.height, margins.down)
        // Lanczos rings faintly beyond the soft edge; an outline hides that.
        kernel = scale > 1 && recipe.hasOutline ? .lanczos3 : .area

        let shown = PixelRect(
            x: bounds.x + (bounds.width - Double(width - margins.across) / scale) / 2 - Double(margins.left) / scale,
            y: bounds.y + (bounds.height - Double(height - margins.down) / scale) / 2 - Double(margins.top) / scale,
            width: Double(width) / scale, height: Double(height) / scale)
        // One more pixel on each side: otherwise resampling would repeat the photo's border instead of fading to
        // transparent.
        let left = Int(shown.x.rounded(.down)) - 1
        let top = Int(shown.y.rounded(.down)) - 1
        crop = PixelBounds(
            x: left, y: top, width: Int((shown.x + shown.width).rounded(.up)) + 1 - left,
            height: Int((shown.y + shown.height).rounded(.up)) + 1 - top)
        view = PixelRect(x: shown.x - Double(left), y: shown.y - Double(top), width: shown.width, height: shown.height)
    }

    /// The sticker without its outline, from the crop's pixels.
    func resized(_ cutOut: Raster) -> Raster {
        cutOut.resampled(from: view, width: width, height: height, kernel: kernel)
    }
}

/// The distances between the subject and the sticker's border on each side, in pixels of the finished sticker.
struct StickerMargins {
    var left = 0
    var right = 0
    var top = 0
    var bottom = 0

    var across: Int { left + right }
    var down: Int { top + bottom }
}

extension Plane {
    /// The smallest rectangle around all pixels of at least this opacity, with subpixel precision: border pixels of a
    /// small subject are enlarged with it. Nil if there are none.
    func bounds(level: Float) -> PixelRect? {
        let values = values.span
        let visible = BitPlane(of: self, atLeast: level)
        let tops = visible.firsts(of: 0..<height)
        let bottoms = visible.firsts(of: (0..<height).reversed())
        var (left, right) = (Double.infinity, -Double.infinity)
        for y in 0..<height {
            guard let (first, last) = visible.ends(ofRow: y) else { continue }
            let row = values.extracting(y * width..<(y + 1) * width)
            left = min(left, Double(first) - Self.reach(row[first], first > 0 ? row[first - 1] : 0, level))
            right = max(right, Double(last) + 1 + Self.reach(row[last], last + 1 < width ? row[last + 1] : 0, level))
        }
        guard left <= right else { return nil }
        var (upper, lower) = (Double.infinity, -Double.infinity)
        for x in 0..<width where tops[x] >= 0 {
            let (top, bottom) = (tops[x], bottoms[x])
            let above = top > 0 ? values[(top - 1) * width + x] : 0
            let below = bottom + 1 < height ? values[(bottom + 1) * width + x] : 0
            upper = min(upper, Double(top) - Self.reach(values[top * width + x], above, level))
            lower = max(lower, Double(bottom) + 1 + Self.reach(values[bottom * width + x], below, level))
        }
        // A single row or column exactly at the level would have no extent.
        (left, upper) = (min(left, right - 0.01), min(upper, lower - 0.01))
        return PixelRect(x: left, y: upper, width: right - left, height: lower - upper)
    }

    /// How far beyond its border a pixel is visible, -0.5…0.5 pixels: to where the line between its value and its
    /// neighbor's crosses `level`.
    private static func reach(_ inside: Float, _ outside: Float, _ level: Float) -> Double {
        Double((inside - level) / (inside - outside)) - 0.5
    }
}
