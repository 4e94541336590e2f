internal import CPhotoShims
package import PhotoRaster

/// Writes lossy WebP files with alpha into memory. Deterministic: the same pixels and limit give the same bytes,
/// without metadata of the photo.
package enum WebPEncoder {
    /// The maximum width and height.
    package static let maxSide = 16383

    private struct Quality {
        let color: Int32
        var alpha: Int32 = 100
    }

    // Best first. After the last color quality, the alpha quality is lowered, too.
    private static let qualities =
        [90, 86, 82, 76, 70, 62, 54, 46, 38, 30, 22, 14, 6].map { Quality(color: $0) }
        + [Quality(color: 4, alpha: 60), Quality(color: 2, alpha: 30), Quality(color: 0, alpha: 0)]

    /// Tagged sRGB by a small ICC profile, without other metadata. The color of transparent pixels is lost.
    ///
    /// Uses the best of several qualities whose file has at most `maxBytes`: first the best one, then bisection, at
    /// most five encodings in all. Throws `.overLimit` if even the lowest does not fit, and `.outOfMemory`.
    package static func encode(_ raster: Raster, maxBytes: Int? = nil) throws(CodecError) -> [UInt8] {
        precondition(raster.width <= maxSide && raster.height <= maxSide)
        let best = try encode(raster, quality: qualities[0])
        guard let maxBytes, best.count > maxBytes else { return best }
        var fitting: [UInt8]?
        var candidates = qualities.dropFirst()
        while !candidates.isEmpty {
            let middle = candidates.startIndex + candidates.count / 2
            let file = try encode(raster, quality: candidates[middle])
            if file.count <= maxBytes {
                fitting = file
                candidates = candidates[..<middle]
            } else {
                candidates = candidates[(middle + 1)...]
            }
        }
        if let fitting { return fitting }
        throw CodecError(
            .overLimit,
            "A sticker of \(raster.width) by \(raster.height) pixels does not fit into \(maxBytes) bytes; "
                + "raise sticker.maxBytes or lower sticker.size")
    }

    /// Encodes once with the given quality for colors, 0 (smallest file) to 100: in less than half the time, for a
    /// file that is about a tenth larger, and less sharp where colors meet.
    package static func encodeQuickly(_ raster: Raster, colorQuality: Int) throws(CodecError) -> [UInt8] {
        precondition(raster.width <= maxSide && raster.height <= maxSide && (0...100).contains(colorQuality))
        return try encode(raster, quality: Quality(color: Int32(colorQuality)), quickly: true)
    }

    private static func encode(
        _ raster: Raster, quality: Quality, quickly: Bool = false
    ) throws(CodecError) -> [UInt8] {
        var count = 0
        // C reads exactly the raster's pixels and keeps no pointer.
        let bytes = unsafe raster.pixels.withUnsafeBufferPointer { pixels in
            unsafe photo_encode_webp(
                pixels.baseAddress, UInt32(raster.width), UInt32(raster.height), quality.color, quality.alpha, quickly,
                &count)
        }
        guard let bytes = unsafe bytes else { throw .outOfMemory }
        // Owned here, and freed once after copying.
        defer { unsafe photo_bytes_free(bytes) }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }
}
