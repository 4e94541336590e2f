import PhotoRaster

/// Finds, around every place, the linear function of color that explains a mask best, so that the mask's edge moves to
/// where the photo has one (He et al. 2013, "Guided Image Filtering", with a color guide; on a coarse grid as in He &
/// Sun 2015, "Fast Guided Filter").
struct GuidedFilter {
    /// How far a window reaches, as a share of the photo's longer side.
    private static let reach = 0.025
    /// Color variance, of values 0…1, below which a window counts as flat and its mask is only smoothed.
    private static let flatness: Float = 0.001

    /// For each block, weights of red, green and blue (0…1 each), then what is to be added.
    let coefficients: [SIMD4<Float>]

    /// `mask` has the photo's size.
    init(grid: PixelGrid, photo: Raster, mask: Plane) {
        let pixels = photo.pixels.span
        let values = mask.values.span
        let colors = grid.means(SIMD4<Float>.zero) { index, sum in
            var color = pixels.color(at: index)
            color.w = values[index]
            sum += color
        }
        let products = colors.map { color in
            var product = SIMD16<Float>(lowHalf: .init(lowHalf: color, highHalf: color * color), highHalf: .zero)
            product[8] = color.x * color.y
            product[9] = color.x * color.z
            product[10] = color.y * color.z
            product[11] = color.x * color.w
            product[12] = color.y * color.w
            product[13] = color.z * color.w
            return product
        }
        let window = BoxWindow(width: grid.width, height: grid.height, radius: grid.radius(share: Self.reach))
        coefficients = window.means(of: window.means(of: products).map(Self.fit))
    }

    /// The least-squares fit from a window's means of colors and mask, their squares and their products.
    private static func fit(_ means: SIMD16<Float>) -> SIMD4<Float> {
        let color = SIMD3(means[0], means[1], means[2])
        let squares = SIMD3(means[4], means[5], means[6]) - color * color + flatness
        let (rr, gg, bb) = (squares.x, squares.y, squares.z)
        let rg = means[8] - color.x * color.y
        let rb = means[9] - color.x * color.z
        let gb = means[10] - color.y * color.z
        let target = SIMD3(means[11], means[12], means[13]) - color * means[3]
        // The inverse of a symmetric matrix by its cofactors.
        let first = SIMD3(gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg)
        let second = SIMD3(first.y, rr * bb - rb * rb, rb * rg - rr * gb)
        let third = SIMD3(first.z, second.z, rr * gg - rg * rg)
        let determinant = rr * first.x + rg * first.y + rb * first.z
        let weights = (first * target.x + second * target.y + third * target.z) / determinant
        return SIMD4(weights, means[3] - (weights * color).sum())
    }
}
