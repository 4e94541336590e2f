package import PhotoRaster

/// Finds the colors of one photo; it belongs to that photo and is used up by its one answer.
///
/// The photo's pixels are over-clustered in OKLab into a `PhotoColorSample`, and a scheme is that sample's colors joined
/// until there are as many as asked for. Nothing is left to chance: the same pixels give the same colors.
package struct ColorExtractor: ~Copyable {
    /// How many colors can be asked for.
    package static let counts = 3...10

    private let histogram: ColorHistogram

    /// Samples the pixels, each weighed by its alpha; the photo is not kept.
    package init(_ photo: Raster) {
        histogram = ColorHistogram(photo)
    }

    package consuming func sample() -> PhotoColorSample {
        var clusters = ColorPartition(histogram.bins, into: PhotoColorSample.maxEntries).clusters
        clusters.agglomerate(to: PhotoColorSample.maxEntries)
        return PhotoColorSample(clusters.map { ($0.center.color, $0.weight) })
    }

    /// At most `count` colors, which must lie in `counts`; fewer where the photo has fewer that look different.
    package consuming func extract(count: Int) -> PhotoColorScheme {
        sample().scheme(count: count)
    }
}
