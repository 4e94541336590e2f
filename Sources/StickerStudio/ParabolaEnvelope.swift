/// Room for one line's lower envelope, used again for the next line.
struct ParabolaEnvelope {
    private struct Parabola {
        var vertex = 0
        var height: Float = 0
        /// The place from which it is the lowest.
        var start: Float = 0
    }

    private var parabolas: [Parabola]

    init(capacity: Int) {
        parabolas = [Parabola](repeating: Parabola(), count: capacity)
    }

    /// Replaces `count` values, from `base` on and `stride` apart, by the least cost along this line.
    mutating func transform(_ values: inout MutableSpan<Float>, from base: Int, stride: Int, count: Int) {
        var envelope = parabolas.mutableSpan
        var last = -1
        for position in 0..<count {
            let height = values[base + position * stride]
            guard height.isFinite else { continue }
            var start = -Float.infinity
            while last >= 0 {
                let top = envelope[last]
                // The place from which the new parabola is lower than the topmost.
                start = ((height - top.height) / Float(position - top.vertex) + Float(position + top.vertex)) / 2
                if start > top.start { break }
                last -= 1
                start = -.infinity
            }
            last += 1
            envelope[last] = Parabola(vertex: position, height: height, start: start)
        }
        guard last >= 0 else { return }
        var lowest = 0
        for position in 0..<count {
            while lowest < last, envelope[lowest + 1].start < Float(position) { lowest += 1 }
            let distance = Float(position - envelope[lowest].vertex)
            values[base + position * stride] = distance * distance + envelope[lowest].height
        }
    }
}
