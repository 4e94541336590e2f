import PhotoRaster

/// The smallest rectangle around all visible pixels, to a fraction of a pixel: with a small subject, the pixels of its
/// border are enlarged, too.
struct SubjectBounds {
    let rect: PixelRect

    /// A pixel is visible if its `opacity` is at least `level`. Nil if none is.
    init?(of opacity: Plane, level: Float) {
        let (width, height) = (opacity.width, opacity.height)
        let values = opacity.values.span
        // For each column, the first and the last row in which it is visible: one pass over the rows.
        var tops = [Int](repeating: -1, count: width)
        var bottoms = [Int](repeating: -1, count: width)
        var (left, right) = (Double.infinity, -Double.infinity)
        for y in 0..<height {
            let row = values.extracting(y * width..<(y + 1) * width)
            guard let first = (0..<width).first(where: { row[$0] >= level }),
                let last = (first..<width).last(where: { row[$0] >= level })
            else { continue }
            for x in first...last where row[x] >= level {
                if tops[x] < 0 { tops[x] = y }
                bottoms[x] = y
            }
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
        // A single row or column at exactly the level has no extent of its own.
        (left, upper) = (min(left, right - 0.01), min(upper, lower - 0.01))
        rect = PixelRect(x: left, y: upper, width: right - left, height: lower - upper)
    }

    /// How far beyond its border a pixel is visible, -0.5…0.5: to where the straight line from its center to its
    /// neighbor's crosses `level`.
    private static func reach(_ inside: Float, _ outside: Float, _ level: Float) -> Double {
        Double((inside - level) / (inside - outside)) - 0.5
    }
}
