package import PhotoRaster

/// An opacity divided into subjects, from left to right by their centers: islands, or connected regions with opacity of
/// at least 0.5. Visible pixels around and between regions belong to the one that is nearest along visible pixels, so
/// that soft edges stay complete.
///
/// Keeps one byte per pixel for all subjects together, because a photo may have tens of megapixels and eight subjects.
package struct SubjectParts {
    /// The minimum weight of a subject with its own sticker, as a fraction of the heaviest one's.
    private static let smallestSubject: Float = 0.2
    /// The most subjects that get their own sticker: the heaviest ones.
    private static let mostSubjects = 8

    private let whole: Plane
    /// For each pixel 0, or the number of its part, from 1; empty if there is only one part.
    private var owners: [UInt8] = []
    /// At least 1: a photo with no subject is one part, as is one with a single subject.
    package private(set) var count = 1

    /// All of `opacity` as one part.
    package init(undivided opacity: Plane) {
        whole = opacity
    }

    /// One part per connected region that is heavy enough; others are left out, unless they touch one.
    package init(of opacity: Plane) {
        whole = opacity
        let regions = Regions(of: BitPlane(of: opacity, atLeast: 0.5), diagonal: true)
        let subjects = Self.subjects(among: regions, of: opacity)
        guard subjects.count > 1 else { return }
        count = subjects.count
        // 0 also for crumbs, which join the nearest subject that they touch.
        owners = [UInt8](repeating: 0, count: opacity.values.count)
        for run in regions.runs {
            guard let subject = subjects.firstIndex(of: run.region) else { continue }
            for index in run.pixels { owners[index] = UInt8(subject + 1) }
        }
        opacity.spread(&owners, into: BitPlane(of: opacity, atLeast: .leastNonzeroMagnitude))
    }

    /// The regions that are subjects, from left to right.
    private static func subjects(among regions: Regions, of opacity: Plane) -> [Int] {
        guard regions.count > 1 else { return [] }
        var weights = [Float](repeating: 0, count: regions.count)
        var centers = [Double](repeating: 0, count: regions.count)
        for run in regions.runs {
            var (weight, center) = (Float(0), 0.0)
            for (x, index) in zip(run.columns, run.pixels) {
                weight += opacity.values[index]
                center += Double(opacity.values[index]) * Double(x)
            }
            weights[run.region] += weight
            centers[run.region] += center
        }
        let limit = (weights.max() ?? 0) * smallestSubject
        return weights.indices.filter { weights[$0] >= limit }
            .sorted { weights[$0] > weights[$1] }.prefix(mostSubjects)
            .sorted { centers[$0] / Double(weights[$0]) < centers[$1] / Double(weights[$1]) }
    }

    /// One part per island; undivided if an island is too light to be a subject, which would be lost, or there are too
    /// many.
    init(of opacity: Plane, on islands: Islands) {
        whole = opacity
        let found = islands.measures(of: opacity)
        let lightest = found.map(\.weight).min() ?? 0
        guard 2...Self.mostSubjects ~= found.count, lightest >= Self.smallestSubject * (found.map(\.weight).max() ?? 0)
        else {
            return
        }
        count = found.count
        let order = found.indices.sorted { found[$0].center < found[$1].center }
        var parts = [UInt8](repeating: 0, count: count + 1)
        for (place, island) in order.enumerated() { parts[island + 1] = UInt8(place + 1) }
        owners = (0..<opacity.values.count).map { index in
            opacity.values[index] > 0 ? parts[islands.number(x: index % opacity.width, y: index / opacity.width)] : 0
        }
    }

    /// The opacity of one part, from 0 to less than `count`, in the size of all; made at each call.
    package func opacity(of part: Int) -> Plane {
        guard count > 1 else { return whole }
        return Plane(
            width: whole.width, height: whole.height,
            values: whole.values.indices.map { owners[$0] == UInt8(part + 1) ? whole.values[$0] : 0 })
    }
}
