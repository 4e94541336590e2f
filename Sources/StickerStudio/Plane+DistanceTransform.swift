package import PhotoRaster

extension Plane {
    /// Replaces each value by the least of (squared distance to a pixel + that pixel's value) over all pixels. Infinite
    /// values are no sources; all stays infinite where there is no other.
    ///
    /// Exact and linear in the number of pixels: columns first, then rows, each as the lower envelope of parabolas
    /// (Felzenszwalb & Huttenlocher 2012, "Distance Transforms of Sampled Functions").
    package mutating func distanceTransform() {
        var envelope = ParabolaEnvelope(capacity: max(width, height))
        let (width, height) = (width, height)
        var values = values.mutableSpan
        for x in 0..<width { envelope.transform(&values, from: x, stride: width, count: height) }
        for y in 0..<height { envelope.transform(&values, from: y * width, stride: 1, count: width) }
    }
}
