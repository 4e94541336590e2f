package import PhotoRaster

/// Finds the colors of one photo; consumed by its one result.
///
/// The photo's pixels are over-clustered in OKLab into a `PhotoColorSample`; a scheme is made by merging the sample's
/// colors down to the requested number. Deterministic: the same pixels give the same colors.
package struct ColorExtractor: ~Copyable {
    /// The numbers of colors that can be requested.
    package static let counts = 3...10

    private let histogram: ColorHistogram

    /// Samples the pixels, each weighted by its alpha; the photo is not kept.
    ///
    /// - Parameters:
    ///   - photo: the pixels.
    ///   - opacity: 0…1 in the photo's size, in place of its alpha.
    package init(_ photo: Raster, opacity: Plane? = nil) {
        histogram = ColorHistogram(photo, opacity: opacity)
    }

    /// The area of the visible pixels, in pixels, with nearly white and nearly black ones damped as in the sample.
    package var area: Double { histogram.area }

    package consuming func sample() -> PhotoColorSample {
        PhotoColorSample(merging: ColorPartition(histogram.bins, into: PhotoColorSample.maxEntries).clusters)
    }

    /// At most `count` colors, which must be in `counts`; fewer if the photo has fewer distinguishable ones.
    package consuming func extract(count: Int) -> PhotoColorScheme {
        sample().scheme(count: count)
    }
}

/// The visible pixels of one photo, grouped by similar color.
///
/// Nearly white and nearly black pixels weigh less: otherwise an overcast sky, a page or a letterbox border would
/// dominate. Android's Palette (`DEFAULT_FILTER`, androidx.palette.graphics) leaves out everything above 95 % or below
/// 5 % of lightness. Here the same limits apply to every channel, so that pale tints keep their weight, and pixels
/// beyond them weigh an eighth instead of nothing, because swans are white. Between 90 % and 95 % (10 % and 5 %) the
/// weight decreases linearly, so that a soft sky has no visible edge.
struct ColorHistogram {
    /// The pixels whose channels have equal upper six bits, as their mean.
    struct Bin {
        var center: OKLab
        var weight: Double
    }

    /// Sorted by color, independent of the order of the pixels.
    let bins: [Bin]
    /// The pixels that the bins stand for.
    let area: Double

    /// More samples take more time without visibly changing the colors.
    private static let maxSamples = 16_384
    private static let bits = 6
    /// The remaining weight of white and of black.
    private static let extremeWeight = 0.125
    /// Distances from black or white, 0…255: at the first a pixel has full weight, at the second the least.
    private static let (fullAt, leastAt) = (0.1 * 255, 0.05 * 255)

    /// Sums of a bin's channels, times alpha: integers, which are independent of the order of addition.
    private struct Sums {
        var alpha = 0
        var red = 0
        var green = 0
        var blue = 0
    }

    /// Samples single pixels on a grid rather than averages: an average across an edge is a color that the photo does
    /// not have. A pixel's weight is its alpha.
    init(_ photo: Raster, opacity: Plane?) {
        let step = max(1, Int((Double(photo.width * photo.height) / Double(Self.maxSamples)).squareRoot().rounded(.up)))
        var slots = [Int32](repeating: -1, count: 1 << (3 * Self.bits))
        var sums: [(key: Int, sums: Sums)] = []
        for (row, y) in stride(from: min(step, photo.height) / 2, to: photo.height, by: step).enumerated() {
            // Rows start at different columns, so that vertical edges and patterns do not align with the grid.
            let start = min(step, photo.width) / 2 + row * Self.shift(of: step)
            for x in stride(from: start % step, to: photo.width, by: step) {
                let base = (y * photo.width + x) * Raster.channels
                let alpha =
                    opacity.map { Int(255 * $0.values[y * photo.width + x] + 0.5) } ?? Int(photo.pixels[base + 3])
                guard alpha > 0 else { continue }
                let red = Int(photo.pixels[base])
                let green = Int(photo.pixels[base + 1])
                let blue = Int(photo.pixels[base + 2])
                let low = 8 - Self.bits
                let key = ((red >> low) << Self.bits | green >> low) << Self.bits | blue >> low
                if slots[key] < 0 {
                    slots[key] = Int32(sums.count)
                    sums.append((key, Sums()))
                }
                let slot = Int(slots[key])
                sums[slot].sums.alpha += alpha
                sums[slot].sums.red += red * alpha
                sums[slot].sums.green += green * alpha
                sums[slot].sums.blue += blue * alpha
            }
        }
        bins = sums.sorted { $0.key < $1.key }.map { Self.bin($0.sums) }
        area = bins.reduce(0) { $0 + $1.weight } / 255 * Double(step * step)
    }

    /// About 0.38 of `step`, from the golden ratio, so that nearby rows never start alike.
    private static func shift(of step: Int) -> Int { Int((Double(step) * 0.382).rounded()) }

    private static func bin(_ sums: Sums) -> Bin {
        let alpha = Double(sums.alpha)
        let mean = SIMD3(Double(sums.red), Double(sums.green), Double(sums.blue)) / alpha
        let color = HexColor(
            red: UInt8(mean.x.rounded()), green: UInt8(mean.y.rounded()), blue: UInt8(mean.z.rounded()))
        let off = min(mean.max(), 255 - mean.min())
        let share = min(max((off - leastAt) / (fullAt - leastAt), 0), 1)
        return Bin(center: OKLab(color), weight: alpha * (extremeWeight + (1 - extremeWeight) * share))
    }
}
