import PhotoRaster
import Testing

import StickerStudio

@Suite("The line to cut along")
struct CutPathTests {
    /// The shape of this signed distance to its border, positive inside.
    private func shape(side: Int = 200, _ distance: (SIMD2<Double>) -> Double) -> Plane {
        Plane(
            width: side, height: side,
            values: (0..<side * side).map { index in
                let point = SIMD2(Double(index % side) + 0.5, Double(index / side) + 0.5)
                return Float(min(max(distance(point) + 0.5, 0), 1))
            })
    }

    private func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }

    private func points(_ contour: [Int]) -> [SIMD2<Double>] {
        stride(from: 0, to: contour.count, by: 2).map {
            SIMD2(Double(contour[$0]), Double(contour[$0 + 1])) / 100
        }
    }

    @Test("follows a ring on both sides within a fifth of a pixel, with few points, its outside first")
    func ring() throws {
        let center = SIMD2(99.3, 101.8)
        let path = CutPath(around: shape { 20 - abs(length($0 - center) - 60) })
        #expect(path.contours.count == 2)
        for (contour, radius) in zip(path.contours, [80.0, 40]) {
            let points = points(contour)
            #expect(12...200 ~= points.count)
            for (point, next) in zip(points, points.dropFirst() + points.prefix(1)) {
                #expect(abs(length(point - center) - radius) < 0.1)
                #expect(abs(length((point + next) / 2 - center) - radius) < 0.2)
            }
        }
        #expect(path.isWithin(width: 200, height: 200))
        #expect(!path.isWithin(width: 170, height: 200))
    }

    @Test("ends at the picture's border, and stands between the pixels of straight edges")
    func straight() {
        let all = CutPath(around: Plane(width: 30, height: 20, filledWith: 1))
        #expect(all.isWithin(width: 30, height: 20))
        #expect(Set(all.contours.joined()) == [0, 50, 1950, 2000, 2950, 3000])
        var half = Plane(width: 30, height: 20)
        for y in 5..<15 {
            for x in 10..<20 { half[x, y] = x == 10 ? 0.75 : 1 }
        }
        let edges = points(CutPath(around: half).contours.first ?? []).map(\.x)
        // Linear between the centers of pixels: .5 is two thirds of the way from 0 to .75.
        #expect(abs((edges.min() ?? 0) - 10.17) < 0.01 && edges.max() == 20)
    }

    @Test("separates pieces that touch at a corner, leaves specks out, and has nothing around nothing")
    func pieces() {
        var plane = Plane(width: 40, height: 40)
        for y in 5..<15 {
            for x in 5..<15 { (plane[x, y], plane[x + 10, y + 10]) = (1, 1) }
        }
        plane[35, 5] = 1
        #expect(CutPath(around: plane).contours.count == 2)
        #expect(CutPath(around: Plane(width: 5, height: 5)).contours.isEmpty)
    }

    @Test("has fewer points rather than too many")
    func rough() {
        var comb = Plane(width: 8, height: 4400, filledWith: 1)
        for y in stride(from: 1, to: 4400, by: 2) { comb[7, y] = 0 }
        let path = CutPath(around: comb)
        #expect(!path.contours.isEmpty && path.contours.joined().count <= 16_000)
    }

    @Test("is written in decimals of pixels")
    func svg() {
        var plane = Plane(width: 5, height: 5)
        for index in [6, 7, 8, 11, 12, 13, 16, 17, 18] { plane.values[index] = 1 }
        #expect(CutPath(around: plane).svg == "M1.50 1L3.50 1L4 1.50L4 3.50L3.50 4L1.50 4L1 3.50L1 1.50Z")
    }
}
