/// What one photo may cost at most. A photo beyond any of these is refused with `CodecError.Code.overLimit`.
package struct DecodeLimits: Codable, Hashable, Sendable {
    /// Width × height of the full photo.
    package var maxPixels = 300_000_000
    package var maxFileBytes = 1 << 30
    /// Of either side: what one row may cost.
    package var maxSide = 100_000
    /// Of a progressive JPEG, which is walked over whole for every scan. Real ones have about ten.
    package var maxScans = 100
    /// What a progressive JPEG may hold in memory (about 3 bytes a pixel with halved color, 6 with full): it is the
    /// only kind of photo that cannot be read row by row.
    package var maxBufferedBytes = 256 << 20

    package init() {}
}
