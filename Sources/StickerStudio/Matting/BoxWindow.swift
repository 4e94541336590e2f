/// A square window that slides over a grid; at the border, what lies beyond is left out.
struct BoxWindow {
    let width: Int
    let height: Int
    /// The window's side is twice this and one.
    let radius: Int

    /// The mean over the window around each value. Time does not depend on the radius.
    func means<V: SIMD>(of values: [V]) -> [V] where V.Scalar == Float {
        var result = values
        var columnSums = [V](repeating: .zero, count: width)
        let source = values.span
        var target = result.mutableSpan
        var columns = columnSums.mutableSpan
        for y in 0..<min(radius, height) {
            for x in 0..<width { columns[x] += source[y * width + x] }
        }
        for y in 0..<height {
            if y + radius < height {
                for x in 0..<width { columns[x] += source[(y + radius) * width + x] }
            }
            if y > radius {
                for x in 0..<width { columns[x] -= source[(y - radius - 1) * width + x] }
            }
            let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
            var sum = V.zero
            for x in 0..<min(radius, width) { sum += columns[x] }
            for x in 0..<width {
                if x + radius < width { sum += columns[x + radius] }
                if x > radius { sum -= columns[x - radius - 1] }
                let count = rows * (min(x + radius, width - 1) - max(x - radius, 0) + 1)
                target[y * width + x] = sum * (1 / Float(count))
            }
        }
        return result
    }
}
