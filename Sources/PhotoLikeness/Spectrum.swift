#if canImport(Glibc)
import Glibc
#endif

/// The lowest spatial frequencies of a grid: a type II discrete cosine transform (Ahmed, Natarajan & Rao 1974) in
/// integers, limited to the frequencies that are needed.
struct Spectrum {
    /// The 256 lowest frequencies except the mean, lowest first.
    let lowest: [Int]

    /// One gray level in the orthonormal transform, in units of `lowest`: weaker coefficients may be noise.
    static let strong = LuminanceGrid.level * (1 << (2 * fraction)) * LuminanceGrid.side / 2

    /// Fractional bits of the cosines.
    private static let fraction = 14
    private static let side = LuminanceGrid.side

    /// (across, down), by their distance from the mean, then by `across`: the quarter of a disc.
    private static let frequencies: [(u: Int, v: Int)] = {
        let all = (0..<side).flatMap { u in (0..<side).map { v in (u: u, v: v) } }
        let sorted = all.sorted { a, b in
            (a.u * a.u + a.v * a.v, a.u) < (b.u * b.u + b.v * b.v, b.u)
        }
        return Array(sorted[1...PerceptualHash.bitCount])
    }()

    /// The number of frequencies along one axis among them.
    private static let reach = frequencies.reduce(0) { max($0, $1.u + 1) }

    /// For each frequency along one axis, its cosine at each cell. No value is close to the middle between two
    /// integers, so every math library gives the same ones.
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
