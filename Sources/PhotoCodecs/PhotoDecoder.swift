#if canImport(Glibc)
import Glibc
#endif
internal import CPhotoShims
package import PhotoRaster

/// Decodes photos to a working size. Stateless: one decoder may be shared.
package struct PhotoDecoder: Sendable {
    package let limits: DecodeLimits
    private let avoidsPrivateParts: Bool

    /// - Parameters:
    ///   - limits: the same for every photo.
    ///   - avoidsPrivateParts: whether to decode JPEGs by libjpeg's public interface alone, as if `JPEGLibrary` had no
    ///     other way: to the same result.
    package init(limits: DecodeLimits = DecodeLimits(), avoidsPrivateParts: Bool = false) {
        self.limits = limits
        self.avoidsPrivateParts = avoidsPrivateParts
    }

    /// Decodes the photo upright, with its longer side in `workingSide ..< 2 * workingSide`, or at its own size if that
    /// is smaller. A JPEG's may be up to a sixth below, because its codec has few sizes to choose from.
    ///
    /// `region`, in full-size upright pixels and finite, decodes a part of the photo as if it were the photo. It is
    /// cropped to the photo and at least one pixel large. `DecodedPhoto.region` is the exact area that the raster
    /// covers.
    ///
    /// Memory is bounded by `workingSide` and the limits, not by the photo: rows are averaged as they arrive (mean of
    /// the sRGB values). Formats that must be in memory as a whole are bounded by `maxMemory`.
    ///
    /// A photo is decoded completely or not at all: if image data is missing or cannot be decoded, it is `.corrupt`.
    /// Only of a JPEG's last rows of blocks, a part may be missing, and one restart marker may have a wrong number:
    /// that is its `flaw`. Damage after a complete image, below the region, in tiles that are not needed, or in scans
    /// of a progressive JPEG that are not needed at this size is ignored. `workingSide` must be positive.
    ///
    /// - Parameters:
    ///   - thumbnailSide: if the whole of a HEIF in tiles is wanted, and it has a thumbnail like it with a longer side
    ///     in `thumbnailSide ..< 2 * workingSide`, decodes that in its place (`isThumbnail`).
    ///   - needed: a grid over the upright photo. The tiles of a HEIF that touch no positive cell of it are not
    ///     decoded, and transparent in the result.
    package func decode(
        _ source: PhotoSource, workingSide: Int, region: PixelRect? = nil, thumbnailSide: Int = 0, needed: Plane? = nil
    ) throws(CodecError) -> DecodedPhoto {
        precondition(workingSide > 0)
        let count = try source.count()
        guard count <= limits.maxFileBytes else {
            throw CodecError(
                .overLimit,
                "The file has \(count) bytes, more than the \(limits.maxFileBytes) allowed; raise limits.maxFileBytes")
        }
        guard let format = PhotoFormat(prefix: try source.prefix(count: count)) else {
            throw CodecError(.notAPhoto, count == 0 ? "The file is empty" : "not a picture")
        }
        // libjpeg would make pixels of zeros.
        if format == .jpeg, source.endsInZeros(count), source.endsEarly() {
            throw .corrupt("the file is truncated")
        }
        guard let region else {
            let stored = try read(
                source, count: count, format: format, workingSide: workingSide, region: nil,
                thumbnailSide: thumbnailSide)
            return photo(from: stored, format: format)
        }
        let header = try read(source, count: count, format: format, workingSide: nil, region: nil)
        let orientation = header.orientation
        let stored = try read(
            source, count: count, format: format, workingSide: workingSide,
            region: header.region(upright: region, orientation: orientation),
            needed: needed.map { NeededCells(upright: $0, orientation: orientation) })
        // A PNG may store its orientation after the image.
        if stored.orientation == orientation { return photo(from: stored, format: format) }
        let again = try read(
            source, count: count, format: format, workingSide: workingSide,
            region: header.region(upright: region, orientation: stored.orientation))
        return photo(from: again, format: format)
    }

    private func read(
        _ source: PhotoSource, count: UInt64, format: PhotoFormat, workingSide: Int?, region: photo_region?,
        thumbnailSide: Int = 0, needed: NeededCells? = nil
    ) throws(CodecError) -> StoredPhoto {
        guard
            let stored = StoredPhoto(
                source, count: count, format: format, limits: limits, workingSide: workingSide, region: region,
                thumbnailSide: thumbnailSide, needed: needed, avoidsPrivateParts: avoidsPrivateParts)
        else {
            throw CodecError(.unsupportedFormat, format.refusal)
        }
        if let error = stored.error { throw error }
        return stored
    }

    private func photo(from stored: borrowing StoredPhoto, format: PhotoFormat) -> DecodedPhoto {
        let orientation = stored.orientation
        return DecodedPhoto(
            raster: stored.raster(turnedBy: orientation),
            photoWidth: orientation.swapsSides ? stored.photoHeight : stored.photoWidth,
            photoHeight: orientation.swapsSides ? stored.photoWidth : stored.photoHeight,
            region: orientation.upright(
                stored.covered, width: Double(stored.photoWidth), height: Double(stored.photoHeight)),
            format: format,
            hasAlpha: stored.hasAlpha,
            isThumbnail: stored.isThumbnail,
            flaw: stored.flaw)
    }
}

