/// The connected regions of a set of pixels, as horizontal runs.
///
/// Runs that touch the row above are joined by union-find: one pass over the pixels, and memory only for the runs.
package struct Regions {
    /// Neighboring pixels of one row, and the region they belong to.
    package struct Run {
        package let row: Int
        package let columns: Range<Int>
        /// Their indices in row-major order.
        package let pixels: Range<Int>
        /// From 0 to less than `count`, in order of first appearance.
        package fileprivate(set) var region: Int
    }

    /// Row by row, left to right.
    package private(set) var runs: [Run] = []
    /// How many regions there are.
    package private(set) var count = 0

    private let width: Int
    private let height: Int

    /// The regions of the set pixels; if `diagonal`, pixels that share only a corner are neighbors.
    package init(of bits: BitPlane, diagonal: Bool) {
        width = bits.width
        height = bits.height
        var parents: [Int] = []
        var above = 0..<0
        for row in 0..<height {
            let first = runs.count
            let start = row * width
            bits.forEachRun(inRow: row) { columns in
                let pixels = start + columns.lowerBound..<start + columns.upperBound
                runs.append(Run(row: row, columns: columns, pixels: pixels, region: 0))
            }
            parents.append(contentsOf: first..<runs.count)
            join(above, with: first..<runs.count, reach: diagonal ? 1 : 0, parents: &parents)
            above = first..<runs.count
        }
        number(by: &parents)
    }

    /// For each region, whether it is away from the plane's border.
    package var areEnclosed: [Bool] {
        var result = [Bool](repeating: true, count: count)
        for run in runs
        where run.row == 0 || run.row == height - 1 || run.columns.lowerBound == 0 || run.columns.upperBound == width {
            result[run.region] = false
        }
        return result
    }

    /// The number of a region's pixels, the first of them, and the rectangle around all.
    package struct Extent {
        /// In pixels.
        package fileprivate(set) var size = 0
        /// Row by row.
        package let first: (x: Int, y: Int)
        fileprivate var columns: Range<Int>
        fileprivate var bottom: Int

        /// The rectangle's.
        package var width: Int { columns.count }
        package var height: Int { bottom - first.y + 1 }
        package var longerSide: Int { max(width, height) }
    }

    /// For each region.
    package var extents: [Extent] {
        var result: [Extent] = []
        for run in runs {
            let (row, columns) = (run.row, run.columns)
            // Regions are numbered in order of first appearance.
            if run.region == result.count {
                result.append(Extent(first: (columns.lowerBound, row), columns: columns, bottom: row))
            }
            var extent = result[run.region]
            extent.size += columns.count
            extent.columns =
                min(extent.columns.lowerBound, columns.lowerBound)..<max(extent.columns.upperBound, columns.upperBound)
            extent.bottom = row
            result[run.region] = extent
        }
        return result
    }

    /// The pixels of one region.
    package func bits(of region: Int) -> BitPlane {
        var result = BitPlane(width: width, height: height)
        for run in runs where run.region == region { result.insert(run.columns, row: run.row) }
        return result
    }

    /// Both rows' runs are sorted, so one walk along the two meets every touching pair.
    private func join(_ above: Range<Int>, with below: Range<Int>, reach: Int, parents: inout [Int]) {
        var upper = above.lowerBound
        var lower = below.lowerBound
        while upper < above.upperBound, lower < below.upperBound {
            let (top, bottom) = (runs[upper].columns, runs[lower].columns)
            if top.lowerBound < bottom.upperBound + reach, bottom.lowerBound < top.upperBound + reach {
                let (a, b) = (Self.root(of: upper, in: &parents), Self.root(of: lower, in: &parents))
                parents[max(a, b)] = min(a, b)
            }
            if top.upperBound < bottom.upperBound { upper += 1 } else { lower += 1 }
        }
    }

    private mutating func number(by parents: inout [Int]) {
        for index in runs.indices {
            let root = Self.root(of: index, in: &parents)
            if root == index {
                runs[index].region = count
                count += 1
            } else {
                runs[index].region = runs[root].region
            }
        }
    }

    private static func root(of run: Int, in parents: inout [Int]) -> Int {
        var run = run
        while parents[run] != run {
            parents[run] = parents[parents[run]]
            run = parents[run]
        }
        return run
    }
}
