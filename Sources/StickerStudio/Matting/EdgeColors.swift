internal import CRasterLoops
import PhotoRaster

/// The colors of subject and background along the subject's edge, taken from nearby pixels for which the matte is
/// certain.
///
/// Each is a mean over a small window of certain pixels, or over a wide one if the small one has none. On drawn
/// subjects with known colors, this is more accurate than blended estimates from all pixels (Forte 2021, "Approximate
/// Fast Foreground Colour Estimation"), whose last step is used in `uncover`.
struct EdgeColors {
    /// Half the side of a window, as a fraction of the photo's longer side.
    private static let near = 0.01
    private static let wide = 0.07
    /// The weight of a wide window relative to a near one.
    private static let wideWeight: Float = 0.01
    /// The squared distance between subject and background color (channels 0…1) at which color and matte have equal
    /// weight.
    private static let contrast: Float = 0.2
    /// The same for removing the background from a color.
    private static let leastContrast: Float = 0.02

    /// The distance in blocks from the edge to which colors are computed: fog is cleared around the edge, too.
    private static let fogReach = 4
    /// The distance in blocks from the cut within which colors contain some background.
    private static let cutReach = 2

    private let grid: PixelGrid
    /// For each block: the subject's color times its weight, the weight, and the same for the background.
    private let colors: [SIMD8<Float>]

    /// - Parameters:
    ///   - blocks: as returned by `colorMeans`.
    ///   - matte: must be 0 or 1 outside the blocks of `edge`.
    init(edge: EdgeBlocks, blocks: [SIMD4<Float>], photo: Raster, matte: Plane) {
        let grid = edge.grid
        self.grid = grid
        guard let box = edge.box else {
            colors = []
            return
        }
        let pixels = photo.pixels.span
        let opacities = matte.values.span
        var sums = [SIMD8<Float>](repeating: .zero, count: blocks.count)
        for block in blocks.indices {
            if let value = edge.value(ofBlock: block) {
                if value > 0 { sums[block].lowHalf = blocks[block] } else { sums[block].highHalf = blocks[block] }
                continue
            }
            var sum = SIMD8<Float>.zero
            let count = grid.forEachPixel(ofBlock: block) { index in
                let opacity = opacities[index]
                let color = pixels.color(at: index)
                sum.lowHalf += color * Self.sureness(opacity)
                sum.highHalf += color * Self.sureness(1 - opacity)
            }
            sums[block] = sum / Float(count)
        }
        let reached = box.grown(by: Self.fogReach, in: grid)
        func window(_ reach: Double) -> BoxWindow {
            BoxWindow(width: grid.width, height: grid.height, radius: grid.radius(share: reach))
        }
        var means = window(Self.near).means(of: sums, in: reached)
        var target = means.mutableSpan
        let source = sums.span
        window(Self.wide).forEachMean(in: reached, of: { source[$0] }, { target[$0] += $1 * Self.wideWeight })
        colors = means
    }

    /// Moves undecided values of `matte` toward the mixing ratio that each pixel's color has between background and
    /// subject, if it lies between them and the two differ.
    func sharpen(_ matte: inout Plane, by photo: Raster, edge: EdgeBlocks) {
        unsafe edge.forEachRun(of: &matte, beside: photo, with: colors) { matte, pixels, columns, _, colors in
            unsafe raster_sharpen_row(matte, pixels, columns.lowerBound, columns.upperBound, colors, Self.contrast)
        }
    }

    /// Removes the background's part from the colors of `photo` within a few blocks of the cut. The part comes from
    /// `matte`, or from the color itself if that is a mixture of the two. Inside the subject, an uncertain matte does
    /// not mean that there is background.
    ///
    /// - Parameter opacity: the opacity of the cut, in the photo's size.
    func uncover(_ photo: inout Raster, matte: Plane, opacity: Plane, edge: EdgeBlocks) {
        guard let box = edge.box else { return }
        let opacities = opacity.values.span
        let grid = grid
        var open = [SIMD2<Float>](repeating: .zero, count: grid.width * grid.height)
        let around = box.grown(by: Self.cutReach, in: grid)
        for row in around.rows {
            for block in row * grid.width + around.columns.lowerBound..<row * grid.width + around.columns.upperBound {
                if edge.value(ofBlock: block) != nil {
                    let pixel = row * grid.factor * grid.photoWidth + block % grid.width * grid.factor
                    if opacities[pixel] < 1 { open[block].x = 1 }
                } else {
                    grid.forEachPixel(ofBlock: block) { if opacities[$0] < 1 { open[block].x = 1 } }
                }
            }
        }
        let near = BoxWindow(width: grid.width, height: grid.height, radius: Self.cutReach).means(of: open, in: box)
        var rows = GridRows(colors, near: edge)
        let mattes = matte.values.span
        unsafe photo.pixels.withUnsafeMutableBufferPointer { pixels in
            unsafe mattes.withUnsafeBufferPointer { mattes in
                guard let pixels = pixels.baseAddress, let mattes = mattes.baseAddress else { return }
                edge.forEachRun(where: { near[$0].x > 0 }) { columns, y in
                    let start = y * grid.photoWidth
                    unsafe rows.withRows(around: y) {
                        unsafe raster_uncover_row(
                            pixels + start * Raster.channels, mattes + start, columns.lowerBound, columns.upperBound,
                            $0, Self.leastContrast)
                    }
                }
            }
        }
    }

    /// Falls steeply, so that a mixed pixel has almost no weight beside a pure one.
    private static func sureness(_ share: Float) -> Float {
        let square = share * share
        let fourth = square * square
        return fourth * fourth
    }
}
