import PhotoRaster

/// An image reduced to 64 × 64 cells, each the exact mean luminance of the area under it; the aspect ratio is lost.
struct LuminanceGrid {
    static let side = 64
    /// One gray level (1/255 of white) in units of `cells`.
    static let level = 1 << 12

    /// Row by row. Their mean is zero, as exactly as integers allow.
    let cells: [Int]

    init(_ raster: Raster) {
        let (width, height) = (raster.width, raster.height)
        var cells: [Int] = []
        cells.reserveCapacity(Self.side * Self.side)
        var line = [UInt32](repeating: 0, count: width)
        for row in 0..<Self.side {
            // In units of 1/64 of a pixel's height, this band of the image is `height` high.
            let band = row * height..<(row + 1) * height
            var sums = [UInt64](repeating: 0, count: width)
            for y in band.lowerBound / Self.side...(band.upperBound - 1) / Self.side {
                let share = min((y + 1) * Self.side, band.upperBound) - max(y * Self.side, band.lowerBound)
                Self.load(y, of: raster, into: &line)
                let values = line.span
                var total = sums.mutableSpan
                for x in 0..<width { total[x] += UInt64(values[x]) * UInt64(share) }
            }
            Self.append(sums, to: &cells, area: width * height)
        }
        let mean = cells.reduce(0, +) / cells.count
        self.cells = cells.map { $0 - mean }
    }

    /// Sums up a band of the image from left to right: 64 cells.
    private static func append(_ sums: [UInt64], to cells: inout [Int], area: Int) {
        let width = sums.count
        for column in 0..<side {
            let span = column * width..<(column + 1) * width
            var total = 0
            for x in span.lowerBound / side...(span.upperBound - 1) / side {
                let share = min((x + 1) * side, span.upperBound) - max(x * side, span.lowerBound)
                total += Int(sums[x]) * share
            }
            // Luminance already has eight fractional bits; four more keep the precision of the mean.
            cells.append((total << 4) / area)
        }
    }

    /// The luminance of one row (ITU-R BT.601), in 1/256 of a gray level.
    private static func load(_ y: Int, of raster: Raster, into line: inout [UInt32]) {
        let bytes = raster.pixels.span
        let first = y * raster.width * Raster.channels
        var values = line.mutableSpan
        for x in 0..<values.count {
            let base = first + x * Raster.channels
            let luminance =
                77 * UInt32(bytes[base]) + 150 * UInt32(bytes[base + 1]) + 29 * UInt32(bytes[base + 2])
            let alpha = UInt32(bytes[base + 3])
            values[x] = alpha == 255 ? luminance : (luminance * alpha + 255 * 256 * (255 - alpha)) / 255
        }
    }
}
