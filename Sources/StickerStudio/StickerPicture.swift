package import PhotoCodecs
package import PhotoRaster

/// A finished sticker, drawn as a messenger wants it. The same sticker and form give the same pixels and bytes.
package struct StickerPicture: Sendable {
    package let raster: Raster
    private let form: PictureForm

    /// Reduces what is visible of `sticker` if it is too large, keeping its proportions to the nearest pixel. A smaller
    /// one stands in the middle at its own size: enlarged, it would look soft.
    ///
    /// - Throws: `.overLimit` if the form cannot be drawn, `.unsupportedVariant` if nothing is visible.
    package init(of sticker: Raster, as form: PictureForm) throws(CodecError) {
        guard form.isDrawable else {
            throw CodecError(
                .overLimit,
                "A picture \(form.identifier) cannot be drawn; sides must be even for tightEven, at most "
                    + "\(PictureForm.maxSide) pixels, and leave room for the sticker")
        }
        guard let visible = sticker.visibleBounds else {
            throw CodecError(.unsupportedVariant, "Every pixel of the sticker is transparent; make the sticker again")
        }
        let size = form.size(ofVisible: (visible.width, visible.height))
        let scaled = sticker.scaled(from: visible, width: size.sticker.width, height: size.sticker.height)
        raster = scaled.centered(onWidth: size.picture.width, height: size.picture.height)
        self.form = form
    }

    /// The finished file, of at most `maxBytes`.
    ///
    /// - Throws: `.overLimit` if it cannot be made that small, and `.outOfMemory`.
    package func encode() throws(CodecError) -> [UInt8] {
        switch form.format {
        case .png:
            let file = try ShadeReduction.encodePNG(raster, maxBytes: form.maxBytes)
            if let file { return file }
        case .webp:
            do throws(CodecError) {
                return try WebPEncoder.encode(raster, maxBytes: form.maxBytes)
            } catch {
                // Its reason is about settings, which do not apply to pictures.
                guard error.code == .overLimit else { throw error }
            }
        }
        throw CodecError(
            .overLimit,
            "The picture of \(raster.width) by \(raster.height) pixels does not fit into \(form.maxBytes) bytes even "
                + "with the lowest quality; use a photo with less detail")
    }
}

extension PictureForm {
    /// The sizes of the scaled sticker and of its picture.
    ///
    /// - Parameter visible: the size of what is visible of the sticker, both sides positive.
    fileprivate func size(
        ofVisible visible: (width: Int, height: Int)
    ) -> (sticker: (width: Int, height: Int), picture: (width: Int, height: Int)) {
        let (roomAcross, roomDown) = room
        let isSmall = visible.width <= roomAcross && visible.height <= roomDown
        // Compared without division, so that the limiting side is exact.
        let isWide = visible.width * roomDown >= visible.height * roomAcross
        let sticker =
            isSmall
            ? visible
            : isWide
                ? (roomAcross, Self.share(visible.height, of: roomAcross, per: visible.width))
                : (Self.share(visible.width, of: roomDown, per: visible.height), roomDown)
        switch fit {
        case .canvas: return (sticker, (width, height))
        case .tightEven:
            func even(_ side: Int) -> Int { side + side % 2 }
            return (sticker, (even(sticker.0 + 2 * margin), even(sticker.1 + 2 * margin)))
        }
    }

    /// `part * whole / all`, rounded to the nearest number; at least 1.
    private static func share(_ part: Int, of whole: Int, per all: Int) -> Int {
        max(1, (2 * part * whole + all) / (2 * all))
    }

    /// Whether a picture of this form can have this size.
    package func allows(width pictureWidth: Int, height pictureHeight: Int) -> Bool {
        switch fit {
        case .canvas: pictureWidth == width && pictureHeight == height
        case .tightEven:
            (2 * margin + 1...max(2 * margin + 1, width)).contains(pictureWidth)
                && (2 * margin + 1...max(2 * margin + 1, height)).contains(pictureHeight)
                && pictureWidth % 2 == 0 && pictureHeight % 2 == 0
        }
    }
}
