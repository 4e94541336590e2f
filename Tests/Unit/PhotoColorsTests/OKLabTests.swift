import Testing

import PhotoColors

@Suite("OKLab")
struct OKLabTests {
    @Test(
        "Colors have the coordinates in Ottosson's article",
        arguments: [
            ("#ffffff", SIMD3<Double>(1, 0, 0)),
            ("#000000", SIMD3<Double>(0, 0, 0)),
            ("#ff0000", SIMD3<Double>(0.6280, 0.2249, 0.1258)),
            ("#00ff00", SIMD3<Double>(0.8664, -0.2339, 0.1795)),
            ("#0000ff", SIMD3<Double>(0.4520, -0.0325, -0.3115)),
        ])
    func positions(hex: String, expected: SIMD3<Double>) throws {
        let lab = try OKLab(#require(HexColor(hex)))
        #expect(lab.squaredDistance(to: OKLab(expected)) < 0.0002 * 0.0002)
    }

    @Test("Grays have no chroma")
    func grays() {
        for value in UInt8.min...UInt8.max {
            let lab = OKLab(HexColor(red: value, green: value, blue: value)).components
            #expect(abs(lab.y) < 1e-12 && abs(lab.z) < 1e-12)
        }
    }

    @Test("Conversion to OKLab and back keeps every color")
    func roundTrip() {
        for value in stride(from: 0, to: 1 << 24, by: 4099) {
            let color = HexColor(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
            #expect(OKLab(color).color == color)
        }
    }

    @Test("A color outside sRGB is clipped to its border")
    func outside() {
        #expect(OKLab(SIMD3(1.4, 0, 0)).color.description == "#ffffff")
        #expect(OKLab(SIMD3(-0.2, 0, 0)).color.description == "#000000")
    }
}
