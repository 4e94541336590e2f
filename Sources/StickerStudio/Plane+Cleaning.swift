package import PhotoRaster

extension Plane {
    /// The matte's value where the cut goes: a little inside of 0.5, so that less of the background comes along.
    private static let cutLevel: Float = 0.5
    /// How steeply opacity rises at the cut. A network's matte is undecided over several pixels, which would show as a
    /// haze of background around the subject.
    private static let edgeContrast: Float = 2.5
    /// A region weighs at least this share of the heaviest one, or it is a speck.
    private static let smallestRegion: Float = 0.2
    /// An enclosed gap is at least this share of the subject, or it is a pinhole.
    private static let smallestGap: Float = 0.02

    /// Opacity from a matte: one half at the cut, fully opaque or fully transparent away from it.
    package func sharpened() -> Plane {
        Plane(
            width: width, height: height,
            values: values.map { min(max(($0 - Self.cutLevel) * Self.edgeContrast + 0.5, 0), 1) })
    }

    /// Clears each region of visible pixels that is small beside the heaviest, or that is nowhere more visible than not.
    package mutating func removeSpecks() {
        let regions = Regions(width: width, height: height, diagonal: true) { values[$0] > 0 }
        var weights = [Float](repeating: 0, count: regions.count)
        var peaks = [Float](repeating: 0, count: regions.count)
        for run in regions.runs {
            for index in run.pixels {
                weights[run.region] += values[index]
                peaks[run.region] = max(peaks[run.region], values[index])
            }
        }
        let limit = (weights.max() ?? 0) * Self.smallestRegion
        for run in regions.runs where weights[run.region] < limit || peaks[run.region] < 0.5 {
            for index in run.pixels { values[index] = 0 }
        }
    }

    /// Makes small gaps opaque that opaque pixels enclose on all sides.
    package mutating func fillPinholes() {
        let regions = Regions(width: width, height: height, diagonal: false) { values[$0] < 1 }
        var sizes = [Int](repeating: 0, count: regions.count)
        var isOpen = [Bool](repeating: false, count: regions.count)
        for run in regions.runs {
            sizes[run.region] += run.pixels.count
            let row = run.pixels.lowerBound / width
            if row == 0 || row == height - 1 || run.pixels.lowerBound == row * width
                || run.pixels.upperBound == (row + 1) * width
            {
                isOpen[run.region] = true
            }
        }
        let opaque = width * height - sizes.reduce(0, +)
        let limit = Int(Float(opaque) * Self.smallestGap)
        for run in regions.runs where !isOpen[run.region] && sizes[run.region] <= limit {
            for index in run.pixels { values[index] = 1 }
        }
    }
}
