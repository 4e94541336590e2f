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
    ///
    /// - Parameter probability: `mask` before it was stretched; by default, it was not.
    func lift(from photo: Raster, mask: Plane?, probability: Plane? = nil) -> LiftedSubject {
        guard let mask else { return LiftedSubject(colors: photo, opacity: photo.alpha, probability: nil) }
        let matte = Matte(mask: mask, photo: photo)
        let opacity = opacity(from: matte, of: photo)
        return LiftedSubject(
            colors: matte.subject(of: photo, cutWith: opacity), opacity: opacity, probability: probability ?? mask)
    }

    /// The second half: crop, size, outline and shadow.
    func finish(_ subject: LiftedSubject, confidence: SubjectConfidence) -> CutOut {
        let (parts, confidences) = parts(of: subject, confidence: confidence)
        let stickers = confidences.enumerated().compactMap { part, confidence -> CutOut.Sticker? in
            guard confidence.isClear, let raster = sticker(of: subject.colors, opacity: parts.opacity(of: part)) else {
                return nil
            }
            return CutOut.Sticker(raster: raster, confidence: confidence.value)
        }
        return CutOut(stickers: stickers, confidence: confidence.value)
    }

    /// What gets a sticker each, from left to right, and how clear it is.
    private func parts(
        of subject: LiftedSubject, confidence: SubjectConfidence
    ) -> (SubjectParts, [SubjectConfidence]) {
        let parts =
            switch recipe.subjects {
            case .together: SubjectParts(undivided: subject.opacity)
            case .separate: SubjectParts(of: subject.opacity)
            case .auto: SubjectParts(of: subject.opacity).joiningNear()
            }
        guard parts.count > 1 else { return (parts, [confidence]) }
        let confidences = (0..<parts.count).map { part in
            subject.probability.map { SubjectConfidence(of: $0.keeping(parts.opacity(of: part))) } ?? confidence
        }
        if recipe.subjects == .auto, !confidences.allSatisfy(\.isClear) {
            return (SubjectParts(undivided: subject.opacity), [confidence])
        }
        return (parts, confidences)
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
