import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("Fog in a matte")
struct FogTests {
    /// The matte of a photo of two halves, red and blue, that meet at column 200. The mask is certain of the red half
    /// and of the right end, and has the values of `doubt` from column 190 to 212.
    private func matte(doubt: (_ x: Int) -> Float) -> Plane {
        let photo = Raster(width: 400, height: 80) { x, _ in x < 200 ? [200, 40, 30, 255] : [40, 60, 190, 255] }
        let mask = Plane(width: 400, height: 80) { x, _ in x < 190 ? 0.999 : x < 212 ? doubt(x) : 0.001 }
        return Matte(mask: mask, photo: photo).plane
    }

    private func undecided(_ matte: Plane) -> Int { matte.values.count { 0.15..<0.85 ~= $0 } }

    @Test("Fog is resolved at the photo's edge", arguments: [Float(0.4), 0.6])
    func edge(value: Float) {
        let matte = matte { _ in value }
        #expect(undecided(matte) < 80 * 4)
        let ends = (0..<400).filter { matte[$0, 40] >= 0.5 }.last ?? 0
        #expect(195...205 ~= ends)
    }

    @Test("Without an edge in the photo, fog gets the value of its majority")
    func flat() {
        var mask = Plane(width: 400, height: 80, filledWith: 0.001)
        for y in 20..<60 { for x in 50..<350 { mask[x, y] = x < 150 ? 0.999 : x < 250 ? 0.6 : 0.4 } }
        let photo = Raster(width: 400, height: 80, pixels: [UInt8](repeating: 128, count: 400 * 80 * 4))
        let matte = Matte(mask: mask, photo: photo).plane
        #expect(matte[200, 40] > 0.95)
        #expect(matte[300, 40] < 0.05)
    }

    @Test("Fine stripes, such as hair, are not fog and stay")
    func hair() {
        let stripes = matte { $0 % 8 < 4 ? 0.95 : 0.05 }
        let values = (192..<210).map { stripes[$0, 40] }
        #expect((values.max() ?? 0) - (values.min() ?? 0) > 0.3)
    }
}
