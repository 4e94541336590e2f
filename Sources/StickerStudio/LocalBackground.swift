import PhotoRaster

/// A photo's background, which may be unevenly lit: the local medians of brightness and two chroma channels (YCoCg;
/// Malvar & Sullivan 2003).
struct LocalBackground {
    /// The background has this many cells along the longer side. A cell is the median of samples around it, a quarter
    /// of a cell apart, in a window of nearly a quarter of the longer side: wider than any stroke.
    private static let cells = 16
    private static let samplesAround = -7...7

    /// The typical brightness, 0…255, and the distance from gray.
    let brightness: Float
    let chroma: Float
    /// The levels of each channel, in cells.
    private let channels: [Plane]

    init(of photo: Raster) {
        let cell = max(Double(max(photo.width, photo.height)) / Double(Self.cells), 1)
        let (across, down) = (max(Int(Double(photo.width) / cell), 1), max(Int(Double(photo.height) / cell), 1))
        let pixels = photo.pixels.span
        var channels = [Plane](repeating: Plane(width: across, height: down), count: 3)
        var histograms = [Int](repeating: 0, count: channels.count * 256)
        for y in 0..<down {
            let rows = Self.samples(around: y, of: down, in: photo.height, cell: cell)
            for x in 0..<across {
                let columns = Self.samples(around: x, of: across, in: photo.width, cell: cell)
                for index in histograms.indices { histograms[index] = 0 }
                for row in rows {
                    for column in columns {
                        let levels = pixels.levels(at: row * photo.width + column)
                        histograms[levels.brightness] += 1
                        histograms[256 + levels.orange] += 1
                        histograms[512 + levels.green] += 1
                    }
                }
                for channel in channels.indices {
                    var (level, below) = (0, histograms[channel * 256])
                    while 2 * below < rows.count * columns.count {
                        level += 1
                        below += histograms[channel * 256 + level]
                    }
                    channels[channel][x, y] = Float(level)
                }
            }
        }
        brightness = channels[0].values.sorted()[channels[0].values.count / 2]
        let distances = zip(channels[1].values, channels[2].values).map { orange, green in
            let (orange, green) = (orange - 128, green - 128)
            return (orange * orange + green * green).squareRoot() * 2
        }
        chroma = distances.sorted()[distances.count / 2]
        self.channels = channels
    }

    /// How much each pixel of the photo differs from the background behind it: distances in a space in which brightness
    /// has 0…255.
    func difference(of photo: Raster) -> Plane {
        var plane = Plane(width: photo.width, height: photo.height)
        let smooth = channels.map { $0.resampled(width: photo.width, height: photo.height, kernel: .area).values }
        let (brightness, orange, green) = (smooth[0], smooth[1], smooth[2])
        let pixels = photo.pixels.span
        var values = plane.values.mutableSpan
        for index in values.indices {
            let levels = pixels.levels(at: index)
            let gray = Float(levels.brightness) - brightness[index]
            let (across, down) = (Float(levels.orange) - orange[index], Float(levels.green) - green[index])
            // Chroma is stored in half its range.
            values[index] = (gray * gray + across * across * 4 + down * down * 4).squareRoot()
        }
        return plane
    }

    /// The places of samples along one side of the photo.
    private static func samples(around place: Int, of count: Int, in side: Int, cell: Double) -> [Int] {
        let center = (Double(place) + 0.5) * Double(side) / Double(count)
        return samplesAround.map { Int((center + Double($0) * cell / 4).rounded(.down)) }.filter((0..<side).contains)
    }
}

extension Span<UInt8> {
    /// Brightness, orange against blue, and green against magenta of a raster's pixel: 0…255 each, gray at 128.
    @inline(__always)
    fileprivate func levels(at index: Int) -> (brightness: Int, orange: Int, green: Int) {
        let base = index * Raster.channels
        let (red, green, blue) = (Int(self[base]), Int(self[base + 1]), Int(self[base + 2]))
        return ((red + 2 * green + blue) / 4, (red - blue + 256) / 2, (2 * green - red - blue + 512) / 4)
    }
}

extension Plane {
    /// The threshold that divides differences best in two classes (Otsu 1979, "A Threshold Selection Method from
    /// Gray-Level Histograms"); the middle of those that do.
    var otsuThreshold: Float {
        var histogram = [Int](repeating: 0, count: 256)
        for value in values { histogram[min(Int(value), 255)] += 1 }
        let total = histogram.indices.reduce(0) { $0 + $1 * histogram[$1] }
        var (below, sum) = (0, 0)
        var best = (levels: 0...0, variance: 0.0)
        for (level, count) in histogram.enumerated() {
            below += count
            sum += level * count
            let above = values.count - below
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
}
