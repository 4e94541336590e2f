import PhotoRaster
import Testing

import StickerStudio

@Suite("Cleaning a matte")
struct CleaningTests {
    /// 100 × 100, transparent, with opaque rectangles.
    private func opacity(_ rectangles: (x: Range<Int>, y: Range<Int>)...) -> Plane {
        var plane = Plane(width: 100, height: 100)
        for rectangle in rectangles {
            for y in rectangle.y { for x in rectangle.x { plane[x, y] = 1 } }
        }
        return plane
    }

    /// `opacity` without scraps, judged by `matte`, or by the opacity itself.
    private func cleaned(_ opacity: Plane, matte: Plane? = nil, reach: Double = 0) -> Plane {
        var plane = opacity
        plane.removeScraps(matte: matte ?? opacity, reach: reach)
        return plane
    }

    @Test("A piece under 3 % of the largest is removed, with its soft border")
    func scraps() {
        let subject = opacity((10..<60, 10..<60))
        var plane = subject
        for y in 80..<88 { for x in 80..<88 { plane[x, y] = (81..<87 ~= x && 81..<87 ~= y) ? 1 : 0.2 } }
        #expect(cleaned(plane) == subject)
    }

    @Test(
        "A piece over 3 % of the largest stays if the matte is certain there",
        arguments: [(Float(1), true), (0.7, false)])
    func pieces(matteValue: Float, isKept: Bool) {
        let both = opacity((10..<60, 10..<60), (70..<80, 70..<80))
        var matte = both
        for y in 70..<80 { for x in 70..<80 { matte[x, y] = matteValue } }
        #expect(cleaned(both, matte: matte) == (isKept ? both : opacity((10..<60, 10..<60))))
    }

    @Test("A piece with a high peak but an uncertain mean is removed")
    func doubtful() {
        let both = opacity((10..<60, 10..<60), (70..<90, 70..<90))
        var matte = both
        for y in 70..<90 { for x in 70..<90 { matte[x, y] = y == 80 ? 1 : 0.55 } }
        #expect(cleaned(both, matte: matte) == opacity((10..<60, 10..<60)))
    }

    @Test("The tip of a thin part stays if it nearly touches a larger piece")
    func tips() {
        let tip = opacity((10..<60, 10..<60), (64..<88, 30..<32))
        #expect(cleaned(tip, reach: 0.1) == tip)
        #expect(cleaned(tip, reach: 0.06) == opacity((10..<60, 10..<60)))
    }

    @Test("A small piece of another shape goes, even if it nearly touches a larger one")
    func compactPieces() {
        #expect(cleaned(opacity((10..<60, 10..<60), (64..<71, 30..<37)), reach: 0.1) == opacity((10..<60, 10..<60)))
    }

    @Test("Pieces joined only by soft pixels are two, each with the pixels nearest to it")
    func bridge() {
        var plane = opacity((10..<60, 10..<60), (66..<70, 30..<34))
        for x in 60..<66 { plane[x, 31] = 0.3 }
        let left = cleaned(plane)
        #expect(left[61, 31] == 0.3 && left[60, 31] == 0.3)
        #expect(left[65, 31] == 0 && left[67, 31] == 0)
    }

    @Test("Haze without an opaque pixel is removed, however large")
    func haze() {
        let subject = opacity((10..<40, 10..<40))
        var plane = subject
        for y in 50..<100 { for x in 0..<100 { plane[x, y] = 0.4 } }
        #expect(cleaned(plane) == subject)
    }

    @Test("A small hole is filled, with its soft border, unless the matte is certain that it is background")
    func holes() {
        let subject = opacity((10..<90, 10..<90))
        var plane = subject
        for y in 40..<48 { for x in 40..<48 { plane[x, y] = (41..<47 ~= x && 41..<47 ~= y) ? 0 : 0.7 } }
        let background = plane
        plane.fillHoles(matte: background)
        #expect(plane == background)
        var matte = background
        for y in 41..<47 { for x in 41..<47 { matte[x, y] = 0.3 } }
        plane.fillHoles(matte: matte)
        #expect(plane == subject)
    }

    @Test("A pinhole is filled even if the matte is certain of the background")
    func pinholes() {
        let subject = opacity((0..<100, 0..<100))
        var plane = subject
        plane[50, 50] = 0
        let matte = plane
        plane.fillHoles(matte: matte)
        #expect(plane == subject)
    }

    @Test("Large gaps and gaps that reach the photo's border stay")
    func gaps() {
        var plane = opacity((0..<100, 0..<100))
        for y in 40..<60 { for x in 40..<60 { plane[x, y] = 0 } }
        for y in 0..<3 { for x in 10..<13 { plane[x, y] = 0 } }
        for y in 70..<73 { for x in 97..<100 { plane[x, y] = 0 } }
        let before = plane
        plane.fillHoles(matte: opacity((0..<100, 0..<100)))
        #expect(plane == before)
    }

    @Test("Sharpening keeps certain pixels and removes haze")
    func sharpening() {
        let plane = Plane(width: 5, height: 1, values: [0, 0.2, 0.5, 0.8, 1]).sharpened()
        #expect(plane.values == [0, 0, 0.5, 1, 1])
    }

    @Test("An empty matte stays unchanged")
    func nothing() {
        var plane = opacity()
        plane.removeScraps(matte: opacity(), reach: 1)
        plane.fillHoles(matte: opacity())
        #expect(plane == opacity())
    }
}
