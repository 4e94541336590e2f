/// A grid's values between the centers of its blocks, interpolated bilinearly, along one row of the photo at a time.
struct GridSampler<V: SIMD> where V.Scalar == Float {
    private let grid: PixelGrid
    private let values: [V]
    private var upper = 0
    private var lower = 0
    private var fraction: Float = 0
    private let scale: Float

    init(_ values: [V], of grid: PixelGrid) {
        self.grid = grid
        self.values = values
        scale = 1 / Float(grid.factor)
    }

    /// Goes to the photo's row `row`.
    mutating func move(to row: Int) {
        let place = place(of: row, count: grid.height)
        upper = place.index * grid.width
        lower = min(place.index + 1, grid.height - 1) * grid.width
        fraction = place.fraction
    }

    /// The value at the photo's column `column` of this row.
    @inline(__always)
    subscript(column: Int) -> V {
        let (left, share) = place(of: column, count: grid.width)
        let right = min(left + 1, grid.width - 1)
        let source = values.span
        let above = source[upper + left] + (source[upper + right] - source[upper + left]) * share
        let below = source[lower + left] + (source[lower + right] - source[lower + left]) * share
        return above + (below - above) * fraction
    }

    @inline(__always)
    private func place(of pixel: Int, count: Int) -> (index: Int, fraction: Float) {
        let position = max((Float(pixel) + 0.5) * scale - 0.5, 0)
        let index = min(Int(position), count - 1)
        return (index, position - Float(index))
    }
}
