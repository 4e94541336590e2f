extension PhotoColorSample {
    /// At most `count` colors, which must be in `ColorExtractor.counts`; fewer if there are fewer that look different.
    ///
    /// An unmerged color is exactly one of the sample's. The gallery's `colors.js` gives the same result.
    package func scheme(count: Int) -> PhotoColorScheme {
        precondition(ColorExtractor.counts.contains(count))
        var clusters = entries.map { ColorCluster(center: OKLab($0.hex), weight: Double($0.weight)) }
        clusters.agglomerate(to: count)
        let colors = clusters.map { Entry(hex: $0.center.color, weight: Int($0.weight)) }
        return PhotoColorScheme(
            colors: colors.sorted { $0.precedes($1) }
                .map { SchemeColor(hex: $0.hex, weight: Double($0.weight) / Double(Self.whole)) })
    }

    /// The sample of a finished scheme: it gives the same colors for the scheme's own count and any larger one.
    ///
    /// Nil if the colors are not a valid scheme, or there are none.
    package init?(_ scheme: PhotoColorScheme) {
        guard 1...Self.maxEntries ~= scheme.colors.count,
            scheme.colors.allSatisfy({ $0.weight > 0 && $0.weight <= 1 })
        else { return nil }
        self.init(scheme.colors.map { ($0.hex, $0.weight) })
    }
}
