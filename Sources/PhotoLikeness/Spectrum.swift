#if canImport(Glibc)
import Glibc
#endif
internal import CRasterLoops
import PhotoRaster

/// An image reduced to 64 × 64 cells, each the exact mean luminance of the area under it; the aspect ratio is lost.
struct LuminanceGrid {
    static let side = 64
    /// One gray level (1/255 of white) in units of `cells`.
    static let level = 1 << 12
    /// The most rows of an image: the sums of a column of a band have 32 bits.
    private static let tallest = 1 << 16

    /// Row by row. Their mean is zero, up to integer rounding.
    let cells: [Int]

    init(_ raster: Raster) {
        let (width, height) = (raster.width, raster.height)
        var cells: [Int] = []
        cells.reserveCapacity(Self.side * Self.side)
        // Full luminance, times 64 for each pixel, fits for this many rows.
        precondition(height <= Self.tallest)
        let pixels = raster.pixels.span
        for row in 0..<Self.side {
            // In units of 1/64 of a pixel's height, this band of the image has `height` units.
            let band = row * height..<(row + 1) * height
            var sums = [UInt32](repeating: 0, count: width)
            // Row `y` has `width` pixels of four bytes.
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard let from = pixels.baseAddress else { return }
                for y in band.lowerBound / Self.side...(band.upperBound - 1) / Self.side {
                    let share = min((y + 1) * Self.side, band.upperBound) - max(y * Self.side, band.lowerBound)
                    unsafe raster_add_luminance(from + y * width * Raster.channels, width, UInt32(share), &sums)
                }
            }
            Self.append(sums, to: &cells, area: width * height)
        }
        let mean = cells.reduce(0, +) / cells.count
        self.cells = cells.map { $0 - mean }
    }

    /// Sums a band of the image into 64 cells, from left to right.
    private static func append(_ sums: [UInt32], to cells: inout [Int], area: Int) {
        let width = sums.count
        for column in 0..<side {
            let span = column * width..<(column + 1) * width
            var total = 0
            for x in span.lowerBound / side...(span.upperBound - 1) / side {
                let share = min((x + 1) * side, span.upperBound) - max(x * side, span.lowerBound)
                total += Int(sums[x]) * share
            }
            // Luminance already has eight fractional bits; four more keep the precision of the mean.
            cells.append((total << 4) / area)
        }
    }
}

/// The lowest spatial frequencies of a grid: a type II discrete cosine transform (Ahmed, Natarajan & Rao 1974) in
/// integers, limited to the frequencies that are needed.
struct Spectrum {
    /// The 256 lowest frequencies except the mean, lowest first.
    let lowest: [Int]

    /// Weaker coefficients may be noise: one gray level in the orthonormal transform, in the units of `lowest`.
    static let strong = LuminanceGrid.level * (1 << (2 * fraction)) * LuminanceGrid.side / 2

    /// Fractional bits of the cosines.
    private static let fraction = 14
    private static let side = LuminanceGrid.side

    /// Pairs (across, down), sorted by their distance from the mean, then by `across`: a quarter disc.
    private static let frequencies: [(u: Int, v: Int)] = {
        let all = (0..<side).flatMap { u in (0..<side).map { v in (u: u, v: v) } }
        let sorted = all.sorted { a, b in
            (a.u * a.u + a.v * a.v, a.u) < (b.u * b.u + b.v * b.v, b.u)
        }
        return Array(sorted[1...PerceptualHash.bitCount])
    }()

    /// How many frequencies along one axis the pairs use.
    private static let reach = frequencies.reduce(0) { max($0, $1.u + 1) }

    /// For each frequency along one axis, its cosine at each cell. No value is close to halfway between two integers,
    /// so every math library rounds to the same ones.
    static let cosines: [[Int]] = (0..<reach).map { frequency in
        (0..<side).map { cell in
            let angle = Double((2 * cell + 1) * frequency) * .pi / Double(2 * side)
            let norm = frequency == 0 ? 0.5.squareRoot() : 1
            return Int((cos(angle) * norm * Double(1 << fraction)).rounded())
        }
    }

    init(of grid: LuminanceGrid) {
        let cells = grid.cells
        let cosines = Self.cosines
        var across = [Int](repeating: 0, count: Self.reach * Self.side)
        for u in 0..<Self.reach {
            let wave = cosines[u]
            for y in 0..<Self.side {
                var sum = 0
                for x in 0..<Self.side { sum += cells[y * Self.side + x] * wave[x] }
                across[u * Self.side + y] = sum
            }
        }
        lowest = Self.frequencies.map { frequency in
            let wave = cosines[frequency.v]
            return (0..<Self.side).reduce(0) { $0 + across[frequency.u * Self.side + $1] * wave[$1] }
        }
    }
}
