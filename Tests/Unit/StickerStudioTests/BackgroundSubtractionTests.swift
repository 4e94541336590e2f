import PhotoRaster
import TestSupport
import Testing

@testable import StickerStudio

@Suite("Subjects on a flat background")
struct BackgroundSubtractionTests {
    @Test("A drawing on unevenly lit, noisy paper is cut out with the paper inside it", arguments: [240, 512, 900])
    func drawing(side: Int) throws {
        let paper = DrawnPaper(width: side, height: side * 3 / 4) { $0.ring(x: 0.5, y: 0.5, radius: 0.25) }
        let found = try #require(BackgroundSubtraction(in: paper.raster))
        #expect(max(found.mask.width, found.mask.height) == min(side, 512))
        #expect(found.confidence > 0.95)
        // The disc that the ring encloses, and half of its stroke.
        let expected = paper.disc(x: 0.5, y: 0.5, radius: 0.26, like: found.mask)
        #expect(expected.overlap(with: found.mask) > 0.95)
    }

    @Test("Lines of squared paper do not belong to a drawing")
    func squared() throws {
        let paper = DrawnPaper { paper in
            paper.grid(every: 0.1)
            paper.ring(x: 0.5, y: 0.5, radius: 0.25)
        }
        let found = try #require(BackgroundSubtraction(in: paper.raster))
        #expect(paper.disc(x: 0.5, y: 0.5, radius: 0.26, like: found.mask).overlap(with: found.mask) > 0.9)
    }

    @Test("A gap in a stroke does not open the drawing")
    func gap() throws {
        let paper = DrawnPaper { $0.ring(x: 0.5, y: 0.5, radius: 0.25, gap: 0.015) }
        let found = try #require(BackgroundSubtraction(in: paper.raster))
        #expect(found.mask[found.mask.width / 2, found.mask.height / 2] == 1)
    }

    @Test("A scrap beside the drawing is left out")
    func scrap() throws {
        let paper = DrawnPaper { paper in
            paper.ring(x: 0.4, y: 0.5, radius: 0.25)
            paper.ring(x: 0.85, y: 0.2, radius: 0.03)
        }
        let found = try #require(BackgroundSubtraction(in: paper.raster))
        #expect(paper.disc(x: 0.4, y: 0.5, radius: 0.26, like: found.mask).overlap(with: found.mask) > 0.95)
        #expect((0.9..<1).contains(found.confidence))
    }

    @Test(
        "What is no drawing on paper is refused",
        arguments: [
            DrawnPaper { _ in },
            DrawnPaper(color: SIMD3(60, 60, 60), ink: 250) { $0.ring(x: 0.5, y: 0.5, radius: 0.25) },
            DrawnPaper(color: SIMD3(120, 200, 110)) { $0.ring(x: 0.5, y: 0.5, radius: 0.25) },
            DrawnPaper(noise: 90) { $0.ring(x: 0.5, y: 0.5, radius: 0.25) },
            DrawnPaper { paper in
                paper.ring(x: 0.25, y: 0.5, radius: 0.15)
                paper.ring(x: 0.75, y: 0.5, radius: 0.15)
            },
            DrawnPaper { $0.ring(x: 0.5, y: 0.5, radius: 0.05) },
            DrawnPaper { $0.ring(x: 0.5, y: 0.9, radius: 0.3) },
            DrawnPaper { $0.text() },
        ])
    func refused(paper: DrawnPaper) {
        #expect(BackgroundSubtraction(in: paper.raster) == nil)
    }
}

/// A sheet of paper, brighter at the left than at the right, with drawings. Lengths are fractions of the width, `y` of
/// the height.
struct DrawnPaper: Sendable {
    private(set) var raster: Raster
    private let ink: UInt8
    private let color: SIMD3<Int>

    init(
        width: Int = 512, height: Int = 384, color: SIMD3<Int> = SIMD3(230, 228, 220), ink: UInt8 = 40, noise: Int = 8,
        _ draw: (inout DrawnPaper) -> Void
    ) {
        (self.color, self.ink) = (color, ink)
        raster = DrawnPicture.flat(width: width, height: height, 0, 0, 0)
        paint([color.x, color.y, color.z].map { UInt8($0) }) { _, _ in true }
        draw(&self)
        var random = TestRandom(state: 7)
        for index in 0..<width * height {
            let light = 100 - 25 * (index % width) / width
            let change = Int(random.next() % UInt64(noise + 1)) - noise / 2
            for channel in 0..<3 {
                let value = Int(raster.pixels[index * 4 + channel]) * light / 100 + change
                raster.pixels[index * 4 + channel] = UInt8(min(max(value, 0), 255))
            }
        }
    }

    /// A circle in a stroke of 0.02, open at its right for `gap`.
    mutating func ring(x: Double, y: Double, radius: Double, gap: Double = 0) {
        let middle = y * Double(raster.height) / Double(raster.width)
        paint { across, down in
            let (right, below) = (across - x, down - middle)
            let distance = (right * right + below * below).squareRoot()
            return abs(distance - radius) < 0.01 && !(right > 0 && abs(below) < gap / 2)
        }
    }

    mutating func dot(x: Double, y: Double, radius: Double, color: [UInt8]) {
        let middle = y * Double(raster.height) / Double(raster.width)
        paint(color) { across, down in
            (across - x) * (across - x) + (down - middle) * (down - middle) < radius * radius
        }
    }

    mutating func grid(every step: Double) {
        paint([218, 218, 214]) { x, y in
            [x, y].contains { $0.truncatingRemainder(dividingBy: step) < 0.003 }
        }
    }

    /// Lines of small letters.
    mutating func text() {
        paint { x, y in
            (0.2..<0.8).contains(x) && (0.15..<0.6).contains(y) && y.truncatingRemainder(dividingBy: 0.03) < 0.012
                && x.truncatingRemainder(dividingBy: 0.02) < 0.012
        }
    }

    /// Colors the pixels whose centers are chosen; with ink by default.
    private mutating func paint(_ color: [UInt8]? = nil, where isInside: (_ x: Double, _ y: Double) -> Bool) {
        let color = color ?? [ink, ink, ink]
        for index in 0..<raster.width * raster.height {
            let x = (Double(index % raster.width) + 0.5) / Double(raster.width)
            let y = (Double(index / raster.width) + 0.5) / Double(raster.width)
            guard isInside(x, y) else { continue }
            for channel in 0..<3 { raster.pixels[index * 4 + channel] = color[channel] }
        }
    }

    /// 1 in a disc of this size, for a mask of the same picture.
    func disc(x: Double, y: Double, radius: Double, like mask: Plane) -> Plane {
        Plane(width: mask.width, height: mask.height) { column, row in
            let right = (Double(column) + 0.5) / Double(mask.width) - x
            let below = ((Double(row) + 0.5) / Double(mask.height) - y) * Double(mask.height) / Double(mask.width)
            return right * right + below * below < radius * radius ? 1 : 0
        }
    }
}

extension Plane {
    /// Intersection over union with another plane of zeros and ones.
    fileprivate func overlap(with other: Plane) -> Float {
        let shared = zip(values, other.values).reduce(0) { $0 + min($1.0, $1.1) }
        return shared / zip(values, other.values).reduce(0) { $0 + max($1.0, $1.1) }
    }
}
