package import PhotoRaster

/// Finds the colors of one photo; it belongs to that photo and is used up by its one answer.
///
/// k-means++ (Arthur & Vassilvitskii 2007) in OKLab over a grid of sampled pixels, seeded the same for every photo: the
/// same pixels give the same colors. Single pixels rather than averages are sampled, because an average across an edge
/// is a color that the photo does not have.
package struct ColorExtractor: ~Copyable {
    /// How many colors can be asked for.
    package static let counts = 3...10

    /// More samples do not change the colors visibly, only the time.
    private static let maxSamples = 16_384
    private static let maxRounds = 24
    /// Colors nearer to each other than this look the same: about one just noticeable difference in OKLab.
    private static let sameColor: Float = 0.02

    private let samples: [OKLab]

    /// Samples the pixels that are more visible than not; the photo is not kept.
    package init(_ photo: Raster) {
        let pixels = Double(photo.width * photo.height)
        let step = max(1, Int((pixels / Double(Self.maxSamples)).squareRoot().rounded(.up)))
        var samples: [OKLab] = []
        samples.reserveCapacity(Self.maxSamples)
        for y in stride(from: min(step, photo.height) / 2, to: photo.height, by: step) {
            for x in stride(from: min(step, photo.width) / 2, to: photo.width, by: step) {
                let base = (y * photo.width + x) * Raster.channels
                guard photo.pixels[base + 3] > 127 else { continue }
                samples.append(
                    OKLab(
                        HexColor(
                            red: photo.pixels[base], green: photo.pixels[base + 1], blue: photo.pixels[base + 2])))
            }
        }
        self.samples = samples
    }

    /// At most `count` colors, which must lie in `counts`; fewer where the photo has fewer that look different.
    package consuming func extract(count: Int) -> PhotoColorScheme {
        precondition(Self.counts.contains(count))
        var clusters = refined(from: seeds(count: count))
        clusters.mergeNearest(within: Self.sameColor)
        let colors = clusters.map { cluster in
            let share = Double(cluster.size) / Double(samples.count)
            return SchemeColor(hex: cluster.center.color.description, weight: (share * 10_000).rounded() / 10_000)
        }
        return PhotoColorScheme(
            colors: colors.sorted { a, b in a.weight == b.weight ? a.hex < b.hex : a.weight > b.weight })
    }

    /// Each seed is a sample, chosen with a probability that grows with its squared distance to the seeds before it.
    private func seeds(count: Int) -> [OKLab] {
        guard !samples.isEmpty else { return [] }
        var random = SplitMix64(state: 0)
        var seeds = [samples[Int(random.next() % UInt64(samples.count))]]
        var distances = [Float](repeating: .infinity, count: samples.count)
        while seeds.count < count {
            var sum = 0.0
            for index in samples.indices {
                distances[index] = min(distances[index], samples[index].squaredDistance(to: seeds[seeds.count - 1]))
                sum += Double(distances[index])
            }
            guard sum > 0 else { break }
            var rest = Double(random.next() >> 11) * 0x1p-53 * sum
            let chosen = distances.firstIndex { distance in
                rest -= Double(distance)
                return rest < 0
            }
            guard let chosen else { break }
            seeds.append(samples[chosen])
        }
        return seeds
    }

    /// Lloyd's rounds: each sample to its nearest center, each center to the mean of its samples, until nothing moves.
    private func refined(from seeds: [OKLab]) -> [ColorCluster] {
        var centers = seeds
        var clusters: [ColorCluster] = []
        for _ in 0..<Self.maxRounds {
            var sums = [SIMD3<Double>](repeating: .zero, count: centers.count)
            var sizes = [Int](repeating: 0, count: centers.count)
            for sample in samples {
                var nearest = 0
                var least = Float.infinity
                for (index, center) in centers.enumerated() {
                    let distance = sample.squaredDistance(to: center)
                    if distance < least { (nearest, least) = (index, distance) }
                }
                sums[nearest] += SIMD3<Double>(sample.components)
                sizes[nearest] += 1
            }
            clusters = zip(sums, sizes).filter { $1 > 0 }.map { sum, size in
                ColorCluster(center: OKLab(SIMD3<Float>(sum / Double(size))), size: size)
            }
            let moved = clusters.map(\.center)
            guard moved != centers else { break }
            centers = moved
        }
        return clusters
    }
}
