/// Room for one line's lower envelope, used again for the next line.
struct ParabolaEnvelope {
    private var vertices: [Int]
    private var heights: [Float]
    /// Where each parabola starts to be the lowest.
    private var starts: [Float]

    init(capacity: Int) {
        vertices = [Int](repeating: 0, count: capacity)
        heights = [Float](repeating: 0, count: capacity)
        starts = [Float](repeating: 0, count: capacity)
    }

    /// Replaces `count` values, from `base` on and `stride` apart, by the least cost along this line.
    mutating func transform(_ values: inout [Float], from base: Int, stride: Int, count: Int) {
        var last = -1
        for position in 0..<count {
            let height = values[base + position * stride]
            guard height.isFinite else { continue }
            var start = -Float.infinity
            while last >= 0 {
                start = crossing(of: last, with: position, height: height)
                if start > starts[last] { break }
                last -= 1
                start = -.infinity
            }
            last += 1
            (vertices[last], heights[last], starts[last]) = (position, height, start)
        }
        guard last >= 0 else { return }
        var lowest = 0
        for position in 0..<count {
            while lowest < last, starts[lowest + 1] < Float(position) { lowest += 1 }
            let distance = Float(position - vertices[lowest])
            values[base + position * stride] = distance * distance + heights[lowest]
        }
    }

    /// From where on the new parabola is lower than the one at `index`.
    private func crossing(of index: Int, with position: Int, height: Float) -> Float {
        let vertex = vertices[index]
        let rise = height - heights[index]
        return (rise / Float(position - vertex) + Float(position + vertex)) / 2
    }
}
