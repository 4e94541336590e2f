import PhotoRaster

/// Finds, around every place, the linear function of color that explains a mask best, so that the mask's edge moves to
/// where the photo has one (He et al. 2013, "Guided Image Filtering", with a color guide; on a coarse grid as in He &
/// Sun 2015, "Fast Guided Filter").
struct GuidedFilter {
    /// How far a window reaches, as a share of the photo's longer side.
    private static let reach = 0.025
    /// Color variance, of values 0…1, below which a window counts as flat and its mask is only smoothed.
    private static let flatness: Float = 0.001

    private let grid: PixelGrid
    private let window: BoxWindow
    /// For each block, the means of red, green and blue, and 1.
    private let colors: [SIMD4<Float>]
    /// For each window, the means of colors, their squares and their products.
    private let moments: [SIMD16<Float>]

    init(grid: PixelGrid, photo: Raster) {
        self.grid = grid
        window = BoxWindow(width: grid.width, height: grid.height, radius: grid.radius(share: Self.reach))
        let pixels = photo.pixels.span
        colors = grid.means(SIMD4<Float>.zero) { index, sum in sum += pixels.color(at: index) }
        moments = window.means(
            of: colors.map { color in
                var product = SIMD16<Float>(lowHalf: .init(lowHalf: color, highHalf: color * color), highHalf: .zero)
                product[8] = color.x * color.y
                product[9] = color.x * color.z
                product[10] = color.y * color.z
                return product
            })
    }

    /// For each block, weights of red, green and blue (0…1 each), then what is to be added.
    ///
    /// - Parameter value: the mask's value at a pixel's index in the photo.
    @inline(__always)
    func coefficients(of value: (_ index: Int) -> Float) -> [SIMD4<Float>] {
        let means = grid.means(SIMD2<Float>.zero) { index, sum in sum.x += value(index) }
        let products = window.means(of: zip(colors, means).map { $0 * $1.x })
        return window.means(of: zip(moments, products).map(Self.fit))
    }

    /// The least-squares fit from a window's means of colors, and of colors and 1 times the mask.
    private static func fit(_ means: SIMD16<Float>, _ products: SIMD4<Float>) -> SIMD4<Float> {
        let color = SIMD3(means[0], means[1], means[2])
        let squares = SIMD3(means[4], means[5], means[6]) - color * color + flatness
        let (rr, gg, bb) = (squares.x, squares.y, squares.z)
        let rg = means[8] - color.x * color.y
        let rb = means[9] - color.x * color.z
        let gb = means[10] - color.y * color.z
        let target = SIMD3(products.x, products.y, products.z) - color * products.w
        // The inverse of a symmetric matrix by its cofactors.
        let first = SIMD3(gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg)
        let second = SIMD3(first.y, rr * bb - rb * rb, rb * rg - rr * gb)
        let third = SIMD3(first.z, second.z, rr * gg - rg * rg)
        let determinant = rr * first.x + rg * first.y + rb * first.z
        let weights = (first * target.x + second * target.y + third * target.z) / determinant
        return SIMD4(weights, products.w - (weights * color).sum())
    }
}
