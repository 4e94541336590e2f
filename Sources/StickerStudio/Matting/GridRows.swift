internal import CRasterLoops

/// A grid's values, interpolated bilinearly between the centers of its blocks, for one row of the photo at a time. Each
/// row of the grid is interpolated across once, where the edge is near, for all rows of the photo that are near it.
struct GridRows<V: SIMD> where V.Scalar == Float {
    private let edge: EdgeBlocks
    private let values: [V]
    /// Two rows of the grid, interpolated across: the even one, then the odd one.
    private var expanded: [Float]
    private var rows = [-1, -1]

    /// - Parameter edge: in whose blocks values are asked for.
    init(_ values: [V], near edge: EdgeBlocks) {
        self.edge = edge
        self.values = values
        expanded = [Float](repeating: 0, count: 2 * V.scalarCount * edge.grid.photoWidth)
    }

    /// Calls `body` with the values around the photo's row `row`.
    @inline(__always)
    mutating func withRows(around row: Int, _ body: (raster_rows) -> Void) {
        let grid = edge.grid
        let place = max((Float(row) + 0.5) * (1 / Float(grid.factor)) - 0.5, 0)
        let above = Int(place)
        let below = min(above + 1, grid.height - 1)
        expand(above)
        expand(below)
        let size = V.scalarCount * grid.photoWidth
        unsafe expanded.withUnsafeBufferPointer { expanded in
            guard let start = expanded.baseAddress else { return }
            unsafe body(
                raster_rows(
                    above: start + above % 2 * size, below: start + below % 2 * size, stride: grid.photoWidth,
                    share: place - Float(above)))
        }
    }

    private mutating func expand(_ row: Int) {
        guard rows[row % 2] != row else { return }
        rows[row % 2] = row
        let grid = edge.grid
        let near = max(row - 1, 0)...min(row + 1, grid.height - 1)
        let start = row % 2 * V.scalarCount * grid.photoWidth
        // A vector is as many floats as it has lanes, and the columns are within the photo.
        unsafe expanded.withUnsafeMutableBufferPointer { expanded in
            unsafe values.withUnsafeBytes { bytes in
                let floats = unsafe bytes.assumingMemoryBound(to: Float.self)
                guard let from = floats.baseAddress, let out = expanded.baseAddress else { return }
                edge.forEachRun(ofColumns: { column in near.contains { edge.hasEdge(column, $0) } }) { columns in
                    unsafe raster_expand_row(
                        from + row * grid.width * V.scalarCount, V.scalarCount, grid.width, grid.factor,
                        columns.lowerBound, columns.upperBound, grid.photoWidth, out + start)
                }
            }
        }
    }
}
