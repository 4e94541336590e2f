/// What one photo may cost at most. A photo beyond any of these is refused with `CodecError.Code.overLimit`.
package struct DecodeLimits: Codable, Hashable, Sendable {
    /// Width × height of the full photo.
    package var maxPixels = 300_000_000
    package var maxFileBytes = 1 << 30
    /// Of either side: what one row may cost.
    package var maxSide = 100_000
    /// Of a progressive JPEG, which is walked over whole for every scan. Real ones have about ten.
    package var maxScans = 100
    /// Bytes that a photo may hold in memory which cannot be taken row by row. With 150 MiB these pass, in megapixels: a
    /// progressive JPEG of 52 (with full color 26), HEIF in tiles, as phones write it, of 52, other HEIF and AVIF of 19
    /// (half of either with more than 8 bits), a lossless WebP of about 30.
    package var maxMemory = 150 << 20

    package init() {}
}
