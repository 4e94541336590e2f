package import PhotoRaster

extension Plane {
    /// Subjects are far apart if the gap between them is wider than this share of the smaller one's width.
    private static let leastGap = 0.5

    /// One opacity for each group of subjects that are far apart from all others, ordered from left to right; just this
    /// one if there is a single group. Subjects are those of `separated`.
    package func farApart() -> [Plane] {
        let subjects = separated()
        guard subjects.count > 1 else { return [self] }
        let bounds = subjects.map { SubjectBounds(of: $0, level: 0.5)?.rect }
        // Each subject's group is named by the group's first subject.
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
