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

    @Test("A small region beside a large one goes, with its soft border")
    func specks() {
        let subject = opacity((10..<60, 10..<60))
        var plane = subject
        for y in 80..<86 { for x in 80..<86 { plane[x, y] = (81..<85 ~= x && 81..<85 ~= y) ? 1 : 0.2 } }
        plane.removeSpecks()
        #expect(plane == subject)
    }

    @Test("Two subjects of like size both stay")
    func twins() {
        let twins = opacity((10..<40, 10..<40), (60..<80, 60..<80))
        var plane = twins
        plane.removeSpecks()
        #expect(plane == twins)
    }

    @Test("Haze that is nowhere more visible than not goes, however large")
    func haze() {
        let subject = opacity((10..<40, 10..<40))
        var plane = subject
        for y in 50..<100 { for x in 0..<100 { plane[x, y] = 0.4 } }
        plane.removeSpecks()
        #expect(plane == subject)
    }

    @Test("An enclosed pinhole is filled, with its soft border")
    func pinholes() {
        let subject = opacity((10..<90, 10..<90))
        var plane = subject
        for y in 40..<46 { for x in 40..<46 { plane[x, y] = (41..<45 ~= x && 41..<45 ~= y) ? 0 : 0.7 } }
        plane.fillPinholes()
        #expect(plane == subject)
    }

    @Test("A large gap stays, and so does whatever is open to the photo's border")
    func gaps() {
        var plane = opacity((0..<100, 0..<100))
        for y in 40..<60 { for x in 40..<60 { plane[x, y] = 0 } }
        for y in 0..<3 { for x in 10..<13 { plane[x, y] = 0 } }
        for y in 70..<73 { for x in 97..<100 { plane[x, y] = 0 } }
        let before = plane
        plane.fillPinholes()
        #expect(plane == before)
    }

    @Test("Sharpening keeps what is sure and cuts the haze away")
    func sharpening() {
        let plane = Plane(width: 5, height: 1, values: [0, 0.2, 0.5, 0.8, 1]).sharpened()
        #expect(plane.values == [0, 0, 0.5, 1, 1])
    }

    @Test("A picture with nothing in it is left alone")
    func nothing() {
        var plane = opacity()
        plane.removeSpecks()
        plane.fillPinholes()
        #expect(plane == opacity())
    }
}
