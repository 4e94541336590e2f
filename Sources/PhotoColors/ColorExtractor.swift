package import PhotoRaster

/// Finds the colors of one photo; it is consumed by its one result.
///
/// The photo's pixels are over-clustered in OKLab into a `PhotoColorSample`, and a scheme is that sample's colors
/// merged until the requested number is left. Nothing is random: the same pixels give the same colors.
package struct ColorExtractor: ~Copyable {
    /// The numbers of colors that can be requested.
    package static let counts = 3...10

    private let histogram: ColorHistogram

    /// Samples the pixels, each weighted by its alpha; the photo is not kept.
    package init(_ photo: Raster) {
        histogram = ColorHistogram(photo)
    }

    package consuming func sample() -> PhotoColorSample {
        var clusters = ColorPartition(histogram.bins, into: PhotoColorSample.maxEntries).clusters
        clusters.agglomerate(to: PhotoColorSample.maxEntries)
        return PhotoColorSample(clusters.map { ($0.center.color, $0.weight) })
    }

    /// At most `count` colors, which must be in `counts`; fewer if the photo has fewer that look different.
    package consuming func extract(count: Int) -> PhotoColorScheme {
        sample().scheme(count: count)
    }
}