/// Limits for one photo. A photo that exceeds one fails with `CodecError.Code.overLimit`.
package struct DecodeLimits: Codable, Hashable, Sendable {
    /// Width × height of the full photo.
    package var maxPixels = 300_000_000
    package var maxFileBytes = 1 << 30
    /// Maximum width and height, which bounds the memory of a row.
    package var maxSide = 100_000
    /// The most scans of a progressive JPEG: each takes a pass over the whole image. Typical ones have about ten.
    package var maxScans = 100
    /// Maximum bytes of memory for a photo that cannot be decoded row by row. 150 MiB admit, in megapixels: HEIF
    /// and AVIF of 26 (13 with more than 8 bits), a lossless WebP of about 30. Of a progressive JPEG they admit 200 and
    /// more, because its coefficients are packed, and so of HEIF in tiles, as phones write it: one row of them is in
    /// memory.
    package var maxMemory = 150 << 20

    package init() {}
}

/// A photo, or a region of it, reduced to its working size and turned upright.
package struct DecodedPhoto: Sendable {
    /// Upright and sRGB: an embedded ICC profile has been applied.
    package var raster: Raster
    /// The full photo's size, upright.
    package let photoWidth: Int
    package let photoHeight: Int
    /// What the raster covers, in full-size upright pixels: the whole photo, or the requested region, rounded outward
    /// to whole pixels of the raster and cropped to the photo.
    package let region: PixelRect
    package let format: PhotoFormat
    /// Whether at least one pixel of the raster is not opaque.
    package let hasAlpha: Bool
    /// Whether the raster is the photo's thumbnail: at its own size, which may be below the working side.
    package let isThumbnail: Bool
    /// What is wrong with the file, if it could be decoded nevertheless: in one line, by the codec's library.
    package let flaw: String?
}

/// The bytes of one photo, in a file or in memory.
package enum PhotoSource: Sendable {
    /// An open regular file: borrowed, read by `pread` from offset 0 regardless of its position, never closed, never
    /// mapped (truncating a mapped file kills the process).
    case descriptor(Int32)
    case bytes([UInt8])

    /// The format by the first bytes; nil if they are not the beginning of a known image format. Decodes nothing.
    package func format() throws(CodecError) -> PhotoFormat? {
        PhotoFormat(prefix: try prefix(count: try count()))
    }

    /// The current number of bytes. If the file grows later, the rest is ignored.
    func count() throws(CodecError) -> UInt64 {
        switch self {
        case .bytes(let bytes): return UInt64(bytes.count)
        case .descriptor(let descriptor):
            let size = photo_file_size(descriptor)
            guard size != -Int64(ENOTSUP) else {
                throw CodecError(.unreadable, "Not a regular file; a photo must be a regular file")
            }
            guard size >= 0 else { throw .unreadable(systemError: Int32(-size)) }
            return UInt64(size)
        }
    }

    /// Lends the source to C, which must read at most `count` bytes and must not keep it beyond the call.
    func withCSource<Value>(count: UInt64, _ body: (photo_source) -> Value) -> Value {
        switch self {
        case .descriptor(let descriptor):
            // `bytes` is NULL, so C reads from the descriptor.
            return unsafe body(photo_source(bytes: nil, descriptor: descriptor, count: count))
        case .bytes(let bytes):
            // The array outlives the call, and `count` is its length.
            return unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe body(photo_source(bytes: buffer.baseAddress, descriptor: -1, count: count))
            }
        }
    }

    /// The first bytes, enough to detect the format.
    func prefix(count: UInt64) throws(CodecError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: PhotoFormat.prefixLength)
        // C writes at most the given length.
        let got = unsafe withCSource(count: count) { source in
            unsafe withUnsafePointer(to: source) { unsafe photo_source_read($0, 0, &bytes, bytes.count) }
        }
        guard got >= 0 else { throw .unreadable(systemError: Int32(-got)) }
        return Array(bytes.prefix(got))
    }
}
