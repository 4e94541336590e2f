/// A rectangle of a grid's blocks.
struct GridBox {
    var columns: Range<Int>
    var rows: Range<Int>

    /// This and what is up to `reach` blocks away from it, as far as the grid has blocks there.
    func grown(by reach: Int, in grid: PixelGrid) -> GridBox {
        GridBox(
            columns: max(columns.lowerBound - reach, 0)..<min(columns.upperBound + reach, grid.width),
            rows: max(rows.lowerBound - reach, 0)..<min(rows.upperBound + reach, grid.height))
    }
}
