import PhotoRaster

extension Span<UInt8> {
    /// Red, green and blue of a raster's pixel in 0…1, and 1.
    @inline(__always)
    func color(at index: Int) -> SIMD4<Float> {
        let base = index * Raster.channels
        return SIMD4(Float(self[base]), Float(self[base + 1]), Float(self[base + 2]), 255) * (1 / 255)
    }
}
