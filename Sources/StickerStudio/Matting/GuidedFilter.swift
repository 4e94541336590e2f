import PhotoRaster

/// Fits, around every place, a linear function of color to a mask, which moves the mask's edge to the photo's edge
/// (He et al. 2013, "Guided Image Filtering", with a color guide; on a coarse grid as in He &
/// Sun 2015, "Fast Guided Filter").
struct GuidedFilter {
    /// The reach of a window, as a share of the photo's longer side.
    private static let reach = 0.025
    /// Color variance, of values 0…1, below which a window counts as flat and its mask is only smoothed.
    private static let flatness: Float = 0.001

    private let grid: PixelGrid
    /// For each block, the means of red, green and blue, and 1.
    private let colors: [SIMD4<Float>]

    init(grid: PixelGrid, colors: [SIMD4<Float>]) {
        self.grid = grid
        self.colors = colors
    }

    /// For each block in `box`, weights of red, green and blue (0…1 each), then the constant to add.
    ///
    /// - Parameter mask: the mask's mean in each block.
    func coefficients(of mask: [Float], in box: GridBox) -> [SIMD4<Float>] {
        let window = BoxWindow(width: grid.width, height: grid.height, radius: grid.radius(share: Self.reach))
        var fits = [SIMD4<Float>](repeating: .zero, count: colors.count)
        var target = fits.mutableSpan
        let (colors, values) = (colors.span, mask.span)
        window.forEachMean(
            in: box.grown(by: window.radius, in: grid), of: { Self.moments(colors[$0], values[$0]) },
            { target[$0] = Self.fit($1) })
        return window.means(of: fits, in: box)
    }

    /// Color and mask, squares of color, products of colors, products of color and mask: four of each.
    @inline(__always)
    private static func moments(_ color: SIMD4<Float>, _ value: Float) -> SIMD16<Float> {
        let turned = SIMD4(color.y, color.z, color.x, 0)
        return SIMD16(
            lowHalf: SIMD8(lowHalf: color, highHalf: color * color),
            highHalf: SIMD8(lowHalf: color * turned, highHalf: color * value))
    }

    /// The least-squares fit from a window's means of `moments`.
    @inline(__always)
    private static func fit(_ means: SIMD16<Float>) -> SIMD4<Float> {
        let color = SIMD3(means[0], means[1], means[2])
        let squares = SIMD3(means[4], means[5], means[6]) - color * color + flatness
        let (rr, gg, bb) = (squares.x, squares.y, squares.z)
        let rg = means[8] - color.x * color.y
        let gb = means[9] - color.y * color.z
        let rb = means[10] - color.x * color.z
        // The color's fourth number is 1, so that its product with the mask is the mask.
        let mask = means[15]
        let target = SIMD3(means[12], means[13], means[14]) - color * mask
        // The inverse of a symmetric matrix by its cofactors.
        let first = SIMD3(gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg)
        let second = SIMD3(first.y, rr * bb - rb * rb, rb * rg - rr * gb)
        let third = SIMD3(first.z, second.z, rr * gg - rg * rg)
        let determinant = rr * first.x + rg * first.y + rb * first.z
        let weights = (first * target.x + second * target.y + third * target.z) / determinant
        return SIMD4(weights, mask - (weights * color).sum())
    }
}
