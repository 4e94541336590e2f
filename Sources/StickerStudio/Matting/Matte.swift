internal import CRasterLoops
package import PhotoRaster

/// The subject's fraction of each pixel of a photo, from the network's coarse mask and the photo's edges.
///
/// Four steps: a guided filter fits the undecided parts of the mask to the photo's edges; the result is made steeper,
/// because network and filter both widen edges; color decides remaining undecided pixels; and the photo's edges decide
/// wide areas that are still undecided (`Fog`). The constants were tuned on photos of DUTS-TR.
package struct Matte {
    /// The factor by which edges become steeper.
    private static let steepness: Float = 1.5
    /// Where the mask is closer than this to 0 or 1, the first two steps can only result in 0 or 1.
    private static let decided: Float = 0.03

    /// In the photo's size, 0…1.
    package let plane: Plane
    private let edge: EdgeBlocks
    private let colors: EdgeColors

    /// - Parameter mask: the network's probabilities for all of `photo`, in any size; stretched to the photo's.
    package init(mask: Plane, photo: Raster) {
        let grid = PixelGrid(over: photo)
        var plane = mask.resampled(width: photo.width, height: photo.height, kernel: .area)
        var edge = EdgeBlocks(of: &plane, grid: grid, margin: Self.decided)
        let blocks = grid.colorMeans(of: photo)
        let filter = GuidedFilter(grid: grid, colors: blocks)
        Self.guide(&plane, by: photo, filter, edge: edge)
        colors = EdgeColors(edge: edge, blocks: blocks, photo: photo, matte: plane)
        colors.sharpen(&plane, by: photo, edge: edge)
        Fog(in: plane, edge: edge)?.clear(&plane, by: photo, filter, edge: &edge)
        self.plane = plane
        self.edge = edge
    }

    /// Opacity of the finished sticker: steeper still, because undecided pixels would show as a haze of background.
    package var opacity: Plane {
        var opacity = plane
        var values = opacity.values.mutableSpan
        let width = plane.width
        edge.forEachRun { columns, y in
            for x in columns { values[y * width + x] = Plane.sharpened(values[y * width + x]) }
        }
        return opacity
    }

    /// The photo with the background's color removed from the subject's edge.
    ///
    /// - Parameter opacity: the opacity of the cut; nil for this matte's own.
    package func subject(of photo: Raster, cutWith opacity: Plane? = nil) -> Raster {
        var subject = photo
        colors.uncover(&subject, matte: plane, opacity: opacity ?? self.opacity, edge: edge)
        return subject
    }

    private static func guide(_ plane: inout Plane, by photo: Raster, _ filter: GuidedFilter, edge: EdgeBlocks) {
        guard let box = edge.box else { return }
        let mask = edge.means(of: plane) { $0 }
        // One more block on each side, for interpolation.
        let fits = filter.coefficients(of: mask, in: box.grown(by: 1, in: edge.grid))
        unsafe edge.forEachRun(of: &plane, beside: photo, with: fits) { matte, pixels, columns, _, fits in
            unsafe raster_guide_row(matte, pixels, columns.lowerBound, columns.upperBound, fits, steepness)
        }
    }
}

/// Fits, around every block, a linear function of color to a mask, which moves the mask's edge to the photo's edge (He
/// et al. 2013, "Guided Image Filtering", with a color guide; on a coarse grid as in He & Sun 2015, "Fast Guided
/// Filter").
struct GuidedFilter {
    /// Half the side of a window, as a fraction of the photo's longer side.
    private static let reach = 0.025
    /// The color variance (channels 0…1) below which a window counts as flat, and its mask is only smoothed.
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
        // The color's fourth component is 1, so its product with the mask is the mask.
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
