import PhotoRaster

extension Plane {
    /// Parts thinner than this are spurs, whiskers or legs; also the window of the opening below, in pixels.
    private static let thinness = 3

    /// Hides short spurs in this coverage, 0…1, from code that follows its contour: thin parts (under 3 pixels) that
    /// are attached to a body and shorter than `length`. Long ones, such as legs and whiskers, are real and stay.
    mutating func hideSpurs(shorterThan length: Int) {
        guard length > Self.thinness else { return }
        let inside = values.map { $0 >= 0.5 }
        let body = opened(inside)
        let thin = Regions(width: width, height: height, diagonal: true) { inside[$0] && !body[$0] }
        var boxes = [(left: Int, right: Int, top: Int, bottom: Int, isAttached: Bool)](
            repeating: (.max, .min, .max, .min, false), count: thin.count)
        for run in thin.runs {
            let row = run.pixels.lowerBound / width
            var box = boxes[run.region]
            box.left = min(box.left, run.pixels.lowerBound - row * width)
            box.right = max(box.right, run.pixels.upperBound - row * width)
            (box.top, box.bottom) = (min(box.top, row), max(box.bottom, row + 1))
            if !box.isAttached { box.isAttached = run.pixels.contains { isBeside(body, $0) } }
            boxes[run.region] = box
        }
        let isSpur = boxes.map { box in
            let (across, down) = (box.right - box.left, box.bottom - box.top)
            return box.isAttached && max(across, down) > Self.thinness
                && across * across + down * down < length * length
        }
        for run in thin.runs where isSpur[run.region] {
            for index in run.pixels { values[index] = min(values[index], Self.hidden) }
        }
    }

    /// The coverage just outside of the contour.
    private static let hidden: Float = 0.49

    private func isBeside(_ body: [Bool], _ index: Int) -> Bool {
        [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1].contains {
            body.indices.contains(index + $0) && body[index + $0]
        }
    }

    /// A morphological opening by a 3 × 3 window: erosion, then dilation.
    private func opened(_ inside: [Bool]) -> [Bool] {
        let eroded = combined(combined(inside, step: 1, isAll: true), step: width, isAll: true)
        return combined(combined(eroded, step: 1, isAll: false), step: width, isAll: false)
    }

    /// Combines each value with its neighbors `step` before and behind it: all of the three, or any of them. Values at
    /// the ends stay as they are: planes given to this have an empty border.
    private func combined(_ flags: [Bool], step: Int, isAll: Bool) -> [Bool] {
        var result = flags
        let source = flags.span
        var target = result.mutableSpan
        for index in step..<max(flags.count - step, step) {
            let (before, here, behind) = (source[index - step], source[index], source[index + step])
            target[index] = isAll ? before && here && behind : before || here || behind
        }
        return result
    }
}
