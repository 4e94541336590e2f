internal import CPhotoShims
import PhotoRaster

/// Owns and frees the C decoder's result for one photo, as stored (not yet upright).
@safe struct StoredPhoto: ~Copyable {
    private var result: photo_result
    private let format: PhotoFormat

    /// Decodes; nil if the format has no decoder. If decoding fails, `error` is set.
    ///
    /// Without a working side, reads only the header: sizes, and Exif if it precedes the image. `region` is in pixels
    /// as stored, finite, and is cropped to the photo; nil is the whole photo.
    init?(
        _ source: PhotoSource, count: UInt64, format: PhotoFormat, limits: DecodeLimits, workingSide: Int?,
        region: photo_region? = nil, thumbnailSide: Int = 0, needed: NeededCells? = nil,
        avoidsPrivateParts: Bool = false
    ) {
        var request = unsafe photo_request()
        // Plain numbers.
        unsafe request.working_side = workingSide.map(UInt32.init(clamping:)) ?? 0
        unsafe request.region = region ?? photo_region()
        unsafe request.thumbnail_side = UInt32(clamping: thumbnailSide)
        unsafe request.avoids_private_parts = avoidsPrivateParts
        let limits = photo_limits(
            max_pixels: UInt64(clamping: limits.maxPixels), max_side: UInt32(clamping: limits.maxSide),
            max_scans: UInt32(clamping: limits.maxScans), max_memory: UInt64(clamping: limits.maxMemory))
        self.format = format
        // The source is lent for the call; the result is owned by this value.
        switch format {
        case .jpeg: unsafe result = source.withCSource(count: count) { unsafe photo_decode_jpeg($0, limits, request) }
        case .png: unsafe result = source.withCSource(count: count) { unsafe photo_decode_png($0, limits, request) }
        case .webp: unsafe result = source.withCSource(count: count) { unsafe photo_decode_webp($0, limits, request) }
        case .heif, .avif:
            // The cells outlive the call.
            unsafe result = (needed?.bytes ?? []).withUnsafeBufferPointer { cells in
                unsafe request.needed = needed == nil ? nil : cells.baseAddress
                unsafe request.needed_columns = UInt32(clamping: needed?.columns ?? 0)
                unsafe request.needed_rows = UInt32(clamping: needed?.rows ?? 0)
                return unsafe source.withCSource(count: count) { unsafe photo_decode_heif($0, limits, request) }
            }
        default: return nil
        }
    }

    deinit {
        var result = unsafe result
        // The only owner frees it once.
        unsafe photo_result_free(&result)
    }

    // The numbers below are plain fields of a structure that also has pointers.
    var photoWidth: Int { unsafe Int(result.photo_width) }
    var photoHeight: Int { unsafe Int(result.photo_height) }
    var hasAlpha: Bool { unsafe result.has_alpha }
    var isThumbnail: Bool { unsafe result.is_thumbnail }

    /// What the raster covers, in the photo's pixels as stored.
    var covered: PixelRect {
        unsafe PixelRect(x: result.x, y: result.y, width: result.covered_width, height: result.covered_height)
    }

    var orientation: ExifOrientation {
        unsafe ExifOrientation(rawValue: Int(result.orientation)) ?? ExifOrientation(exif: exif)
    }

    /// The Exif block from its TIFF header on; empty if there is none.
    private var exif: [UInt8] {
        // C guarantees `exif_count` bytes until the result is freed.
        unsafe [UInt8](UnsafeBufferPointer(start: result.exif, count: result.exif_count))
    }

    /// - Precondition: there is no error.
    func raster(turnedBy orientation: ExifOrientation) -> Raster {
        let width = unsafe Int(result.width)
        let height = unsafe Int(result.height)
        // C guarantees `width * height` pixels of four bytes until the result is freed.
        let pixels = unsafe UnsafeRawBufferPointer(start: result.pixels, count: width * height * Raster.channels)
        return unsafe orientation.upright(pixels, width: width, height: height)
    }

    var error: CodecError? {
        // A plain number, as above.
        switch unsafe result.status {
        case .PHOTO_OK: nil
        case .PHOTO_CORRUPT:
            .corrupt(reason)
        case .PHOTO_UNSUPPORTED:
            CodecError(
                .unsupportedVariant,
                "This kind of \(format.name) is not supported; save as an ordinary JPEG or PNG (detail: \(reason))")
        case .PHOTO_OVER_LIMIT:
            CodecError(
                .overLimit, "The photo exceeds the limits; save a smaller copy or raise them (detail: \(reason))")
        case .PHOTO_OVER_MEMORY:
            CodecError(
                .overLimit,
                "The photo needs more memory than allowed (\(reason)); raise limits.maxMemory or save a smaller copy")
        case .PHOTO_UNREADABLE: CodecError(.unreadable, "The file cannot be read (\(reason)); check the disk")
        case .PHOTO_OUT_OF_MEMORY: .outOfMemory
        }
    }

    /// A flaw that costs the image little, in the library's words; nil if there is none.
    ///
    /// - Precondition: there is no error.
    var flaw: String? { reason.isEmpty ? nil : reason }

    /// The library's message.
    private var reason: String {
        // The message is an array inside the structure, always terminated by a zero.
        unsafe withUnsafeBytes(of: result.message) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// A grid over a photo as stored, row by row: 1 for cells that must be decoded.
struct NeededCells {
    let bytes: [UInt8]
    let columns: Int
    let rows: Int

    /// - Parameter upright: the same over the upright photo, positive where it must be decoded.
    init(upright: Plane, orientation: ExifOrientation) {
        columns = orientation.swapsSides ? upright.height : upright.width
        rows = orientation.swapsSides ? upright.width : upright.height
        let walk = orientation.walk(width: columns, height: rows)
        var bytes = [UInt8](repeating: 0, count: upright.values.count)
        for y in 0..<upright.height {
            for x in 0..<upright.width where upright[x, y] > 0 {
                bytes[walk.origin + y * walk.down + x * walk.right] = 1
            }
        }
        self.bytes = bytes
    }
}

extension StoredPhoto {
    /// The stored photo's part for a rectangle of the upright one: whole pixels, at least one, none outside the photo.
    func region(upright rect: PixelRect, orientation: ExifOrientation) -> photo_region {
        let rect = orientation.stored(rect, width: Double(photoWidth), height: Double(photoHeight))
        let columns = Self.whole(from: rect.x, to: rect.x + rect.width, limit: photoWidth)
        let rows = Self.whole(from: rect.y, to: rect.y + rect.height, limit: photoHeight)
        return photo_region(
            x: UInt32(columns.lowerBound), y: UInt32(rows.lowerBound), width: UInt32(columns.count),
            height: UInt32(rows.count))
    }

    private static func whole(from start: Double, to end: Double, limit: Int) -> Range<Int> {
        let first = Int(min(max(start.rounded(.down), 0), Double(limit - 1)))
        let next = Int(min(max(end.rounded(.up), 0), Double(limit)))
        return first..<max(next, first + 1)
    }
}
