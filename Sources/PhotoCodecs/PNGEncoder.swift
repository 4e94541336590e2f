package import PhotoRaster

/// Writes PNG files into memory. The same pixels always give the same bytes: no time, no text, nothing of the photo.
package enum PNGEncoder {
    /// 8-bit RGBA, never a palette, marked as sRGB; no other ancillary chunk. Throws `.outOfMemory` only.
    package static func encode(_ raster: Raster) throws(CodecError) -> [UInt8] {
        try PNGFile.encode(raster)
    }

    /// 8-bit grey, without ancillary chunks, asking for one row after the other from the top: `row` is given the row's
    /// number and `width` bytes to fill, which hold the row before. Both sides must be positive; throws
    /// `.outOfMemory` only.
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
