package import PhotoRaster

extension Plane {
    /// The matte's value where the cut goes: a little inside of 0.5, so that less of the background comes along.
    private static let cutLevel: Float = 0.5
    /// How steeply opacity rises at the cut. A network's matte is undecided over several pixels, which would show as a
    /// haze of background around the subject.
    private static let edgeContrast: Float = 2.5
    /// Larger gaps, as a share of the subject, are never filled.
    private static let largestHole: Float = 0.02
    /// Gaps up to this share of the subject are filled whatever the matte says: a 3 × 3 hole in a 512-pixel sticker.
    private static let largestPinhole: Float = 0.0001
    /// A gap is background if the matte in it is below this on average.
    private static let leastHoleMean: Float = 0.2

    /// Opacity from a matte: one half at the cut, fully opaque or fully transparent away from it.
    package func sharpened() -> Plane {
        Plane(
            width: width, height: height,
            values: values.map { min(max(($0 - Self.cutLevel) * Self.edgeContrast + 0.5, 0), 1) })
    }

    /// Clears what belongs to no piece of the subject; see `Pieces`.
    ///
    /// - Parameters:
    ///   - matte: what this opacity was made from, in its size.
    ///   - reach: the distance within which a small piece is kept because of a larger one, as a share of the largest
    ///     piece's longer side.
    package mutating func removeScraps(matte: Plane, reach: Double) {
        Pieces(of: self, matte: matte, reach: reach).clearScraps(of: &self)
    }

    /// Fills small gaps that opaque pixels enclose on all sides. A gap that is clearly background in the matte stays
    /// open, such as one between an arm and a body; one of a few pixels is filled in any case.
    ///
    /// - Parameter matte: what this opacity was made from, in its size.
    package mutating func fillHoles(matte: Plane) {
        let regions = Regions(width: width, height: height, diagonal: false) { values[$0] < 1 }
        var gaps = [(size: Int, open: Int, sum: Float, isEnclosed: Bool)](
            repeating: (0, 0, 0, true), count: regions.count)
        for run in regions.runs {
            var gap = gaps[run.region]
            gap.size += run.pixels.count
            for index in run.pixels where values[index] < 0.5 {
                gap.open += 1
                gap.sum += matte.values[index]
            }
            let row = run.pixels.lowerBound / width
            if row == 0 || row == height - 1 || run.pixels.lowerBound == row * width
                || run.pixels.upperBound == (row + 1) * width
            {
                gap.isEnclosed = false
            }
            gaps[run.region] = gap
        }
        let opaque = width * height - gaps.reduce(0) { $0 + $1.size }
        let largest = Int(Float(opaque) * Self.largestHole)
        let tiny = max(1, Int(Float(opaque) * Self.largestPinhole))
        let isFilled = gaps.map { gap in
            gap.isEnclosed && gap.size <= largest
                && (gap.open <= tiny || gap.sum >= Self.leastHoleMean * Float(gap.open))
        }
        for run in regions.runs where isFilled[run.region] {
            for index in run.pixels { values[index] = 1 }
        }
    }
}
