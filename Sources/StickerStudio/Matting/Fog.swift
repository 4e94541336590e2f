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

    private let grid: PixelGrid
    /// For each block, the weight (0…1) of the fog's decision over the matte; the second number is unused.
    private let weights: [SIMD2<Float>]
    /// All blocks with a weight.
    private let box: GridBox

    /// Returns nil if `matte` has no fog.
    init?(in matte: Plane, edge: EdgeBlocks) {
        let grid = edge.grid
        let undecided = edge.means(of: matte) { Self.undecided.contains($0) ? 1 : 0 }
        let dense = undecided.map { SIMD2<Float>($0 >= Self.leastShare ? 1 : 0, 0) }
        let radius = grid.radius(share: Self.radius)
        // The smallest window is one in a corner.
        let smallest = min(radius + 1, grid.width) * min(radius + 1, grid.height)
        guard dense.count(where: { $0.x > 0 }) >= smallest else { return nil }
        guard let around = edge.box?.grown(by: radius + 2, in: grid) else { return nil }
        func means(_ values: [SIMD2<Float>], radius: Int) -> [SIMD2<Float>] {
            BoxWindow(width: grid.width, height: grid.height, radius: radius).means(of: values, in: around)
        }
        func isOne(_ values: [SIMD2<Float>], atLeast limit: Float) -> [SIMD2<Float>] {
            values.map { SIMD2($0.x >= limit ? 1 : 0, 0) }
        }
        // A morphological opening: every position covered by some window that lies inside the area.
        let eroded = isOne(means(dense, radius: radius), atLeast: 0.999)
        let places = eroded.indices.filter { eroded[$0].x > 0 }
        guard let first = places.first, let last = places.last else { return nil }
        let columns = places.map { $0 % grid.width }
        let opened = isOne(means(eroded, radius: radius + 1), atLeast: 0.001)
        self.grid = grid
        weights = means(opened, radius: 1)
        box = GridBox(
            columns: (columns.min() ?? 0)..<(columns.max() ?? 0) + 1, rows: first / grid.width..<last / grid.width + 1
        ).grown(by: radius + 2, in: grid)
    }

    /// Resolves the fog in `matte` by the majority around each position and by the edges of `photo`: the guided filter,
    /// applied to the matte thresholded at 0.5.
    ///
    /// - Parameter filter: made for `photo`.
    func clear(_ matte: inout Plane, by photo: Raster, _ filter: GuidedFilter, edge: inout EdgeBlocks) {
        let mask = edge.means(of: matte) { $0 >= 0.5 ? 1 : 0 }
        // One more block on each side, for interpolation.
        let reached = box.grown(by: 1, in: grid)
        var decided = GridSampler(filter.coefficients(of: mask, in: reached.grown(by: 1, in: grid)), of: grid)
        var weight = GridSampler(weights, of: grid)
        let pixels = photo.pixels.span
        var values = matte.values.mutableSpan
        for y in reached.rows.lowerBound * grid.factor..<min(reached.rows.upperBound * grid.factor, photo.height) {
            decided.move(to: y)
            weight.move(to: y)
            for x in reached.columns.lowerBound
                * grid.factor..<min(reached.columns.upperBound * grid.factor, photo.width)
            {
                let share = weight[x].x
                guard share > 0 else { continue }
                let index = y * photo.width + x
                let guided = (decided[x] * pixels.color(at: index)).sum()
                let value = min(max((guided - 0.5) * Self.steepness + 0.5, 0), 1)
                values[index] += (value - values[index]) * share
                edge.insert(column: x / grid.factor, row: y / grid.factor)
            }
        }
    }
}
