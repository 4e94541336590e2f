/// Limits for one photo. A photo that exceeds one fails with `CodecError.Code.overLimit`.
package struct DecodeLimits: Codable, Hashable, Sendable {
    /// Width × height of the full photo.
    package var maxPixels = 300_000_000
    package var maxFileBytes = 1 << 30
    /// Maximum width and height, which bounds the memory of a row.
    package var maxSide = 100_000
    /// Maximum scans of a progressive JPEG: each costs a pass over the whole image. Real ones have about ten.
    package var maxScans = 100
    /// Maximum bytes of memory for a photo that cannot be decoded row by row. 150 MiB admit, in megapixels: a
    /// progressive JPEG of 52 (with full color 26), HEIF in tiles, as phones write it, of 52, other HEIF and AVIF of 19
    /// (half of either with more than 8 bits), a lossless WebP of about 30.
    package var maxMemory = 150 << 20

    package init() {}
}
