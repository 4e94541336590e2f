/// The connected regions of a set of pixels, as horizontal runs.
///
/// Runs that touch the row above are joined by union-find: one pass over the pixels, and memory only for the runs.
package struct Regions {
    /// Neighboring pixels of one row, and the region they belong to.
    package struct Run {
        /// Indices in row-major order; never across the end of a row.
        package let pixels: Range<Int>
        /// From 0 to less than `count`, in order of first appearance.
        package fileprivate(set) var region: Int
    }

    /// Row by row, left to right.
    package private(set) var runs: [Run] = []
    /// How many regions there are.
    package private(set) var count = 0

    /// Calls `isMember` once for each pixel's index; if `diagonal`, pixels that share only a corner are neighbors.
    package init(width: Int, height: Int, diagonal: Bool, isMember: (Int) -> Bool) {
        self.init(width: width, height: height, diagonal: diagonal) { row, runs in
            Self.appendRuns(to: &runs, from: row * width, to: (row + 1) * width, isMember: isMember)
        }
    }

    /// The regions of the set pixels.
    init(of bits: BitPlane, diagonal: Bool) {
        self.init(width: bits.width, height: bits.height, diagonal: diagonal) { row, runs in
            bits.forEachRun(inRow: row) { columns in
                let start = row * bits.width
                runs.append(Run(pixels: start + columns.lowerBound..<start + columns.upperBound, region: 0))
            }
        }
    }

    @inline(__always)
    private init(width: Int, height: Int, diagonal: Bool, appendRuns: (_ row: Int, _ runs: inout [Run]) -> Void) {
        var parents: [Int] = []
        var above = 0..<0
        for row in 0..<height {
            let first = runs.count
            appendRuns(row, &runs)
            parents.append(contentsOf: first..<runs.count)
            join(above, with: first..<runs.count, width: width, reach: diagonal ? 1 : 0, parents: &parents)
            above = first..<runs.count
        }
        number(by: &parents)
    }

    @inline(__always)
    private static func appendRuns(to runs: inout [Run], from start: Int, to end: Int, isMember: (Int) -> Bool) {
        var index = start
        while index < end {
            guard isMember(index) else {
                index += 1
                continue
            }
            let first = index
            while index < end, isMember(index) { index += 1 }
            runs.append(Run(pixels: first..<index, region: 0))
        }
    }

    /// Both rows' runs are sorted, so one walk along the two meets every touching pair.
    private func join(_ above: Range<Int>, with below: Range<Int>, width: Int, reach: Int, parents: inout [Int]) {
        var upper = above.lowerBound
        var lower = below.lowerBound
        while upper < above.upperBound, lower < below.upperBound {
            let top = runs[upper].pixels.lowerBound + width..<runs[upper].pixels.upperBound + width
            let bottom = runs[lower].pixels
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
