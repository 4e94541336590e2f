import PhotoRaster

/// Connected opaque pieces, and which of them belong to the subject.
///
/// Small pieces are scraps of the background, unless they are thin and nearly touch a large one, like the tip of a
/// whisker. Larger pieces with an uncertain matte are errors of the network.
struct Pieces {
    /// The opacity from which pixels count as connected: well above one half, so that a piece attached only by
    /// half-transparent pixels is separate.
    private static let level: Float = 0.7
    /// A piece below this fraction of the largest one's size is a scrap.
    private static let smallest = 0.03
    /// The same for a thin piece near a larger one.
    private static let smallestNear = 0.015
    /// A thin piece has at most this fraction of the pixels of a square with its longer side.
    private static let thinness = 0.25
    /// The highest opacity kept for soft pixels beyond a piece's outermost ones: visible, but not enough to look like
    /// separate crumbs.
    private static let softest: Float = 0.35
    /// The minimum matte of pieces other than the largest: at its peak, and on average.
    private static let leastPeak: Float = 0.8
    private static let leastMean: Float = 0.6

    /// The pixels at or above `level`.
    private let core: BitPlane
    private let regions: Regions
    private let width: Int
    private var isKept: [Bool]

    /// - Parameters:
    ///   - matte: the matte that `opacity` was made from, in the same size.
    ///   - reach: the largest distance that counts as near, as a fraction of the largest piece's longer side.
    init(of opacity: Plane, matte: Plane, reach: Double) {
        width = opacity.width
        core = BitPlane(of: opacity, atLeast: Self.level)
        regions = Regions(of: core, diagonal: false)
        let pieces = regions.extents
        isKept = [Bool](repeating: false, count: regions.count)
        guard let largest = pieces.indices.max(by: { pieces[$0].size < pieces[$1].size }) else { return }
        let limit = Double(pieces[largest].size) * Self.smallest
        isKept[largest] = true
        keepSure(Set(pieces.indices.filter { $0 != largest && Double(pieces[$0].size) >= limit }), matte: matte)
        let near = pieces.indices.filter {
            Double(pieces[$0].size) < limit && Self.isThin(pieces[$0])
                && Double(pieces[$0].size) >= Double(pieces[largest].size) * Self.smallestNear
        }
        guard !near.isEmpty else { return }
        keepNear(Set(near), reach: Int(Double(pieces[largest].longerSide) * reach))
    }

    private static func isThin(_ piece: Regions.Extent) -> Bool {
        Double(piece.size) <= thinness * Double(piece.longerSide * piece.longerSide)
    }

    /// Keeps those of `candidates` whose matte is certain.
    private mutating func keepSure(_ candidates: Set<Int>, matte: Plane) {
        guard !candidates.isEmpty else { return }
        var sums = [(peak: Float, sum: Float, size: Int)](repeating: (0, 0, 0), count: regions.count)
        let values = matte.values.span
        for run in regions.runs where candidates.contains(run.region) {
            for index in run.pixels {
                sums[run.region].peak = max(sums[run.region].peak, values[index])
                sums[run.region].sum += values[index]
            }
            sums[run.region].size += run.pixels.count
        }
        for number in candidates {
            let (peak, sum, size) = sums[number]
            isKept[number] = peak >= Self.leastPeak && sum >= Self.leastMean * Float(size)
        }
    }

    /// Keeps those of `candidates` that are within `reach` pixels of a piece already kept.
    private mutating func keepNear(_ candidates: Set<Int>, reach: Int) {
        var kept = core
        for run in regions.runs where !isKept[run.region] { kept.clear(run.columns, row: run.row) }
        let near = kept.dilated(by: reach)
        for run in regions.runs where candidates.contains(run.region) && !isKept[run.region] {
            isKept[run.region] = run.columns.contains { near[$0, run.row] }
        }
    }

    /// Makes everything in `opacity` transparent that belongs to no kept piece. Soft pixels belong to the piece that is
    /// nearest along visible pixels.
    func clearScraps(of opacity: inout Plane) {
        var owners = [UInt8](repeating: 0, count: opacity.values.count)
        for run in regions.runs {
            let owner: UInt8 = isKept[run.region] ? 1 : 2
            for index in run.pixels { owners[index] = owner }
        }
        let soft = BitPlane(of: opacity, atLeast: .leastNonzeroMagnitude).subtracting(core)
        opacity.spread(&owners, into: soft)
        for run in regions.runs where !isKept[run.region] {
            for index in run.pixels { opacity.values[index] = 0 }
        }
        for y in 0..<soft.height {
            soft.forEachRun(inRow: y) { columns in
                for x in columns {
                    let index = y * width + x
                    if owners[index] != 1 {
                        opacity.values[index] = 0
                    } else if opacity.values[index] > Self.softest, !isOutermost(x, y) {
                        opacity.values[index] = Self.softest
                    }
                }
            }
        }
    }

    /// Whether the soft pixel has a pixel of a piece as one of its four neighbors.
    private func isOutermost(_ x: Int, _ y: Int) -> Bool {
        x > 0 && core[x - 1, y] || x + 1 < core.width && core[x + 1, y] || y > 0 && core[x, y - 1]
            || y + 1 < core.height && core[x, y + 1]
    }
}
