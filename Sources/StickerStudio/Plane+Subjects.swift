package import PhotoRaster

extension Plane {
    /// The minimum weight of a subject with its own sticker, as a fraction of the heaviest one's.
    private static let smallestSubject: Float = 0.2
    /// The most subjects that get their own sticker: the heaviest ones.
    private static let mostSubjects = 8

    /// One opacity per subject, ordered from left to right by their centers; only this one if there is one subject or
    /// none.
    ///
    /// Subjects are connected regions with opacity of at least 0.5. Visible pixels around and between them belong to
    /// the subject that is nearest along visible pixels, so that soft edges stay complete.
    package func separated() -> [Plane] {
        let regions = Regions(of: BitPlane(of: self, atLeast: 0.5), diagonal: true)
        guard regions.count > 1 else { return [self] }
        var weights = [Float](repeating: 0, count: regions.count)
        var centers = [Double](repeating: 0, count: regions.count)
        for run in regions.runs {
            var (weight, center) = (Float(0), 0.0)
            let start = run.pixels.lowerBound / width * width
            for index in run.pixels {
                weight += values[index]
                center += Double(values[index]) * Double(index - start)
            }
            weights[run.region] += weight
            centers[run.region] += center
        }
        let limit = (weights.max() ?? 0) * Self.smallestSubject
        let subjects = weights.indices.filter { weights[$0] >= limit }
            .sorted { weights[$0] > weights[$1] }.prefix(Self.mostSubjects)
            .sorted { centers[$0] / Double(weights[$0]) < centers[$1] / Double(weights[$1]) }
        guard subjects.count > 1 else { return [self] }

        // 0 for pixels without a subject, and for crumbs, which join the nearest subject that they touch.
        var owners = [UInt8](repeating: 0, count: values.count)
        for run in regions.runs {
            guard let subject = subjects.firstIndex(of: run.region) else { continue }
            for index in run.pixels { owners[index] = UInt8(subject + 1) }
        }
        spread(&owners, into: BitPlane(of: self, atLeast: .leastNonzeroMagnitude))
        return subjects.indices.map { subject in
            Plane(
                width: width, height: height,
                values: values.indices.map { owners[$0] == UInt8(subject + 1) ? values[$0] : 0 })
        }
    }

    /// Gives each pixel of `places` without an owner (0) its neighbor's owner, growing in rings.
    ///
    /// - Parameters:
    ///   - owners: one number for each pixel.
    ///   - places: all visible pixels without an owner, and no invisible one.
    func spread(_ owners: inout [UInt8], into places: BitPlane) {
        var edge: [Int] = []
        for y in 0..<height {
            places.forEachRun(inRow: y) { columns in
                for index in y * width + columns.lowerBound..<y * width + columns.upperBound where owners[index] == 0 {
                    forEachNeighbor(of: index) { if owners[$0] != 0 { edge.append($0) } }
                }
            }
        }
        while !edge.isEmpty {
            var next: [Int] = []
            for index in edge {
                forEachNeighbor(of: index) { neighbor in
                    guard owners[neighbor] == 0, values[neighbor] > 0 else { return }
                    owners[neighbor] = owners[index]
                    next.append(neighbor)
                }
            }
            edge = next
        }
    }

    @inline(__always)
    private func forEachNeighbor(of index: Int, _ body: (Int) -> Void) {
        let x = index % width
        if index >= width { body(index - width) }
        if index + width < values.count { body(index + width) }
        if x > 0 { body(index - 1) }
        if x + 1 < width { body(index + 1) }
    }

    /// The values at pixels that are visible, or nearly so, in `part`, a plane of the same photo in any size; 0
    /// elsewhere.
    func keeping(_ part: Plane) -> Plane {
        let near = part.resampled(width: width, height: height, kernel: .area)
        return Plane(
            width: width, height: height, values: values.indices.map { near.values[$0] > 0 ? values[$0] : 0 })
    }

    /// Limits opacity to the photo's own alpha.
    mutating func limit(to photo: Raster) {
        guard photo.hasTransparency else { return }
        let pixels = photo.pixels.span
        for index in values.indices {
            let alpha = pixels[index * Raster.channels + 3]
            if alpha < 255 { values[index] *= Float(alpha) / 255 }
        }
    }
}

extension Plane {
    /// Subjects are far apart if the gap between them is wider than this fraction of the smaller one's width.
    private static let leastGap = 0.5

    /// One opacity per group of subjects that is far apart from all others, ordered from left to right; only this one
    /// if there is a single group. Subjects are those of `separated`.
    package func farApart() -> [Plane] {
        let subjects = separated()
        guard subjects.count > 1 else { return [self] }
        let bounds = subjects.map { SubjectBounds(of: $0, level: 0.5)?.rect }
        // A group is identified by its first subject.
        var groups = Array(subjects.indices)
        for right in subjects.indices {
            for left in 0..<right where groups[left] != groups[right] && areNear(bounds[left], bounds[right]) {
                let (kept, joined) = (min(groups[left], groups[right]), max(groups[left], groups[right]))
                groups = groups.map { $0 == joined ? kept : $0 }
            }
        }
        let names = Set(groups).sorted()
        guard names.count > 1 else { return [self] }
        return names.map { name in
            let members = subjects.indices.filter { groups[$0] == name }
            return members.dropFirst().reduce(subjects[members[0]]) { group, member in
                Plane(
                    width: width, height: height,
                    values: zip(group.values, subjects[member].values).map { max($0, $1) })
            }
        }
    }

    private func areNear(_ one: PixelRect?, _ other: PixelRect?) -> Bool {
        guard let one, let other else { return true }
        let across = max(one.x, other.x) - min(one.x + one.width, other.x + other.width)
        let down = max(one.y, other.y) - min(one.y + one.height, other.y + other.height)
        let smaller = one.width * one.height < other.width * other.height ? one : other
        return max(across, down) <= smaller.width * Self.leastGap
    }
}
