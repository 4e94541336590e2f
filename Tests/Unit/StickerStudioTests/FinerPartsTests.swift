import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("Thin parts from a finer mask")
struct FinerPartsTests {
    /// A body with two bars, `thickness` of a side wide, which have the probability `bars`.
    private static func mask(side: Int, thickness: Double = 0.02, bars: Float, second: Float? = nil) -> Plane {
        Plane(width: side, height: side) { x, y in
            let (across, down) = ((Double(x) + 0.5) / Double(side), (Double(y) + 0.5) / Double(side))
            for (center, value) in [(0.3, bars), (0.7, second ?? bars)] where 0.5...0.9 ~= down {
                if abs(across - center) < thickness / 2 { return value }
            }
            return 0.2...0.8 ~= across && 0.2...0.5 ~= down ? 1 : 0
        }
    }

    @Test("A finer mask's legs are taken over, decided, if the mask supports them, and nothing else of it")
    func legs() {
        let mask = Self.mask(side: 352, bars: 0.6, second: 0.05)
        var finer = Self.mask(side: 512, bars: 0.9)
        for y in 20..<100 {
            for x in 20..<200 { finer[x, y] = 1 }
        }
        for y in 150..<400 {
            for x in 480..<486 { finer[x, y] = 1 }
        }
        let both = mask.addingThinParts(of: finer)
        #expect(both.width == 512 && both.height == 512)
        #expect(both[154, 358] == 1, "the supported leg")
        #expect(both[358, 358] < 0.1, "the one without support")
        #expect(both[483, 200] == 0, "one that is attached to nothing")
        #expect(both[100, 60] == 0 && both[256, 180] == 1, "wide areas, of which only the mask decides")
    }

    @Test("A mask with thin parts, or the doubt of some, gets a pass at a finer scale; one without does not")
    func reason() {
        #expect(Self.mask(side: 352, bars: 1).hasThinParts)
        #expect(Self.mask(side: 352, bars: 0.35).hasThinParts)
        #expect(!Self.mask(side: 352, bars: 0.2).hasThinParts)
        #expect(!Self.mask(side: 352, thickness: 0.15, bars: 1).hasThinParts)
        #expect(!Plane(width: 352, height: 352).hasThinParts)
    }
}
