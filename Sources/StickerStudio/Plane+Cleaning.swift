package import PhotoRaster

extension Plane {
    /// The matte's value at the cut.
    private static let cutLevel: Float = 0.5
    /// The slope of opacity at the cut. A network's matte is undecided over several pixels, which would show as a haze
    /// of background around the subject.
    private static let edgeContrast: Float = 2.5
    /// Larger gaps, as a fraction of the subject, are never filled.
    private static let largestHole: Float = 0.02
    /// Gaps up to this fraction of the subject are filled even if the matte is certain: a 3 × 3 hole in a 512-pixel
    /// sticker.
    private static let largestPinhole: Float = 0.0001
    /// A gap whose mean matte is lower is background.
    private static let leastHoleMean: Float = 0.2

    /// Opacity from a matte: 0.5 at the cut, 0 or 1 away from it.
    package func sharpened() -> Plane {
        Plane(width: width, height: height, values: values.map(Self.sharpened))
    }

    /// The same for one value; 0 and 1 are unchanged.
    static func sharpened(_ value: Float) -> Float {
        min(max((value - cutLevel) * edgeContrast + 0.5, 0), 1)
    }

    /// Clears pixels that belong to no piece of the subject; see `Pieces`.
    ///
    /// - Parameters:
    ///   - matte: the matte that this opacity was made from, in the same size.
    ///   - reach: the distance within which a small piece is kept because of a larger one, as a fraction of the largest
    ///     piece's longer side.
    package mutating func removeScraps(matte: Plane, reach: Double) {
        Pieces(of: self, matte: matte, reach: reach).clearScraps(of: &self)
    }

    /// Fills small gaps enclosed by opaque pixels. A gap that is clearly background in the matte stays open, such as
    /// one between arm and body; one of a few pixels is always filled.
    ///
    /// - Parameter matte: the matte that this opacity was made from, in the same size.
    package mutating func fillHoles(matte: Plane) {
        let regions = Regions(of: BitPlane(of: self, atLeast: 1).inverted(), diagonal: false)
        let sizes = regions.extents.map(\.size)
        let opaque = width * height - sizes.reduce(0, +)
        let largest = Int(Float(opaque) * Self.largestHole)
        let tiny = max(1, Int(Float(opaque) * Self.largestPinhole))
        var isFilled = zip(regions.areEnclosed, sizes).map { $0 && $1 <= largest }
        guard isFilled.contains(true) else { return }
        var open = [(size: Int, sum: Float)](repeating: (0, 0), count: regions.count)
        for run in regions.runs where isFilled[run.region] {
            for index in run.pixels where values[index] < 0.5 {
                open[run.region].size += 1
                open[run.region].sum += matte.values[index]
            }
        }
        for gap in isFilled.indices where open[gap].size > tiny {
            if open[gap].sum < Self.leastHoleMean * Float(open[gap].size) { isFilled[gap] = false }
        }
        for run in regions.runs where isFilled[run.region] {
            for index in run.pixels { values[index] = 1 }
        }
    }
}

extension Plane {
    /// Parts thinner than this, in pixels, are spurs, whiskers or legs; also the window of the opening below.
    private static let thinness = 3
    /// The coverage that hides a pixel: just below the contour's.
    private static let hidden: Float = 0.49

    /// Hides short spurs in this coverage (0…1) from code that follows its contour: thin parts attached to a body and
    /// shorter than `length` pixels. Longer ones, such as legs and whiskers, are real and stay.
    ///
    /// - Parameter inside: the pixels with coverage of at least one half; spurs are removed from it.
    mutating func hideSpurs(shorterThan length: Int, inside: inout BitPlane) {
        guard length > Self.thinness else { return }
        let body = inside.opened(by: 1)
        let thin = Regions(of: inside.subtracting(body), diagonal: true)
        var isAttached = [Bool](repeating: false, count: thin.count)
        for run in thin.runs where !isAttached[run.region] {
            isAttached[run.region] = run.columns.contains { isBeside(body, x: $0, y: run.row) }
        }
        let isSpur = zip(thin.extents, isAttached).map { part, isAttached in
            isAttached && part.longerSide > Self.thinness
                && part.width * part.width + part.height * part.height < length * length
        }
        for run in thin.runs where isSpur[run.region] {
            for index in run.pixels { values[index] = min(values[index], Self.hidden) }
            inside.clear(run.columns, row: run.row)
        }
    }

    private func isBeside(_ body: BitPlane, x: Int, y: Int) -> Bool {
        for row in max(y - 1, 0)...min(y + 1, height - 1) {
            for column in max(x - 1, 0)...min(x + 1, width - 1) where body[column, row] { return true }
        }
        return false
    }
}

extension Plane {
    /// The same, scaled so that the minimum is 0 and the maximum 1, as rembg does with its networks' masks; a flat
    /// plane is unchanged.
    package func stretched() -> Plane {
        guard let low = values.min(), let high = values.max(), high > low else { return self }
        return Plane(width: width, height: height, values: values.map { ($0 - low) / (high - low) })
    }
}
