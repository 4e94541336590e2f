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
