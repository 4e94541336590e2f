import PhotoRaster

/// The connected pieces of what is opaque, and which of them belong to the subject.
///
/// Small pieces are scraps of the background, unless they nearly touch a large one, as the tip of a whisker does.
/// Larger pieces with an uncertain matte are mistakes of the network.
struct Pieces {
    /// The opacity from which pixels are connected: well over one half, so that a piece attached only by half
    /// transparent pixels counts as a piece of its own.
    private static let level: Float = 0.7
    /// A piece smaller than this share of the largest is a scrap.
    private static let smallest = 0.03
    /// A piece near a larger one is a scrap below this share of the largest.
    private static let smallestNear = 0.015
    /// The most opacity of soft pixels beyond the outermost of a piece: still visible, but no crumb of their own.
    private static let softest: Float = 0.35
    /// The least that the matte of a piece other than the largest must reach, at its peak and on average.
    private static let leastPeak: Float = 0.8
    private static let leastMean: Float = 0.6

    private struct Piece {
        var size = 0
        var peak: Float = 0
        var sum: Float = 0
        var columns = Int.max..<Int.max
        var rows = 0..<0
    }

    private let regions: Regions
    private let width: Int
    private var isKept: [Bool]

    /// - Parameters:
    ///   - matte: what `opacity` was made from, in its size.
    ///   - reach: what counts as near, as a share of the largest piece's longer side.
    init(of opacity: Plane, matte: Plane, reach: Double) {
        width = opacity.width
        let values = opacity.values
        regions = Regions(width: opacity.width, height: opacity.height, diagonal: false) { values[$0] >= Self.level }
        var pieces = [Piece](repeating: Piece(), count: regions.count)
        let mattes = matte.values.span
        for run in regions.runs {
            let row = run.pixels.lowerBound / width
            let columns = run.pixels.lowerBound - row * width..<run.pixels.upperBound - row * width
            var piece = pieces[run.region]
            if piece.size == 0 { (piece.columns, piece.rows) = (columns, row..<row) }
            piece.size += run.pixels.count
            piece.columns =
                min(piece.columns.lowerBound, columns.lowerBound)..<max(piece.columns.upperBound, columns.upperBound)
            piece.rows = piece.rows.lowerBound..<row + 1
            for index in run.pixels {
                piece.peak = max(piece.peak, mattes[index])
                piece.sum += mattes[index]
            }
            pieces[run.region] = piece
        }
        isKept = [Bool](repeating: false, count: regions.count)
        guard let largest = pieces.indices.max(by: { pieces[$0].size < pieces[$1].size }) else { return }
        let limit = Double(pieces[largest].size) * Self.smallest
        for (number, piece) in pieces.enumerated() where Double(piece.size) >= limit {
            isKept[number] =
                number == largest
                || piece.peak >= Self.leastPeak && piece.sum >= Self.leastMean * Float(piece.size)
        }
        let near = pieces.indices.filter {
            Double(pieces[$0].size) < limit
                && Double(pieces[$0].size) >= Double(pieces[largest].size) * Self.smallestNear
        }
        let side = max(pieces[largest].columns.count, pieces[largest].rows.count)
        if !near.isEmpty { keepNear(Set(near), reach: Float(Double(side) * reach), height: opacity.height) }
    }

    /// Keeps those of `candidates` that are within `reach` pixels of a piece that is kept already.
    private mutating func keepNear(_ candidates: Set<Int>, reach: Float, height: Int) {
        var distance = Plane(width: width, height: height, filledWith: .infinity)
        for run in regions.runs where isKept[run.region] {
            for index in run.pixels { distance.values[index] = 0 }
        }
        distance.distanceTransform()
        for run in regions.runs where candidates.contains(run.region) && !isKept[run.region] {
            // The transform's distances are squared.
            isKept[run.region] = run.pixels.contains { distance.values[$0] <= reach * reach }
        }
    }

    /// Makes transparent everything in `opacity`, the plane the pieces were found in, that belongs to no kept piece.
    /// Soft pixels belong to the nearest piece, measured through visible pixels.
    func clearScraps(of opacity: inout Plane) {
        var owners = [UInt8](repeating: 0, count: opacity.values.count)
        for run in regions.runs {
            let owner: UInt8 = isKept[run.region] ? 1 : 2
            for index in run.pixels { owners[index] = owner }
        }
        opacity.spread(&owners)
        let width = width
        var values = opacity.values.mutableSpan
        for index in owners.indices where values[index] > 0 {
            if owners[index] != 1 {
                values[index] = 0
            } else if values[index] < Self.level, values[index] > Self.softest {
                // Wrapping from a row's end to the next row changes at most a soft pixel at the photo's border.
                let isOutermost = [index - 1, index + 1, index - width, index + width].contains {
                    values.indices.contains($0) && values[$0] >= Self.level
                }
                if !isOutermost { values[index] = Self.softest }
            }
        }
    }
}
