internal import CRasterLoops

/// One bit per pixel: a shape without soft edges. Neighborhoods are combined 64 pixels at a time.
package struct BitPlane {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// The words of a row. Its first pixel is the lowest bit of the first word; bits beyond `width` are 0.
    private let stride: Int
    private var words: [UInt64]

    /// An empty shape.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        stride = (width + 63) / 64
        words = [UInt64](repeating: 0, count: stride * height)
    }

    /// The pixels for whose index, in row-major order, `isMember` is true.
    @inline(__always)
    package init(width: Int, height: Int, isMember: (_ index: Int) -> Bool) {
        self.init(width: width, height: height)
        let stride = stride
        var target = words.mutableSpan
        for y in 0..<height {
            for word in 0..<stride {
                var bits: UInt64 = 0
                for x in word * 64..<min(word * 64 + 64, width) {
                    bits |= (isMember(y * width + x) ? 1 : 0) &<< UInt64(truncatingIfNeeded: x)
                }
                target[y * stride + word] = bits
            }
        }
    }

    /// The pixels whose value is at least `level`.
    package init(of plane: Plane, atLeast level: Float) {
        self.init(width: plane.width, height: plane.height)
        let (width, stride) = (width, stride)
        let values = plane.values.span
        // Row `y` has `width` values and `stride` words.
        unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe values.withUnsafeBufferPointer { values in
                guard let from = values.baseAddress, let to = words.baseAddress else { return }
                for y in 0..<plane.height { unsafe raster_compare_row(from + y * width, width, level, to + y * stride) }
            }
        }
    }

    /// Whether a pixel is set. Both numbers must be within the plane.
    package subscript(x: Int, y: Int) -> Bool {
        words[y * stride + x / 64] &>> UInt64(x) & 1 == 1
    }

    /// Removes the pixels `range` of row `y`.
    package mutating func clear(_ range: Range<Int>, row y: Int) {
        for x in range { words[y * stride + x / 64] &= ~(1 &<< UInt64(x)) }
    }

    /// Adds the pixels `range` of row `y`.
    package mutating func insert(_ range: Range<Int>, row y: Int) {
        for x in range { words[y * stride + x / 64] |= 1 &<< UInt64(x) }
    }

    /// Calls `body` with the columns of each run of set pixels in row `y`, left to right.
    @inline(__always)
    package func forEachRun(inRow y: Int, _ body: (Range<Int>) -> Void) {
        var start: Int?
        for word in 0..<stride {
            // The bits of the word from column `place` on.
            var bits = words[y * stride + word]
            var place = 0
            while place < 64 {
                if let first = start {
                    let length = min((~bits).trailingZeroBitCount, 64 - place)
                    place += length
                    if place < 64 || length == 0 {
                        body(first..<word * 64 + place)
                        start = nil
                    }
                    bits = length < 64 ? bits >> UInt64(length) : 0
                } else {
                    let gap = min(bits.trailingZeroBitCount, 64 - place)
                    place += gap
                    if place < 64 { start = word * 64 + place }
                    bits = gap < 64 ? bits >> UInt64(gap) : 0
                }
            }
        }
        if let first = start { body(first..<width) }
    }

    /// The first and the last set pixel of row `y`; nil if there is none.
    package func ends(ofRow y: Int) -> (first: Int, last: Int)? {
        let row = words.span.extracting(y * stride..<(y + 1) * stride)
        guard let first = row.indices.first(where: { row[$0] != 0 }),
            let last = row.indices.last(where: { row[$0] != 0 })
        else { return nil }
        return (first * 64 + row[first].trailingZeroBitCount, last * 64 + 63 - row[last].leadingZeroBitCount)
    }

    /// For each column, the first of `rows` in which its pixel is set; -1 if there is none.
    package func firsts(of rows: some Sequence<Int>) -> [Int] {
        var seen = [UInt64](repeating: 0, count: stride)
        var result = [Int](repeating: -1, count: width)
        for y in rows {
            for word in 0..<stride {
                var fresh = words[y * stride + word] & ~seen[word]
                seen[word] |= fresh
                while fresh != 0 {
                    result[word * 64 + fresh.trailingZeroBitCount] = y
                    fresh &= fresh - 1
                }
            }
        }
        return result
    }

    /// The pixels that differ from a neighbor on one of the four sides. Pixels beyond the plane count as unset.
    package func contour() -> BitPlane {
        neighborhoods { here, left, right, above, below in
            (here & ~(left & right & above & below)) | (~here & (left | right | above | below))
        }
    }

    /// How many pixels there are.
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The shape eroded, then dilated, by an octagon that reaches `radius` pixels; 1 is a 3 × 3 square.
    package func opened(by radius: Int) -> BitPlane {
        (0..<radius).reduce(self) { shape, step in
            guard step.isMultiple(of: 2) else {
                return shape.neighborhoods { here, left, right, above, below in here & left & right & above & below }
            }
            return shape.neighborhoods { here, left, right, _, _ in here & left & right }
                .neighborhoods { here, _, _, above, below in here & above & below }
        }.dilated(by: radius)
    }

    /// The shape, grown by `reach` pixels on all sides with an octagon's corners: by a cross and a square in turn.
    package func dilated(by reach: Int) -> BitPlane {
        (0..<reach).reduce(self) { shape, step in
            guard step.isMultiple(of: 2) else {
                return shape.neighborhoods { here, left, right, above, below in here | left | right | above | below }
            }
            return shape.neighborhoods { here, left, right, _, _ in here | left | right }
                .neighborhoods { here, _, _, above, below in here | above | below }
        }
    }

    /// The pixels of this shape that are not in `other`, a shape of the same size.
    package func subtracting(_ other: BitPlane) -> BitPlane {
        var result = self
        for index in words.indices { result.words[index] &= ~other.words[index] }
        return result
    }

    /// The pixels that are not in this shape.
    package func inverted() -> BitPlane {
        neighborhoods { here, _, _, _, _ in ~here }
    }

    /// Combines each pixel with its neighbors.
    @inline(__always)
    private func neighborhoods(
        _ combine: (_ here: UInt64, _ left: UInt64, _ right: UInt64, _ above: UInt64, _ below: UInt64) -> UInt64
    ) -> BitPlane {
        var result = self
        let source = words.span
        var target = result.words.mutableSpan
        let beyond: UInt64 = width % 64 == 0 ? 0 : ~0 << UInt64(width % 64)
        for y in 0..<height {
            for word in 0..<stride {
                let index = y * stride + word
                let here = source[index]
                let left = here << 1 | (word > 0 ? source[index - 1] >> 63 : 0)
                let right = here >> 1 | (word + 1 < stride ? source[index + 1] << 63 : 0)
                let above = y > 0 ? source[index - stride] : 0
                let below = y + 1 < height ? source[index + stride] : 0
                let combined = combine(here, left, right, above, below)
                target[index] = word + 1 < stride ? combined : combined & ~beyond
            }
        }
        return result
    }
}
