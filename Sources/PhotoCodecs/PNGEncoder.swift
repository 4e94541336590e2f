package import PhotoRaster

/// Writes PNG files into memory. The same pixels always give the same bytes: no time, no text, no metadata of the
/// photo.
package enum PNGEncoder {
    /// 8-bit RGBA, never a palette, marked as sRGB; no other ancillary chunk. Throws only `.outOfMemory`.
    package static func encode(_ raster: Raster) throws(CodecError) -> [UInt8] {
        try PNGFile.encode(raster)
    }

    /// 8-bit gray, without ancillary chunks. Requests the rows in order from the top: `row` receives the row's number
    /// and `width` bytes to fill, which contain the previous row. Both sides must be positive; throws only
    /// `.outOfMemory`.
    package static func encodeGray(
        width: Int, height: Int, row: (Int, inout MutableSpan<UInt8>) -> Void
    ) throws(CodecError) -> [UInt8] {
        var writer = try PNGWriter(width: width, height: height)
        var line = [UInt8](repeating: 0, count: width)
        for y in 0..<height {
            var span = line.mutableSpan
            row(y, &span)
            try writer.append(row: line.span)
        }
        return try writer.finish()
    }
}
