/// The minimum, over all sources on a line, of the squared distance to the source plus the source's cost, as a lower
/// envelope of parabolas: in time linear in the line's length (Felzenszwalb & Huttenlocher 2012, "Distance Transforms
/// of Sampled Functions"). Its memory is reused for the next line.
struct ParabolaEnvelope {
    private struct Parabola {
        var vertex = 0
        var height: Float = 0
        /// The position from which it is the lowest.
        var start: Float = 0
    }

    private var parabolas: [Parabola]
    private var count = 0

    /// - Parameter capacity: the most sources of a line.
    init(capacity: Int) {
        parabolas = [Parabola](repeating: Parabola(), count: capacity)
    }

    /// Removes all sources.
    mutating func reset() { count = 0 }

    /// Adds a source of finite cost `height`. Sources must be added from left to right.
    @inline(__always)
    mutating func add(vertex: Int, height: Float) {
        var start = -Float.infinity
        while count > 0 {
            let top = parabolas[count - 1]
            // The position from which the new parabola is lower than the last.
            start = ((height - top.height) / Float(vertex - top.vertex) + Float(vertex + top.vertex)) / 2
            if start > top.start { break }
            count -= 1
            start = -.infinity
        }
        parabolas[count] = Parabola(vertex: vertex, height: height, start: start)
        count += 1
    }

    /// Calls `body` with each position below `end` and its minimum cost, if that is at most the square of `reach` and
    /// its source at most `reach` away.
    @inline(__always)
    func evaluate(upTo end: Int, reach: Float, _ body: (_ place: Int, _ cost: Float) -> Void) {
        let limit = reach * reach
        let steps = reach < Float(end) ? Int(reach) : end
        let parabolas = parabolas.span
        for index in 0..<count {
            let parabola = parabolas[index]
            // Each parabola is the lowest up to and including the position where the next one starts.
            let first = parabola.start < 0 ? 0 : Int(parabola.start) + 1
            let next = index + 1 < count ? parabolas[index + 1].start : Float(end)
            let last = next < Float(end) ? (next < 0 ? -1 : Int(next)) : end - 1
            var place = max(first, parabola.vertex - steps)
            let lastNear = min(last, parabola.vertex + steps)
            while place <= lastNear {
                let distance = Float(place - parabola.vertex)
                let cost = distance * distance + parabola.height
                if cost <= limit { body(place, cost) }
                place += 1
            }
        }
    }
}
