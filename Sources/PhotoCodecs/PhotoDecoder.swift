internal import CPhotoShims
package import PhotoRaster

/// Decodes photos to a working size. Has no state, so one decoder may be shared.
package struct PhotoDecoder: Sendable {
    package let limits: DecodeLimits

    package init(limits: DecodeLimits = DecodeLimits()) {
        self.limits = limits
    }

    /// Makes the libraries open now the files that they would open for their first photo; call it before confinement.
    package static func prepare() {
        photo_codecs_prepare()
    }

    /// The photo upright, its longer side in `workingSide ..< 2 * workingSide`, or its own size if that is smaller.
    ///
    /// `region`, in full-size upright pixels and finite, decodes a part of the photo as if it were the photo: cropped
    /// to the photo, at least one pixel. `DecodedPhoto.region` is the exact area that the raster covers.
    ///
    /// Memory is bounded by `workingSide` and the limits, not by the photo: rows are averaged as they arrive (mean of
    /// the sRGB values). Formats that must be in memory as a whole are bounded by `maxMemory`.
    ///
    /// A photo is decoded completely or not at all: if image data is missing or cannot be decoded, it is `.corrupt`.
    /// Damage after a complete image, or below the region, does not matter. `workingSide` must be positive.
    package func decode(
        _ source: PhotoSource, workingSide: Int, region: PixelRect? = nil
    ) throws(CodecError) -> DecodedPhoto {
        precondition(workingSide > 0)
        let count = try source.count()
        guard count <= limits.maxFileBytes else {
            throw CodecError(
                .overLimit,
                "The file has \(count) bytes, more than the \(limits.maxFileBytes) allowed; raise limits.maxFileBytes")
        }
        guard let format = PhotoFormat(prefix: try source.prefix(count: count)) else {
            throw CodecError(
                .notAPhoto, count == 0 ? "The file is empty" : "Not a photo: its content is in no known image format")
        }
        guard let region else {
            let stored = try read(source, count: count, format: format, workingSide: workingSide, region: nil)
            return photo(from: stored, format: format)
        }
        let header = try read(source, count: count, format: format, workingSide: nil, region: nil)
        let orientation = header.orientation
        let stored = try read(
            source, count: count, format: format, workingSide: workingSide,
            region: header.region(upright: region, orientation: orientation))
        // A PNG may store its orientation after the image.
        if stored.orientation == orientation { return photo(from: stored, format: format) }
        let again = try read(
            source, count: count, format: format, workingSide: workingSide,
            region: header.region(upright: region, orientation: stored.orientation))
        return photo(from: again, format: format)
    }

    private func read(
        _ source: PhotoSource, count: UInt64, format: PhotoFormat, workingSide: Int?, region: photo_region?
    ) throws(CodecError) -> StoredPhoto {
        guard
            let stored = StoredPhoto(
                source, count: count, format: format, limits: limits, workingSide: workingSide, region: region)
        else {
            throw CodecError(
                .unsupportedFormat, "\(format.name) is not supported yet; save the photo as JPEG or PNG")
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
            hasAlpha: stored.hasAlpha)
    }
}
