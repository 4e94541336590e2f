import PhotoRaster
import Testing

import StickerStudio

@Suite("Die-cut outline")
struct OutlineTests {
    /// A picture whose alpha is `distance` to its border, positive inside, softened over two pixels.
    private func picture(width: Int, height: Int, distance: (Double, Double) -> Double) -> Raster {
        var raster = Raster(width: width, height: height)
        for index in 0..<width * height {
            let alpha = min(max(distance(Double(index % width) + 0.5, Double(index / width) + 0.5) / 2 + 0.5, 0), 1)
            raster.pixels[index * 4 + 3] = UInt8((alpha * 255).rounded())
        }
        return raster
    }

    /// The largest difference to the shape whose border is `distance`.
    private func error(of shape: Plane, distance: (Double, Double) -> Double) -> Double {
        shape.values.indices.map { index in
            let x = Double(index % shape.width) + 0.5
            let y = Double(index / shape.width) + 0.5
            return abs(Double(shape.values[index]) - min(max(distance(x, y) + 0.5, 0), 1))
        }.max() ?? .infinity
    }

    @Test(
        "The outline of a disc is a larger disc, to about a tenth of a pixel", arguments: [4, 12, 40],
        [9.3, 25.0, 44.7])
    func disc(width: Int, radius: Double) {
        func distance(_ x: Double, _ y: Double) -> Double {
            radius - ((x - 100.2) * (x - 100.2) + (y - 99.6) * (y - 99.6)).squareRoot()
        }
        let shape = Outline(width: width).shape(around: picture(width: 200, height: 200, distance: distance))
        #expect(error(of: shape) { distance($0, $1) + Double(width) } < 0.12)
    }

    @Test("The outline of a straight edge is straight, at any slope", arguments: [0.0, 0.01, 0.12, 0.4, 1, 2.5, 8, 90])
    func edge(slope: Double) {
        let length = (1 + slope * slope).squareRoot()
        func distance(_ x: Double, _ y: Double) -> Double { ((y - 60.3) - slope * (x - 60)) / length }
        let picture = picture(width: 120, height: 120, distance: distance)
        let shape = Outline(width: 12).shape(around: picture)
        // Only pixels whose nearest part of the edge is inside the picture.
        let middle = shape.resampled(
            from: PixelRect(x: 30, y: 30, width: 60, height: 60), width: 60, height: 60, kernel: .area)
        #expect(error(of: middle) { distance($0 + 30, $1 + 30) + 12 } < 0.1)
    }

    @Test("Corners are rounded")
    func corner() {
        let square = picture(width: 100, height: 100) { x, y in min(x - 40, 60 - x, y - 40, 60 - y) }
        let shape = Outline(width: 20).shape(around: square)
        #expect(shape[25, 25] == 0)
        #expect(shape[27, 27] == 1)
        #expect(shape[20, 50] > 0.9)
        #expect(shape[19, 50] < 0.5)
    }

    @Test("The notch between two bumps is closed; their outer sides keep their distance")
    func notch() {
        func distance(_ x: Double, _ y: Double) -> Double {
            func disc(_ center: Double) -> Double {
                20 - ((x - center) * (x - center) + (y - 100) * (y - 100)).squareRoot()
            }
            return max(disc(75), disc(125))
        }
        let shape = Outline(width: 12).shape(around: picture(width: 200, height: 200, distance: distance))
        // Two discs of radius 32 meet 20 pixels above the middle; a disc of radius 18 cannot enter the notch deeper
        // than 25.3 = √(50² − 25²) − 18 pixels.
        #expect(shape[100, 100 - 24] == 1)
        #expect(shape[100, 100 - 28] == 0)
        #expect(shape[43, 100] > 0.4 && shape[42, 100] < 0.6)
    }

    /// A ring around (150, 150) with the inner and outer radius given, open to the right by `mouth` pixels.
    private func horseshoe(inner: Double, outer: Double, mouth: Double) -> Raster {
        picture(width: 300, height: 300) { x, y in
            let radius = ((x - 150) * (x - 150) + (y - 150) * (y - 150)).squareRoot()
            let ring = min(outer - radius, radius - inner)
            return x > 150 ? min(ring, abs(y - 150) - mouth / 2) : ring
        }
    }

    @Test("A narrow pocket with a closed mouth is filled; a wide one keeps its channel")
    func pockets() {
        // The outline is 12 wide and leaves a channel of 36 - 24 pixels, which the closing, 36 wide, would fill.
        let narrow = Outline(width: 12).shape(around: horseshoe(inner: 40, outer: 70, mouth: 36))
        #expect(narrow[150, 150] == 1)
        let isWhole = (90..<210).allSatisfy { y in
            (90..<210).allSatisfy { x in
                (x - 150) * (x - 150) + (y - 150) * (y - 150) > 60 * 60 || narrow[x, y] == 1
            }
        }
        #expect(isWhole)
        let wide = Outline(width: 12).shape(around: horseshoe(inner: 80, outer: 110, mouth: 36))
        #expect(wide[150, 150] == 0)
        #expect((150..<300).allSatisfy { wide[$0, 150] == 0 })
        // The channel's sides are those of the band.
        #expect(wide[245, 150 - 4] == 0 && wide[245, 150 - 8] == 1)
    }

    @Test("A hole stays if only the band closes its mouth, or if it has none", arguments: [0.0, 20, 26])
    func rings(mouth: Double) {
        let shape = Outline(width: 12).shape(around: horseshoe(inner: 45, outer: 75, mouth: mouth))
        #expect(shape[150, 150] == 0)
        #expect(shape[150 + 60, 150] == 1)
    }

    @Test("A short spur adds nothing to the outline; a long thin part has its own")
    func spurs() {
        func tip(length: Double) -> Int {
            let drawn = picture(width: 220, height: 220) { x, y in
                let body = min(x - 60, 160 - x, y - 100, 180 - y)
                let spur = min(x - 109, 111 - x, y - (100 - length), 100 - y + 1)
                return max(body, spur)
            }
            let shape = Outline(width: 12).shape(around: drawn)
            return (0..<220).first { shape[110, $0] >= 0.5 } ?? 0
        }
        #expect(abs(tip(length: 0) - 88) <= 1)
        #expect(abs(tip(length: 9) - 88) <= 1)
        #expect(tip(length: 40) <= 51)
    }

    @Test("A separate thin part gets an outline, however short")
    func dot() {
        let dot = picture(width: 100, height: 100) { x, y in min(x - 49, 51 - x, y - 45, 55 - y) }
        #expect(Outline(width: 12).shape(around: dot)[50, 36] == 1)
    }

    @Test("An empty picture has no outline, and a full one stays full")
    func extremes() {
        #expect(Outline(width: 9).shape(around: Raster(width: 30, height: 20)).values.allSatisfy { $0 == 0 })
        let full = picture(width: 30, height: 20) { _, _ in 99 }
        #expect(Outline(width: 9).shape(around: full).values.allSatisfy { $0 == 1 })
    }
}
