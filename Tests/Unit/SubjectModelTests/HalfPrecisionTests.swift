import Testing

@testable import SubjectModel

@Suite("Half-precision weights")
struct HalfPrecisionTests {
    @Test("All 65,536 numbers are widened as Float16 does")
    func all() {
        for half in UInt16.min...UInt16.max {
            let expected = Float(Float16(bitPattern: half))
            let value = Float(half: half)
            #expect(value.bitPattern == expected.bitPattern || value.isNaN && expected.isNaN, "\(half)")
        }
    }
}
