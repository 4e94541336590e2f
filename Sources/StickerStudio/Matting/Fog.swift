internal import CRasterLoops
import PhotoRaster

/// Wide undecided areas of a matte. On a sticker they would show the background as fog.
///
/// Hair and fur are not fog: their pixels differ from each other, and blocks with decided pixels are not changed.
struct Fog {
    /// Alpha outside of this range counts as decided.
    private static let undecided: ClosedRange<Float> = 0.1...0.9
    /// A block counts as undecided from this fraction of undecided pixels.
    private static let leastShare: Float = 0.9
    /// Half the width of the narrowest fog, as a fraction of the photo's longer side: 3 pixels of a 512-pixel sticker.
    /// Narrower areas are soft edges.
    private static let radius = 3.0 / 512
    /// How much steeper than the guided filter's output the decided matte is: that output is as soft as the filter's
    /// window is wide.
    private static let steepness: Float = 4

    /// The blocks of fog, and a margin over which its decision fades.
    private let blocks: BitPlane

    /// Returns nil if `matte` has no fog.
    init?(in matte: Plane, edge: EdgeBlocks) {
        let grid = edge.grid
        let undecided = edge.means(of: matte) { Self.undecided.contains($0) ? 1 : 0 }
        let dense = BitPlane(width: grid.width, height: grid.height) { undecided[$0] >= Self.leastShare }
        let radius = grid.radius(share: Self.radius)
        // A morphological opening, for which what is beyond the photo is fog, too.
        let inner = dense.inverted().dilated(by: radius).inverted()
        guard inner.count > 0 else { return nil }
        blocks = inner.dilated(by: radius + 1)
    }

    /// Resolves the fog in `matte` by the majority around each position and by the edges of `photo`: the guided filter,
    /// applied to the matte thresholded at 0.5.
    ///
    /// - Parameter filter: made for `photo`.
    func clear(_ matte: inout Plane, by photo: Raster, _ filter: GuidedFilter, edge: inout EdgeBlocks) {
        let grid = edge.grid
        let mask = edge.means(of: matte) { $0 >= 0.5 ? 1 : 0 }
        var inFog = [SIMD4<Float>](repeating: .zero, count: mask.count)
        let reached = blocks.dilated(by: 2)
        for row in 0..<grid.height {
            blocks.forEachRun(inRow: row) { run in for column in run { inFog[row * grid.width + column].x = 1 } }
            reached.forEachRun(inRow: row) { run in for column in run { edge.insert(column: column, row: row) } }
        }
        guard let box = edge.box?.grown(by: 1, in: grid) else { return }
        let weights = BoxWindow(width: grid.width, height: grid.height, radius: 1).means(of: inFog, in: box)
        var faded = GridRows(weights, near: edge)
        let fits = filter.coefficients(of: mask, in: box)
        unsafe edge.forEachRun(
            of: &matte, beside: photo, with: fits, where: { reached[$0 % grid.width, $0 / grid.width] }
        ) { matte, pixels, columns, y, fits in
            unsafe faded.withRows(around: y) {
                unsafe raster_clear_row(
                    matte, pixels, columns.lowerBound, columns.upperBound, fits, $0, Self.steepness)
            }
        }
    }
}
