package import PhotoRaster

/// What the network processes in a second pass over a photo. The weighted mean of both masks is used.
///
/// The region around the subject fills the network's input, so edges and thin parts are found at a finer scale. It runs
/// on the mirror image: the network makes different errors there, so the mean of both masks is better than either
/// (test-time augmentation; Krizhevsky, Sutskever & Hinton 2012, "ImageNet Classification with Deep Convolutional
/// Neural Networks", section 4.1).
package struct SecondPass: Equatable, Sendable {
    /// In pixels of the full-size photo.
    package let region: PixelRect
    /// The same region in the working raster, which has nearly all the detail that the sticker needs; nil if the region
    /// must be decoded again for more.
    package let bounds: PixelBounds?
}

extension StickerStudio {
    /// A subject that would be enlarged by less than this needs no more detail than the working raster has.
    private static let leastEnlargement = 1.1
    /// A region that is decoded again must have this many times the pixels along a side.
    private static let leastGain = 1.25
    /// A region of the working raster must be this many times smaller than it, along a side (geometric mean): a second
    /// pass over nearly all of it lowers IoU of ECSSD, and gains .0007 of boundary IoU of the validation photos.
    private static let leastReduction = 1.1
    /// If the mean probability of the subject's pixels is at least this, a second pass over the same raster is not
    /// worth its time: leaving it out lowers boundary IoU of the validation photos (Training/MODEL-CARD.md) by .0011,
    /// and no other score by more than .0002.
    private static let certainMean = 0.985
    /// The surroundings included on each side, as a fraction of the subject's longer side: the network was trained on
    /// subjects in context, and the first mask may have missed a part. This and the next two were tuned on the
    /// validation photos.
    private static let surroundings = 0.15
    /// The minimum overlap of two masks of the same subject; below it, one of them is wrong.
    private static let leastAgreement = 0.5
    /// The weight of the second pass's mask if both agree.
    private static let secondWeight: Float = 0.6

    /// What to process in a second pass; nil if it would change the sticker too little to be worth its time.
    ///
    /// - Parameters:
    ///   - mask: the network's probabilities for all of `photo`.
    ///   - photo: at its working size.
    ///   - photoWidth: that of the full-size upright photo, in pixels; likewise `photoHeight`.
    package func secondPass(mask: Plane, at photo: Raster, photoWidth: Int, photoHeight: Int) -> SecondPass? {
        var opacity = mask.sharpened()
        opacity.removeScraps(matte: mask, reach: 0)
        guard let bounds = opacity.bounds(level: 0.5) else { return nil }
        let subject = bounds.scaled(
            across: Double(photoWidth) / Double(mask.width), down: Double(photoHeight) / Double(mask.height))
        let longer = max(subject.width, subject.height)
        let region = subject.grown(by: longer * Self.surroundings, width: photoWidth, height: photoHeight)

        let reduction = Double(max(photoWidth, photoHeight)) / Double(max(photo.width, photo.height))
        let inner = Double(recipe.size - max(recipe.margins.across, recipe.margins.down))
        let closerReduction = max(max(region.width, region.height) / Double(recipe.workingSide), 1)
        if inner > longer / reduction * Self.leastEnlargement, reduction / closerReduction >= Self.leastGain {
            return SecondPass(region: region, bounds: nil)
        }

        guard mask.meanOfSubject < Self.certainMean else { return nil }
        let (across, down) = (Double(photo.width) / Double(photoWidth), Double(photo.height) / Double(photoHeight))
        let inRaster = PixelBounds(around: region.scaled(across: across, down: down), in: photo)
        let pixels = Double(inRaster.width * inRaster.height) * Self.leastReduction * Self.leastReduction
        guard pixels <= Double(photo.width * photo.height) else { return nil }
        let exact = PixelRect(
            x: Double(inRaster.x), y: Double(inRaster.y), width: Double(inRaster.width), height: Double(inRaster.height)
        )
        return SecondPass(region: exact.scaled(across: 1 / across, down: 1 / down), bounds: inRaster)
    }

    /// The mask for `region` of a photo of `photoWidth` × `photoHeight` pixels, combined from the first pass over the
    /// whole photo and the second over that region. If the second disagrees, the first is used alone.
    package func mask(first: Plane, second: Plane, region: PixelRect, photoWidth: Int, photoHeight: Int) -> Plane {
        let known = first.resampled(
            from: region.scaled(
                across: Double(first.width) / Double(photoWidth), down: Double(first.height) / Double(photoHeight)),
            width: second.width, height: second.height, kernel: .area)
        var (shared, united) = (0.0, 0.0)
        for (a, b) in zip(known.values, second.values) {
            shared += Double(min(a, b))
            united += Double(max(a, b))
        }
        guard shared > united * Self.leastAgreement else { return known }
        return Plane(
            width: second.width, height: second.height,
            values: zip(known.values, second.values).map { $0 + ($1 - $0) * Self.secondWeight })
    }
}

extension Plane {
    /// The mean of all values above 0.5; 1 if there is none.
    fileprivate var meanOfSubject: Double {
        var (sum, count) = (0.0, 0.0)
        for value in values where value > 0.5 {
            sum += Double(value)
            count += 1
        }
        return count > 0 ? sum / count : 1
    }
}

extension PixelRect {
    /// The same rectangle of an image with this many times the pixels.
    fileprivate func scaled(across: Double, down: Double) -> PixelRect {
        PixelRect(x: x * across, y: y * down, width: width * across, height: height * down)
    }

    /// With `margin` on each side, within an image of `width` × `height` pixels.
    fileprivate func grown(by margin: Double, width: Int, height: Int) -> PixelRect {
        let left = max(x - margin, 0)
        let top = max(y - margin, 0)
        return PixelRect(
            x: left, y: top, width: min(x + self.width + margin, Double(width)) - left,
            height: min(y + self.height + margin, Double(height)) - top)
    }
}

extension PixelBounds {
    /// The whole pixels of `raster` that `rect` touches.
    fileprivate init(around rect: PixelRect, in raster: Raster) {
        let (x, y) = (max(Int(rect.x.rounded(.down)), 0), max(Int(rect.y.rounded(.down)), 0))
        self.init(
            x: x, y: y, width: min(Int((rect.x + rect.width).rounded(.up)), raster.width) - x,
            height: min(Int((rect.y + rect.height).rounded(.up)), raster.height) - y)
    }
}
