import Foundation
import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("Die-cut outline")
struct OutlineTests {
    /// A picture whose alpha is `distance` to its border, positive inside, softened over two pixels.
    private func picture(width: Int, height: Int, distance: (Double, Double) -> Double) -> Raster {
        Raster(width: width, height: height) { x, y in
            let alpha = min(max(distance(Double(x) + 0.5, Double(y) + 0.5) / 2 + 0.5, 0), 1)
            return [0, 0, 0, UInt8((alpha * 255).rounded())]
        }
    }

    /// The largest difference to the shape whose border is `distance`.
    private func error(of shape: Plane, distance: (Double, Double) -> Double) -> Double {
        shape.values.indices.map { index in
            let x = Double(index % shape.width) + 0.5
            let y = Double(index / shape.width) + 0.5
            return abs(Double(shape.values[index]) - min(max(distance(x, y) + 0.5, 0), 1))
        }.max() ?? .infinity
    }

    @Test("The outline of a disc is a larger disc", arguments: [4, 12, 40], [9.3, 25.0, 44.7])
    func disc(width: Int, radius: Double) {
        let center = SIMD2(130.2, 129.6)
        let shape = Outline(width: width).shape(
            around: picture(width: 260, height: 260) { x, y in
                let offset = SIMD2(x, y) - center
                return radius - (offset * offset).sum().squareRoot()
            })
        // The Gaussian moves a curved line inwards, a small circle more than a large one.
        let reach = Double((130..<260).reduce(Float(0)) { $0 + shape[$1, 129] }) - 0.2
        #expect(radius + 0.55 * Double(width) - 0.1...radius + Double(width) + 0.1 ~= reach)
        let roundness = error(of: shape) { x, y in
            let offset = SIMD2(x, y) - center
            return reach - (offset * offset).sum().squareRoot()
        }
        #expect(roundness < 0.3)
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
        #expect(error(of: middle) { distance($0 + 30, $1 + 30) + 12 } < 0.3)
    }

    @Test("A corner is rounded by at most one and a half widths", arguments: [45.0, 60, 90])
    func corner(degrees: Double) {
        let half = degrees / 2 * .pi / 180
        // A wedge that points to the left.
        let shape = Outline(width: 15).shape(
            around: picture(width: 400, height: 400) { x, y in
                min((x - 100) * sin(half) - abs(y - 200) * cos(half), 360 - x)
            })
        let tip = 100 - (Double((0..<400).first { shape[$0, 200] >= 0.5 } ?? 0))
        // Where the lines beside the edges meet, and how much a circle that touches both stays behind it.
        let sharp = 15 / sin(half)
        #expect((sharp - tip) / (1 / sin(half) - 1) < 1.5 * 15)
        #expect(tip > 0.55 * 15)
    }

    @Test("No pixel of a furry subject is uncovered, and its line is nearly as short as that of a smooth one")
    func fur() {
        func length(hairs: Int) -> Int {
            let subject = DrawnSubject(softness: 1, hairs: hairs, background: .smooth)
            var picture = Raster(width: 360, height: 280)
            for y in 0..<240 {
                for x in 0..<320 { picture[x + 20, y + 20][3] = UInt8(subject.alpha[x, y] * 255) }
            }
            let shape = Outline(width: 12).shape(around: picture)
            let uncovered = shape.values.indices.count { picture.pixels[$0 * 4 + 3] >= 128 && shape.values[$0] < 1 }
            #expect(uncovered == 0)
            return shape.values.indices.count {
                shape.values[$0] >= 0.5 && (shape.values[$0 + 1] < 0.5 || shape.values[$0 + 360] < 0.5)
            }
        }
        #expect(Double(length(hairs: 90)) < 1.3 * Double(length(hairs: 0)))
    }

    @Test("The outline is one piece, however far apart the subject's parts are", arguments: [20.0, 60, 200])
    func bridges(gap: Double) throws {
        let shape = Outline(width: 12).shape(
            around: picture(width: 420, height: 160) { x, y in
                let upper = min(x - 40, 110 - x, y - 40, 90 - y)
                let lower = min(x - 110 - gap, 170 + gap - x, y - 70, 120 - y)
                let dot = 3 - ((x - 60) * (x - 60) + (y - 130) * (y - 130)).squareRoot()
                return max(upper, lower, dot)
            })
        let inside = BitPlane(width: 420, height: 160) { shape.values[$0] >= 0.5 }
        #expect(Regions(of: inside, diagonal: false).count == 1)
        // Elsewhere, nothing is wider than usual.
        #expect(shape[22, 60] == 0 && shape[300, 20] == 0)
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
        // Two discs of radius 32 meet 20 pixels above the middle. A disc of 2.2 widths cannot enter the notch deeper
        // than 27.7 = √((32 + 26.4)² − 25²) − 26.4 pixels.
        #expect(shape[100, 100 - 24] == 1)
        #expect(shape[100, 100 - 30] == 0)
        #expect(shape[44, 100] > 0.5 && shape[42, 100] < 0.5)
    }

    /// A ring around (150, 150) with the inner and outer radius given, open to the right by `mouth` pixels.
    private func horseshoe(inner: Double, outer: Double, mouth: Double) -> Raster {
        picture(width: 300, height: 300) { x, y in
            let radius = ((x - 150) * (x - 150) + (y - 150) * (y - 150)).squareRoot()
            let ring = min(outer - radius, radius - inner)
            return x > 150 ? min(ring, abs(y - 150) - mouth / 2) : ring
        }
    }

    @Test("A narrow hole is filled; a wide one stays, whether its mouth is closed or not", arguments: [0.0, 20, 36])
    func holes(mouth: Double) {
        // A disc of 2.2 widths fits into a hole with 3.2 widths of its own: 38.4 pixels.
        let narrow = Outline(width: 12).shape(around: horseshoe(inner: 34, outer: 64, mouth: mouth))
        #expect((90..<210).allSatisfy { narrow[150, $0] == 1 })
        let wide = Outline(width: 12).shape(around: horseshoe(inner: 60, outer: 90, mouth: mouth))
        #expect(wide[150, 150] == 0 && wide[150, 130] == 0)
        #expect(wide[150 + 75, 150] == 1)
    }

    @Test("A short spur adds only the least width to the outline; a long thin part has its own")
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
        #expect(abs(tip(length: 9) - 84) <= 1)
        #expect(tip(length: 40) <= 53)
    }

    @Test("A separate thin part gets an outline, however short")
    func dot() {
        let dot = picture(width: 100, height: 100) { x, y in min(x - 49, 51 - x, y - 45, 55 - y) }
        #expect(Outline(width: 12).shape(around: dot)[50, 38] == 1)
    }

    @Test("An empty picture has no outline, and a full one stays full")
    func extremes() {
        #expect(Outline(width: 9).shape(around: Raster(width: 30, height: 20)).values.allSatisfy { $0 == 0 })
        let full = picture(width: 30, height: 20) { _, _ in 99 }
        #expect(Outline(width: 9).shape(around: full).values.allSatisfy { $0 == 1 })
    }
}
