package import PhotoRaster

/// The subject's share of each pixel of a photo, from the network's coarse mask and the photo's edges.
///
/// Four steps: a guided filter fits the undecided parts of the mask to the photo's edges; the result is made steeper,
/// since network and filter both widen edges; then color decides the remaining undecided pixels; then the photo's edges
/// decide wide areas that are still undecided. All constants were chosen on photos of DUTS-TR.
package struct Matte {
    /// How much steeper edges become.
    private static let steepness: Float = 1.5
    /// If the mask is closer than this to 0 or 1, the first two steps can only lead to 0 or 1.
    private static let decided: Float = 0.03

    /// In the photo's size, 0…1.
    package let plane: Plane
    private let edge: EdgeBlocks
    private let colors: EdgeColors

    /// - Parameter mask: the network's probabilities for all of `photo`, in any size: it is stretched to the photo's.
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

    /// Opacity of the finished sticker: steeper still, since undecided pixels would show the background as haze.
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
        // One more: between blocks, coefficients are interpolated.
        var row = GridSampler(filter.coefficients(of: mask, in: box.grown(by: 1, in: edge.grid)), of: edge.grid)
        let pixels = photo.pixels.span
        var values = plane.values.mutableSpan
        edge.forEachRun { columns, y in
            row.move(to: y)
            for x in columns {
                let index = y * photo.width + x
                var value = values[index]
                guard value > 0, value < 1 else { continue }
                let guided = min(max((row[x] * pixels.color(at: index)).sum(), 0), 1)
                value += (guided - value) * 4 * value * (1 - value)
                values[index] = min(max((value - 0.5) * steepness + 0.5, 0), 1)
            }
        }
    }
}
