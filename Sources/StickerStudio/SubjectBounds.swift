import PhotoRaster

/// The smallest rectangle around all that is visible, to a fraction of a pixel: a small subject is enlarged a lot, and
/// so is the pixel its border runs through.
struct SubjectBounds {
    let rect: PixelRect

    /// What counts as visible: `opacity` is at least `level`. Nil where nothing is.
    init?(of opacity: Plane, level: Float) {
        let width = opacity.width
        let across = Self.extent(lines: 0..<opacity.height, length: width, level: level) { line, position in
            opacity.values[line * width + position]
        }
        guard let across else { return nil }
        let columns = max(0, Int(across.lowerBound))..<min(width, Int(across.upperBound.rounded(.up)))
        let down = Self.extent(lines: columns, length: opacity.height, level: level) { line, position in
            opacity.values[position * width + line]
        }
        guard let down else { return nil }
        rect = PixelRect(
            x: across.lowerBound, y: down.lowerBound, width: across.upperBound - across.lowerBound,
            height: down.upperBound - down.lowerBound)
    }

    /// From the first to the last crossing of `level` on any of the lines.
    private static func extent(
        lines: Range<Int>, length: Int, level: Float, value: (_ line: Int, _ position: Int) -> Float
    ) -> ClosedRange<Double>? {
        var low = Double.infinity
        var high = -Double.infinity
        for line in lines {
            guard let first = (0..<length).first(where: { value(line, $0) >= level }),
                let last = (first..<length).last(where: { value(line, $0) >= level })
            else { continue }
            func reach(from position: Int, to neighbor: Int) -> Double {
                let inside = value(line, position)
                let outside = 0..<length ~= neighbor ? value(line, neighbor) : 0
                return Double((inside - level) / (inside - outside))
            }
            low = min(low, Double(first) + 0.5 - reach(from: first, to: first - 1))
            high = max(high, Double(last) + 0.5 + reach(from: last, to: last + 1))
        }
        // A single row or column at exactly the level has no extent of its own.
        return low <= high ? min(low, high - 0.01)...high : nil
    }
}
