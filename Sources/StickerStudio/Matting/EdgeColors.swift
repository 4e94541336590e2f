import PhotoRaster

/// The colors that subject and background have near each place along the subject's edge, looked up where the matte is
/// sure.
///
/// Means over a small window of sure pixels, and over a wide one where the small one has none. On drawn subjects with
/// known colors this comes closer than blending estimates of all pixels does (Forte 2021, "Approximate Fast Foreground
/// Colour Estimation"), whose last step, `uncover`, is used here too.
struct EdgeColors {
    /// Window reaches as shares of the photo's longer side.
    private static let near = 0.01
    private static let wide = 0.07
    /// What a wide window counts for beside a near one.
    private static let wideWeight: Float = 0.01
    /// Less than this share of sure pixels says nothing.
    private static let leastWeight: Float = 0.0001
    /// Squared distance of subject and background color, of values 0…1, at which color is trusted as far as the matte.
    private static let contrast: Float = 0.2

    /// How far from the cut, in blocks, colors are mixed with the background's.
    private static let cutReach = 2

    private let grid: PixelGrid
    /// For each block: the subject's color times how well it is known, that weight, and the same for the background.
    private let colors: [SIMD8<Float>]

    init(grid: PixelGrid, photo: Raster, matte: Plane) {
        let pixels = photo.pixels.span
        let opacities = matte.values.span
        let sums = grid.means(SIMD8<Float>.zero) { index, sum in
            let opacity = opacities[index]
            let color = pixels.color(at: index)
            if opacity == 0 {
                sum.highHalf += color
            } else if opacity == 1 {
                sum.lowHalf += color
            } else {
                sum.lowHalf += color * Self.sureness(opacity)
                sum.highHalf += color * Self.sureness(1 - opacity)
            }
        }
        func means(_ reach: Double) -> [SIMD8<Float>] {
            BoxWindow(width: grid.width, height: grid.height, radius: grid.radius(share: reach)).means(of: sums)
        }
        self.grid = grid
        colors = zip(means(Self.near), means(Self.wide)).map { $0 + $1 * Self.wideWeight }
    }

    /// Moves the undecided part of `matte` to where each pixel's color lies between subject and background, as far as
    /// it does lie there and the two differ.
    func sharpen(_ matte: inout Plane, by photo: Raster) {
        let pixels = photo.pixels.span
        forEachMixedPixel(of: matte) { index, opacity, subject, background in
            let color = pixels.color(at: index)
            let step = subject - background
            let distance = (step * step).sum()
            let share = min(max(((color - background) * step).sum() / (distance + .ulpOfOne), 0), 1)
            let miss = color - background - step * share
            let fit = 1 / (1 + (miss * miss).sum() / (0.1 * distance + 0.001))
            let trust = 4 * opacity * (1 - opacity) * fit * distance / (distance + Self.contrast)
            matte.values[index] = opacity + (share - opacity) * trust
        }
    }

    /// Takes the background out of the colors of `photo` if `matte` is between 0 and 1, within a few blocks of the cut:
    /// inside of the subject, a matte that is not quite sure says nothing about the background's share of a color.
    ///
    /// - Parameter opacity: what the subject is cut with, in the photo's size.
    func uncover(_ photo: inout Raster, matte: Plane, opacity: Plane) {
        let opacities = opacity.values.span
        let open = grid.means(SIMD2<Float>.zero) { index, sum in if opacities[index] < 1 { sum.x += 1 } }
        let near = BoxWindow(width: grid.width, height: grid.height, radius: Self.cutReach).means(of: open)
        forEachMixedPixel(of: matte) { index, opacity, subject, background in
            let block = index / matte.width / grid.factor * grid.width + index % matte.width / grid.factor
            guard near[block].x > 0 else { return }
            let rest = photo.pixels.span.color(at: index) - subject * opacity - background * (1 - opacity)
            let color = (subject + rest * opacity).clamped(lowerBound: .zero, upperBound: .one) * 255 + 0.5
            for channel in 0..<3 { photo.pixels[index * Raster.channels + channel] = UInt8(color[channel]) }
        }
    }

    /// Calls `body` for each pixel that is neither inside nor outside, wherever both colors are known.
    @inline(__always)
    private func forEachMixedPixel(
        of matte: Plane,
        body: (_ index: Int, _ opacity: Float, _ subject: SIMD4<Float>, _ background: SIMD4<Float>) -> Void
    ) {
        var row = GridRow(colors, of: grid)
        for y in 0..<matte.height {
            row.move(to: y)
            for x in 0..<matte.width {
                let index = y * matte.width + x
                let opacity = matte.values[index]
                guard opacity > 0, opacity < 1 else { continue }
                let both = row[x]
                let (subject, background) = (both.lowHalf, both.highHalf)
                guard min(subject.w, background.w) > Self.leastWeight else { continue }
                body(index, opacity, subject / subject.w, background / background.w)
            }
        }
    }

    /// Falls off so steeply that a mixed pixel counts for nothing beside a pure one.
    private static func sureness(_ share: Float) -> Float {
        let square = share * share
        let fourth = square * square
        return fourth * fourth
    }
}
