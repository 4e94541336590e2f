/// A small pseudorandom generator (Marsaglia 2003, xorshift) with the same numbers in every run.
struct TestRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
