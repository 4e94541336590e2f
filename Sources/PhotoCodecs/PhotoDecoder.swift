/// Decodes one photo after the other to a working size. Holds nothing between them, so one decoder may be shared.
package struct PhotoDecoder: Sendable {
    package let limits: DecodeLimits

    package init(limits: DecodeLimits = DecodeLimits()) {
        self.limits = limits
    }

    /// The photo upright, its longer side in `workingSide ..< 2 * workingSide`, or its own size where that is smaller.
    ///
    /// Memory is bounded by `workingSide` and the limits, never by the photo: rows are averaged down as they come in
    /// (mean of the sRGB values). Only a progressive JPEG is held whole, up to `maxBufferedBytes`.
    ///
    /// A photo is taken whole or not at all: where picture data is missing or does not decode, it is `.corrupt`. What
    /// is broken behind a complete picture does not matter. `workingSide` must be positive.
    package func decode(_ source: PhotoSource, workingSide: Int) throws(CodecError) -> DecodedPhoto {
        precondition(workingSide > 0)
        let count = try source.count()
        guard count <= limits.maxFileBytes else {
            throw CodecError(
                .overLimit,
                "The file has \(count) bytes, more than the \(limits.maxFileBytes) allowed; raise limits.maxFileBytes")
        }
        guard let format = PhotoFormat(prefix: try source.prefix(count: count)) else {
            throw CodecError(
                .notAPhoto, count == 0 ? "The file is empty" : "Not a photo: the content is of no known picture format")
        }
        guard let stored = StoredPhoto(source, count: count, format: format, limits: limits, workingSide: workingSide)
        else {
            throw CodecError(
                .unsupportedFormat, "\(format.name) is not supported yet; save the photo as JPEG or PNG")
        }
        if let error = stored.error { throw error }
        let orientation = ExifOrientation(exif: stored.exif)
        return DecodedPhoto(
            raster: stored.raster(turnedBy: orientation),
            photoWidth: orientation.swapsSides ? stored.photoHeight : stored.photoWidth,
            photoHeight: orientation.swapsSides ? stored.photoWidth : stored.photoHeight,
            format: format,
            hasAlpha: stored.hasAlpha)
    }
}
