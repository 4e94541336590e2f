package import PhotoRaster

extension Plane {
    /// Replaces each value by the least of (squared distance to a pixel + that pixel's value) over all pixels. Infinite
    /// values are no sources; without any other, all values stay infinite.
    ///
    /// Exact and linear in the number of pixels: columns first, then rows, each as the lower envelope of parabolas
    /// (Felzenszwalb & Huttenlocher 2012, "Distance Transforms of Sampled Functions").
    package mutating func distanceTransform() {
        var envelope = ParabolaEnvelope(capacity: max(width, height))
        let (width, height) = (width, height)
        var values = values.mutableSpan
        func transform(from base: Int, stride: Int, count: Int, _ values: inout MutableSpan<Float>) {
            envelope.reset()
            for place in 0..<count where values[base + place * stride] < .infinity {
                envelope.add(vertex: place, height: values[base + place * stride])
            }
            envelope.evaluate(upTo: count, reach: .infinity) { values[base + $0 * stride] = $1 }
        }
        for x in 0..<width { transform(from: x, stride: width, count: height, &values) }
        for y in 0..<height { transform(from: y * width, stride: 1, count: width, &values) }
    }
}
