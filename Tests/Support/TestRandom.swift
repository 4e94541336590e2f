/// A small pseudorandom generator (Marsaglia 2003, xorshift) with the same numbers in every run.
package struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter state: not 0.
    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
