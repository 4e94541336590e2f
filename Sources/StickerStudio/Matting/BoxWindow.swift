/// A square window that slides over a grid; it includes only blocks inside the grid.
struct BoxWindow {
    let width: Int
    let height: Int
    /// The window's side is twice this, plus one.
    let radius: Int

    /// The mean over the window around each value. Time does not depend on the radius.
    func means<V: SIMD>(of values: [V]) -> [V] where V.Scalar == Float {
        means(of: values, in: GridBox(columns: 0..<width, rows: 0..<height))
    }

    /// The mean over the window around each value in `box`; 0 elsewhere.
    func means<V: SIMD>(of values: [V], in box: GridBox) -> [V] where V.Scalar == Float {
        var result = [V](repeating: .zero, count: width * height)
        let source = values.span
        var target = result.mutableSpan
        forEachMean(in: box, of: { source[$0] }, { target[$0] = $1 })
        return result
    }

    /// Calls `body` for each index in `box` with the mean over the window around it.
    ///
    /// - Parameter value: called twice for each index, when it enters the window and when it leaves.
    @inline(__always)
    func forEachMean<V: SIMD>(
        in box: GridBox, of value: (_ index: Int) -> V, _ body: (_ index: Int, _ mean: V) -> Void
    ) where V.Scalar == Float {
        let reached = max(box.columns.lowerBound - radius, 0)..<min(box.columns.upperBound + radius, width)
        var columnSums = [V](repeating: .zero, count: reached.upperBound)
        var columns = columnSums.mutableSpan
        for row in max(box.rows.lowerBound - radius, 0)..<min(box.rows.lowerBound + radius, height) {
            for x in reached { columns[x] += value(row * width + x) }
        }
        for y in box.rows {
            if y + radius < height {
                for x in reached { columns[x] += value((y + radius) * width + x) }
            }
            if y - radius > 0, y > box.rows.lowerBound {
                for x in reached { columns[x] -= value((y - radius - 1) * width + x) }
            }
            let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
            var sum = V.zero
            let start = box.columns.lowerBound
            for x in max(start - radius, 0)..<min(start + radius, width) { sum += columns[x] }
            for x in box.columns {
                if x + radius < width { sum += columns[x + radius] }
                if x - radius > 0, x > start { sum -= columns[x - radius - 1] }
                let count = rows * (min(x + radius, width - 1) - max(x - radius, 0) + 1)
                body(y * width + x, sum * (1 / Float(count)))
            }
        }
    }
}
