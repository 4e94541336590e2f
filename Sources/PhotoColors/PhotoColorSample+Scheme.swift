extension PhotoColorSample {
    /// At most `count` colors, which must lie in `ColorExtractor.counts`; fewer where there are fewer that look different.
    ///
    /// A color that was joined with no other is one of the sample's, exactly. `colors.js` of the gallery gives the same.
    package func scheme(count: Int) -> PhotoColorScheme {
        precondition(ColorExtractor.counts.contains(count))
        var clusters = entries.map { ColorCluster(center: OKLab($0.hex), weight: Double($0.weight)) }
        clusters.agglomerate(to: count)
        let colors = clusters.map { Entry(hex: $0.center.color, weight: Int($0.weight)) }
        return PhotoColorScheme(
            colors: colors.sorted { $0.precedes($1) }
                .map { SchemeColor(hex: $0.hex, weight: Double($0.weight) / Double(Self.whole)) })
    }

    /// What can be told from a finished scheme: it gives the same colors for its own count and any larger one.
    ///
    /// Nil where a scheme cannot have such colors, or none.
    package init?(_ scheme: PhotoColorScheme) {
        guard 1...Self.maxEntries ~= scheme.colors.count,
            scheme.colors.allSatisfy({ $0.weight > 0 && $0.weight <= 1 })
        else { return nil }
        self.init(scheme.colors.map { ($0.hex, $0.weight) })
    }
}
