package import PhotoRaster

extension StickerStudio {
    /// A subject that is enlarged less than this needs no closer look.
    private static let leastEnlargement = 1.1
    /// A closer look must show this many times the pixels along a side.
    private static let leastGain = 1.25
    /// The surroundings included on each side, as a share of the subject's longer side: the network was trained on
    /// subjects in their surroundings, and the first mask may have missed a part.
    private static let surroundings = 0.2
    /// The least overlap of two masks of the same subject; with less, one of them is wrong.
    private static let leastAgreement: Float = 0.7
    /// The weight of the closer look's mask if both agree.
    private static let closerWeight: Float = 0.5

    /// The region of the photo, in full-size pixels, that holds the subject and is worth decoding again; nil if the
    /// photo has no more detail or the sticker does not need it.
    ///
    /// - Parameters:
    ///   - mask: the network's probabilities for all of `photo`.
    ///   - photo: at its working size.
    ///   - photoWidth: of the photo in full size, upright, in pixels; so is `photoHeight`.
    package func closerLook(mask: Plane, at photo: Raster, photoWidth: Int, photoHeight: Int) -> PixelRect? {
        var opacity = mask.sharpened()
        opacity.removeScraps(matte: mask, reach: 0)
        guard let bounds = SubjectBounds(of: opacity, level: 0.5)?.rect else { return nil }
        let across = Double(photoWidth) / Double(mask.width)
        let down = Double(photoHeight) / Double(mask.height)
        let subject = PixelRect(
            x: bounds.x * across, y: bounds.y * down, width: bounds.width * across, height: bounds.height * down)
        let longer = max(subject.width, subject.height)
        let reduction = Double(max(photoWidth, photoHeight)) / Double(max(photo.width, photo.height))
        let inner = Double(recipe.size - max(recipe.margins.across, recipe.margins.down))
        guard inner > longer / reduction * Self.leastEnlargement else { return nil }

        let margin = longer * Self.surroundings
        let left = max(subject.x - margin, 0)
        let top = max(subject.y - margin, 0)
        let region = PixelRect(
            x: left, y: top, width: min(subject.x + subject.width + margin, Double(photoWidth)) - left,
            height: min(subject.y + subject.height + margin, Double(photoHeight)) - top)
        let closerReduction = max(max(region.width, region.height) / Double(recipe.workingSide), 1)
        return reduction / closerReduction >= Self.leastGain ? region : nil
    }

    /// The mask to use for `region` of a photo of `photoWidth` × `photoHeight`, from the first look at the whole photo
    /// and the closer look at just that region. If the closer look disagrees, the first
    /// mask stays.
    package func mask(
        first: Plane, closer: Plane, region: PixelRect, photoWidth: Int, photoHeight: Int
    ) -> Plane {
        let across = Double(first.width) / Double(photoWidth)
        let down = Double(first.height) / Double(photoHeight)
        let known = first.resampled(
            from: PixelRect(
                x: region.x * across, y: region.y * down, width: region.width * across, height: region.height * down),
            width: closer.width, height: closer.height, kernel: .area)
        var (shared, united): (Float, Float) = (0, 0)
        for (a, b) in zip(known.values, closer.values) {
            shared += min(a, b)
            united += max(a, b)
        }
        guard shared > united * Self.leastAgreement else { return known }
        return Plane(
            width: closer.width, height: closer.height,
            values: zip(known.values, closer.values).map { $0 + ($1 - $0) * Self.closerWeight })
    }
}
