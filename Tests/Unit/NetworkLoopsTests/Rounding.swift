/// The number that a sum of one channel becomes.
struct Rounding {
    var scales: [Float]
    var offsets: [Float]

    func byte(_ sum: Int32, _ channel: Int) -> UInt8 {
        let product = Float(sum) * scales[channel]
        return Reference.byte(product + offsets[channel])
    }
}
