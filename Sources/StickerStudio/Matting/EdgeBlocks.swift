internal import CRasterLoops
import PhotoRaster

/// The blocks of a photo's grid that may contain the subject's edge. Most of a matte is clearly inside or outside, so
/// restricting work to these blocks saves time.
struct EdgeBlocks {
    private static let outside: UInt8 = 1
    private static let inside: UInt8 = 2

    let grid: PixelGrid
    /// For each block, the flags `outside` and `inside`; both if its pixels differ or lie between 0 and 1.
    private var states: [UInt8]
    /// The bounding box of all blocks with the edge; nil if there are none.
    private(set) var box: GridBox?

    /// Rounds values of `plane` (0…1, in the photo's size) that are within `margin` of 0 or 1, and classifies the
    /// blocks.
    init(of plane: inout Plane, grid: PixelGrid, margin: Float) {
        self.grid = grid
        states = [UInt8](repeating: 0, count: grid.width * grid.height)
        let (width, height, factor) = (plane.width, plane.height, grid.factor)
        // Row `y` has `width` values, and one flag for each block of `factor`.
        unsafe plane.values.withUnsafeMutableBufferPointer { values in
            unsafe states.withUnsafeMutableBufferPointer { flags in
                guard let values = values.baseAddress, let flags = flags.baseAddress else { return }
                for y in 0..<height {
                    unsafe raster_round_row(values + y * width, width, margin, factor, flags + y / factor * grid.width)
                }
            }
        }
        for index in states.indices where states[index] == Self.outside | Self.inside {
            insert(column: index % grid.width, row: index / grid.width)
        }
    }

    /// 0 or 1 if all pixels of the block have this value; nil if the block contains the edge.
    @inline(__always)
    func value(ofBlock index: Int) -> Float? {
        switch states[index] {
        case Self.outside: 0
        case Self.inside: 1
        default: nil
        }
    }

    /// The mean of `body` over each block's pixels.
    @inline(__always)
    func means(of plane: Plane, _ body: (Float) -> Float) -> [Float] {
        let values = plane.values.span
        var result = [Float](repeating: 0, count: states.count)
        for index in states.indices {
            if let value = value(ofBlock: index) {
                result[index] = body(value)
            } else {
                var sum: Float = 0
                let count = grid.forEachPixel(ofBlock: index) { sum += body(values[$0]) }
                result[index] = sum / Float(count)
            }
        }
        return result
    }

    /// Marks a block as containing the edge.
    mutating func insert(column: Int, row: Int) {
        states[row * grid.width + column] = Self.outside | Self.inside
        let known = box ?? GridBox(columns: column..<column, rows: row..<row)
        box = GridBox(
            columns: min(known.columns.lowerBound, column)..<max(known.columns.upperBound, column + 1),
            rows: min(known.rows.lowerBound, row)..<max(known.rows.upperBound, row + 1))
    }

    /// Calls `body` with the columns, in pixels, of each run of pixels in blocks with the edge, row by row.
    @inline(__always)
    func forEachRun(
        where isWanted: (_ block: Int) -> Bool = { _ in true }, _ body: (_ columns: Range<Int>, _ y: Int) -> Void
    ) {
        guard let box else { return }
        for row in box.rows {
            for y in row * grid.factor..<min((row + 1) * grid.factor, grid.photoHeight) {
                forEachRun(ofColumns: { hasEdge($0, row) && isWanted(row * grid.width + $0) }) { body($0, y) }
            }
        }
    }

    /// Calls `body` with the columns, in pixels, of each run of columns of blocks that are wanted.
    @inline(__always)
    func forEachRun(ofColumns isWanted: (_ column: Int) -> Bool, _ body: (_ columns: Range<Int>) -> Void) {
        var column = box?.columns.lowerBound ?? 0
        let end = box?.columns.upperBound ?? 0
        while column < end {
            let first = column
            while column < end, isWanted(column) { column += 1 }
            if column > first { body(first * grid.factor..<min(column * grid.factor, grid.photoWidth)) }
            column += 1
        }
    }

    @inline(__always)
    func hasEdge(_ column: Int, _ row: Int) -> Bool {
        states[row * grid.width + column] == Self.outside | Self.inside
    }

    /// Calls `body` for each run of pixels in blocks with the edge, with its row of `plane` and of `photo`, the run's
    /// columns and row, and the values of a grid around them.
    @inline(__always)
    func forEachRun<V: SIMD>(
        of plane: inout Plane, beside photo: Raster, with values: [V],
        where isWanted: (_ block: Int) -> Bool = { _ in true },
        _ body: (UnsafeMutablePointer<Float>, UnsafePointer<UInt8>, _ columns: Range<Int>, _ y: Int, raster_rows) ->
            Void
    ) where V.Scalar == Float {
        var rows = GridRows(values, near: self)
        let pixels = photo.pixels.span
        unsafe plane.values.withUnsafeMutableBufferPointer { values in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard let values = values.baseAddress, let pixels = pixels.baseAddress else { return }
                forEachRun(where: isWanted) { columns, y in
                    let start = y * grid.photoWidth
                    unsafe rows.withRows(around: y) {
                        unsafe body(values + start, pixels + start * Raster.channels, columns, y, $0)
                    }
                }
            }
        }
    }
}
