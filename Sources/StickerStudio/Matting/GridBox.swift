/// A rectangle of a grid's blocks.
struct GridBox {
    var columns: Range<Int>
    var rows: Range<Int>

    /// This box and the blocks of the grid up to `reach` away from it.
    func grown(by reach: Int, in grid: PixelGrid) -> GridBox {
        GridBox(
            columns: max(columns.lowerBound - reach, 0)..<min(columns.upperBound + reach, grid.width),
            rows: max(rows.lowerBound - reach, 0)..<min(rows.upperBound + reach, grid.height))
    }
}
