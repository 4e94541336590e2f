package import PhotoRaster

/// Cuts the subject out of photos and finishes it as a sticker. No file, no clock, no state: the same photo, mask and
/// recipe give the same pixels.
package struct StickerStudio: Sendable {
    let recipe: StickerRecipe

    /// The recipe must leave room for the subject; settings that do not are refused long before.
    package init(recipe: StickerRecipe) {
        precondition(recipe.leavesRoom)
        self.recipe = recipe
    }

    /// The finished stickers, or none where `mask`, the network's probabilities for the whole of `photo`, shows no
    /// clear subject. A sticker's longer side is exactly the recipe's size.
    ///
    /// - Parameters:
    ///   - mask: nil where the photo's own alpha is the matte.
    ///   - confidence: from an earlier look at more of the photo; by default that of `mask`.
    package func cutOut(photo: Raster, mask: Plane?, confidence: SubjectConfidence? = nil) -> CutOut {
        guard let mask else { return finish(photo, opacity: photo.alpha, confidence: .certain) { _ in .certain } }
        let confidence = confidence ?? SubjectConfidence(of: mask)
        guard confidence.isClear else { return CutOut(stickers: [], confidence: confidence.value) }
        let matte = Matte(mask: mask, photo: photo)
        var opacity = matte.opacity
        opacity.removeSpecks()
        opacity.fillPinholes()
        opacity.limit(to: photo)
        return finish(matte.subject(of: photo), opacity: opacity, confidence: confidence) { part in
            SubjectConfidence(of: mask.keeping(part))
        }
    }

    /// How much each pixel of the photo belongs to the subject, 0…1, in the photo's size: the matte before anything is
    /// decided. `mask` is nil where the photo's own alpha is the matte.
    package func matte(mask: Plane?, for photo: Raster) -> Plane {
        mask.map { Matte(mask: $0, photo: photo).plane } ?? photo.alpha
    }

    /// `measure` is asked how clear a part of several is.
    private func finish(
        _ subject: Raster, opacity: Plane, confidence: SubjectConfidence, measure: (Plane) -> SubjectConfidence
    ) -> CutOut {
        let parts = recipe.subjects == .separate ? opacity.separated() : [opacity]
        let stickers = parts.compactMap { part -> CutOut.Sticker? in
            let confidence = parts.count > 1 ? measure(part) : confidence
            guard confidence.isClear, let raster = sticker(of: subject, opacity: part) else { return nil }
            return CutOut.Sticker(raster: raster, confidence: confidence.value)
        }
        return CutOut(stickers: stickers, confidence: confidence.value)
    }

    /// Nil where nothing is visible.
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
