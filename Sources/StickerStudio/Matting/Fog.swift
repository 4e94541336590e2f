import PhotoRaster

/// Wide areas in which a matte is undecided. On a sticker they would show as a fog of background.
///
/// Hair and fur are no fog: their pixels differ from each other, and a block with decided pixels in it is left alone.
struct Fog {
    /// Alpha outside of this range counts as decided.
    private static let undecided: ClosedRange<Float> = 0.1...0.9
    /// The share of undecided pixels from which a block is undecided.
    private static let leastShare: Float = 0.9
    /// Half the width of the narrowest fog, as a share of the photo's longer side: 3 pixels of a 512-pixel sticker.
    /// Narrower areas are soft edges.
    private static let radius = 3.0 / 512
    /// How much steeper the decided matte is than the guided filter's output, which is as soft as its window is wide.
    private static let steepness: Float = 4

    private let grid: PixelGrid
    /// For each block, how far the fog's decision replaces the matte, 0…1; the second number is unused.
    private let weights: [SIMD2<Float>]

    /// Returns nil if `matte` has no fog.
    init?(in matte: Plane, grid: PixelGrid) {
        let values = matte.values.span
        let undecided = grid.means(SIMD2<Float>.zero) { index, sum in
            if Self.undecided.contains(values[index]) { sum.x += 1 }
        }
        let radius = grid.radius(share: Self.radius)
        func window(_ radius: Int) -> BoxWindow { BoxWindow(width: grid.width, height: grid.height, radius: radius) }
        func isOne(_ values: [SIMD2<Float>], atLeast limit: Float) -> [SIMD2<Float>] {
            values.map { SIMD2($0.x >= limit ? 1 : 0, 0) }
        }
        // A morphological opening: what the window fits into, and all that the window covers there.
        let eroded = isOne(window(radius).means(of: isOne(undecided, atLeast: Self.leastShare)), atLeast: 0.999)
        guard eroded.contains(where: { $0.x > 0 }) else { return nil }
        let opened = isOne(window(radius + 1).means(of: eroded), atLeast: 0.001)
        self.grid = grid
        weights = window(1).means(of: opened)
    }

    /// Decides the fog in `matte` by the majority around each place and by the edges of `photo`: the guided filter of
    /// the matte thresholded at 0.5.
    ///
    /// - Parameter filter: of `photo`.
    func clear(_ matte: inout Plane, by photo: Raster, _ filter: GuidedFilter) {
        let before = matte.values
        let mattes = before.span
        var decided = GridRow(filter.coefficients { mattes[$0] >= 0.5 ? 1 : 0 }, of: grid)
        var weight = GridRow(weights, of: grid)
        let pixels = photo.pixels.span
        var values = matte.values.mutableSpan
        for y in 0..<photo.height {
            decided.move(to: y)
            weight.move(to: y)
            for x in 0..<photo.width {
                let share = weight[x].x
                guard share > 0 else { continue }
                let index = y * photo.width + x
                let guided = (decided[x] * pixels.color(at: index)).sum()
                let value = min(max((guided - 0.5) * Self.steepness + 0.5, 0), 1)
                values[index] += (value - values[index]) * share
            }
        }
    }
}
