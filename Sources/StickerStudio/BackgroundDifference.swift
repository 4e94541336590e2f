import PhotoRaster

/// How much each pixel differs from the background behind it, which may be unevenly lit: from the local median of
/// brightness and two chroma channels (YCoCg; Malvar & Sullivan 2003).
struct BackgroundDifference {
    /// The background has this many cells along the longer side. A cell is the median of samples around it, a quarter
    /// of a cell apart, in a window of nearly a quarter of the longer side: wider than any stroke.
    private static let cells = 16
    private static let samplesAround = -7...7

    /// The distances, in a space in which brightness has 0…255.
    let plane: Plane
    /// The background's typical brightness, 0…255, and its distance from gray.
    let brightness: Float
    let chroma: Float

    init(of photo: Raster) {
        let channels = Self.channels(of: photo)
        let cell = max(Double(max(photo.width, photo.height)) / Double(Self.cells), 1)
        let backgrounds = channels.map { Self.background(of: $0, in: photo, cell: cell) }
        brightness = backgrounds[0].values.sorted()[backgrounds[0].values.count / 2]
        let distances = zip(backgrounds[1].values, backgrounds[2].values).map { orange, green in
            let (orange, green) = (orange - 128, green - 128)
            return (orange * orange + green * green).squareRoot() * 2
        }
        chroma = distances.sorted()[distances.count / 2]

        var plane = Plane(width: photo.width, height: photo.height)
        var values = plane.values.mutableSpan
        // Chroma is stored in half its range.
        for (channel, (background, weight)) in zip(channels, zip(backgrounds, [1, 4, 4] as [Float])) {
            let smooth = background.resampled(width: photo.width, height: photo.height, kernel: .area)
            let levels = channel.span
            let expected = smooth.values.span
            for index in values.indices {
                let difference = Float(levels[index]) - expected[index]
                values[index] += difference * difference * weight
            }
        }
        for index in values.indices { values[index] = values[index].squareRoot() }
        self.plane = plane
    }

    /// The threshold that divides the differences best in two classes (Otsu 1979, "A Threshold Selection Method from
    /// Gray-Level Histograms"); the middle of those that do.
    var otsuThreshold: Float {
        var histogram = [Int](repeating: 0, count: 256)
        for value in plane.values { histogram[min(Int(value), 255)] += 1 }
        let total = histogram.indices.reduce(0) { $0 + $1 * histogram[$1] }
        var (below, sum) = (0, 0)
        var best = (levels: 0...0, variance: 0.0)
        for (level, count) in histogram.enumerated() {
            below += count
            sum += level * count
            let above = plane.values.count - below
            guard below > 0, above > 0 else { continue }
            let gap = Double(sum) / Double(below) - Double(total - sum) / Double(above)
            let variance = Double(below) * Double(above) * gap * gap
            if variance > best.variance {
                best = (level...level, variance)
            } else if variance == best.variance {
                best.levels = best.levels.lowerBound...level
            }
        }
        return Float(best.levels.lowerBound + best.levels.upperBound) / 2
    }

    /// Brightness, orange against blue, and green against magenta: 0…255 each, gray at 128.
    private static func channels(of photo: Raster) -> [[UInt8]] {
        let pixels = photo.pixels.span
        var result = [[UInt8]](repeating: [UInt8](repeating: 0, count: photo.width * photo.height), count: 3)
        for index in 0..<photo.width * photo.height {
            let base = index * Raster.channels
            let (red, green, blue) = (Int(pixels[base]), Int(pixels[base + 1]), Int(pixels[base + 2]))
            result[0][index] = UInt8((red + 2 * green + blue) / 4)
            result[1][index] = UInt8((red - blue + 256) / 2)
            result[2][index] = UInt8((2 * green - red - blue + 512) / 4)
        }
        return result
    }

    private static func background(of levels: [UInt8], in photo: Raster, cell: Double) -> Plane {
        var result = Plane(
            width: max(Int(Double(photo.width) / cell), 1), height: max(Int(Double(photo.height) / cell), 1))
        let source = levels.span
        var histogram = [Int](repeating: 0, count: 256)
        for y in 0..<result.height {
            let rows = samples(around: y, of: result.height, in: photo.height, cell: cell)
            for x in 0..<result.width {
                let columns = samples(around: x, of: result.width, in: photo.width, cell: cell)
                for level in histogram.indices { histogram[level] = 0 }
                for row in rows {
                    for column in columns { histogram[Int(source[row * photo.width + column])] += 1 }
                }
                var (level, below) = (0, histogram[0])
                while 2 * below < rows.count * columns.count {
                    level += 1
                    below += histogram[level]
                }
                result[x, y] = Float(level)
            }
        }
        return result
    }

    /// The places of samples along one side of the photo.
    private static func samples(around place: Int, of count: Int, in side: Int, cell: Double) -> [Int] {
        let center = (Double(place) + 0.5) * Double(side) / Double(count)
        return samplesAround.map { Int((center + Double($0) * cell / 4).rounded(.down)) }.filter((0..<side).contains)
    }
}
