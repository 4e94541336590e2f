package import PhotoRaster

/// Cuts the subject out of photos and finishes it as a sticker. It has no state and reads no file or clock: the same
/// photo, mask and recipe give the same pixels.
package struct StickerStudio: Sendable {
    let recipe: StickerRecipe

    /// The recipe must leave room for the subject; settings without room are rejected when they are read.
    package init(recipe: StickerRecipe) {
        precondition(recipe.leavesRoom)
        self.recipe = recipe
    }

    /// The finished stickers, or none if `mask`, the network's probabilities for the whole of `photo`, shows no
    /// clear subject. A sticker's longer side is exactly the recipe's size.
    ///
    /// - Parameters:
    ///   - mask: nil if the photo's own alpha is the matte.
    ///   - confidence: of a mask of more of the photo; by default that of `mask`.
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

    /// One opacity for each sticker, from left to right.
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

    /// The opacity that stickers of the photo are cut with, 0…1, in the photo's size: without fog, scraps and holes.
    /// `mask` is nil if the photo's own alpha is the matte.
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
