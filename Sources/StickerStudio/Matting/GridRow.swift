/// One row of the photo's pixels with a grid's values interpolated between the blocks' centers, bilinearly.
struct GridRow<V: SIMD> where V.Scalar == Float {
    private let grid: PixelGrid
    private let values: [V]
    /// The grid's values at the height of the row.
    private var line: [V]

    init(_ values: [V], of grid: PixelGrid) {
        self.grid = grid
        self.values = values
        line = [V](repeating: .zero, count: grid.width)
    }

    /// Prepares the photo's row `row`.
    mutating func move(to row: Int) {
        let place = Self.place(of: row, factor: grid.factor, count: grid.height)
        let (upper, lower) = (place.index * grid.width, min(place.index + 1, grid.height - 1) * grid.width)
        let values = values
        let source = values.span
        let width = grid.width
        var target = line.mutableSpan
        for column in 0..<width {
            let value = source[upper + column]
            target[column] = value + (source[lower + column] - value) * place.fraction
        }
    }

    /// The value at the photo's column `column` of the prepared row.
    subscript(column: Int) -> V {
        let place = Self.place(of: column, factor: grid.factor, count: grid.width)
        let value = line[place.index]
        return value + (line[min(place.index + 1, grid.width - 1)] - value) * place.fraction
    }

    private static func place(of pixel: Int, factor: Int, count: Int) -> (index: Int, fraction: Float) {
        let position = max((Float(pixel) + 0.5) / Float(factor) - 0.5, 0)
        let index = min(Int(position), count - 1)
        return (index, position - Float(index))
    }
}
