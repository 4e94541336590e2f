package import PhotoRaster

/// Cuts the subject out of photos and finishes it as stickers. Stateless: the same photo, mask and recipe give the same
/// pixels.
package struct StickerStudio: Sendable {
    let recipe: StickerRecipe

    /// - Precondition: the recipe leaves room for the subject; loading the settings checks that.
    package init(recipe: StickerRecipe) {
        precondition(recipe.leavesRoom)
        self.recipe = recipe
    }

    /// The finished stickers; none if `mask`, the network's probabilities for all of `photo`, shows no clear subject. A
    /// sticker's longer side is exactly the recipe's size, unless the subject is too small.
    ///
    /// - Parameters:
    ///   - mask: nil if the photo's own alpha is the matte.
    ///   - confidence: that of a mask of the whole photo if `photo` is a region; by default that of `mask`.
    package func cutOut(photo: Raster, mask: Plane?, confidence: SubjectConfidence? = nil) -> CutOut {
        let confidence = confidence ?? mask.map { SubjectConfidence(of: $0) } ?? .certain
        guard confidence.isClear else { return CutOut(stickers: [], confidence: confidence.value) }
        return finish(lift(from: photo, mask: mask), confidence: confidence)
    }

    /// The first half of `cutOut`: the matte, and the subject's own colors.
    func lift(from photo: Raster, mask: Plane?) -> LiftedSubject {
        guard let mask else { return LiftedSubject(colors: photo, opacity: photo.alpha, mask: nil) }
        let matte = Matte(mask: mask, photo: photo)
        let opacity = opacity(from: matte, of: photo)
        return LiftedSubject(colors: matte.subject(of: photo, cutWith: opacity), opacity: opacity, mask: mask)
    }

    /// The second half: crop, size, outline and shadow.
    func finish(_ subject: LiftedSubject, confidence: SubjectConfidence) -> CutOut {
        let parts = parts(of: subject)
        let stickers = parts.compactMap { part -> CutOut.Sticker? in
            let own = parts.count > 1 ? subject.mask.map { SubjectConfidence(of: $0.keeping(part)) } : nil
            let confidence = own ?? confidence
            guard confidence.isClear, let raster = sticker(of: subject.colors, opacity: part) else { return nil }
            return CutOut.Sticker(raster: raster, confidence: confidence.value)
        }
        return CutOut(stickers: stickers, confidence: confidence.value)
    }

    /// One opacity per sticker, from left to right.
    private func parts(of subject: LiftedSubject) -> [Plane] {
        switch recipe.subjects {
        case .together: return [subject.opacity]
        case .separate: return subject.opacity.separated()
        case .auto:
            let parts = subject.opacity.farApart()
            guard parts.count > 1 else { return parts }
            let areClear = parts.allSatisfy { part in
                subject.mask.map { SubjectConfidence(of: $0.keeping(part)).isClear } ?? true
            }
            return areClear ? parts : [subject.opacity]
        }
    }

    /// The opacity that stickers are cut with, 0…1, in the photo's size: without fog, scraps and holes. `mask` is nil
    /// if the photo's own alpha is the matte.
    package func opacity(mask: Plane?, for photo: Raster) -> Plane {
        mask.map { opacity(from: Matte(mask: $0, photo: photo), of: photo) } ?? photo.alpha
    }

    private func opacity(from matte: Matte, of photo: Raster) -> Plane {
        var opacity = matte.opacity
        opacity.removeScraps(matte: matte.plane, reach: recipe.outlineShare)
        opacity.fillHoles(matte: matte.plane)
        opacity.limit(to: photo)
        return opacity
    }

    /// Nil if nothing is visible.
    private func sticker(of subject: Raster, opacity: Plane) -> Raster? {
        guard let placement = StickerPlacement(of: opacity, recipe: recipe) else { return nil }
        var sticker = placement.resized(subject.cut(out: placement.crop, opacity: opacity))
        if recipe.hasOutline, let color = recipe.outlineColor {
            sticker.mount(on: color, cutTo: Outline(width: recipe.outlineWidth).shape(around: sticker))
        }
        if let shadow = recipe.shadow { sticker.castShadow(shadow) }
        return sticker
    }
}

extension StickerStudio {
    /// A subject enlarged by less than this needs no second pass.
    private static let leastEnlargement = 1.1
    /// A second pass must have this many times the pixels along a side.
    private static let leastGain = 1.25
    /// The surroundings included on each side, as a fraction of the subject's longer side: the network was trained on
    /// subjects in context, and the first mask may have missed a part.
    private static let surroundings = 0.2
    /// The minimum overlap of two masks of the same subject; below it, one of them is wrong.
    private static let leastAgreement: Float = 0.7
    /// The weight of the second pass's mask if both agree.
    private static let closerWeight: Float = 0.5

    /// The region around the subject, in full-size pixels, to decode again for a second pass; nil if the photo has no
    /// more detail or the sticker does not need it.
    ///
    /// - Parameters:
    ///   - mask: the network's probabilities for all of `photo`.
    ///   - photo: at its working size.
    ///   - photoWidth: that of the full-size upright photo, in pixels; likewise `photoHeight`.
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

    /// The mask for `region` of a photo of `photoWidth` × `photoHeight` pixels, combined from the first pass over the
    /// whole photo and the second over that region. If the second disagrees, the first is used alone.
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
