import PhotoRaster

extension Plane {
    /// Parts thinner than this are spurs, whiskers or legs; also the window of the opening below, in pixels.
    private static let thinness = 3
    /// The coverage just outside of the contour.
    private static let hidden: Float = 0.49

    /// Hides short spurs in this coverage, 0…1, from code that follows its contour: thin parts (under 3 pixels) that
    /// are attached to a body and shorter than `length`. Long ones, such as legs and whiskers, are real and stay.
    ///
    /// - Parameter inside: the pixels covered by at least one half; spurs are removed from it.
    mutating func hideSpurs(shorterThan length: Int, inside: inout BitPlane) {
        guard length > Self.thinness else { return }
        let body = inside.opened()
        let thin = Regions(of: inside.subtracting(body), diagonal: true)
        var boxes = [(left: Int, right: Int, top: Int, bottom: Int, isAttached: Bool)](
            repeating: (.max, .min, .max, .min, false), count: thin.count)
        for run in thin.runs {
            let row = run.pixels.lowerBound / width
            let columns = run.pixels.lowerBound - row * width..<run.pixels.upperBound - row * width
            var box = boxes[run.region]
            (box.left, box.right) = (min(box.left, columns.lowerBound), max(box.right, columns.upperBound))
            (box.top, box.bottom) = (min(box.top, row), max(box.bottom, row + 1))
            if !box.isAttached { box.isAttached = columns.contains { isBeside(body, x: $0, y: row) } }
            boxes[run.region] = box
        }
        let isSpur = boxes.map { box in
            let (across, down) = (box.right - box.left, box.bottom - box.top)
            return box.isAttached && max(across, down) > Self.thinness
                && across * across + down * down < length * length
        }
        for run in thin.runs where isSpur[run.region] {
            for index in run.pixels { values[index] = min(values[index], Self.hidden) }
            let row = run.pixels.lowerBound / width
            inside.clear(run.pixels.lowerBound - row * width..<run.pixels.upperBound - row * width, row: row)
        }
    }

    private func isBeside(_ body: BitPlane, x: Int, y: Int) -> Bool {
        for row in max(y - 1, 0)...min(y + 1, height - 1) {
            for column in max(x - 1, 0)...min(x + 1, width - 1) where body[column, row] { return true }
        }
        return false
    }
}
