package import PhotoRaster

/// Cuts the subject out of photos and finishes it as stickers. Stateless: the same photo, mask and recipe give the same
/// pixels.
package struct StickerStudio: Sendable {
    /// How often stray islands are looked for at most.
    private static let strayPasses = 3

    let recipe: StickerRecipe

    /// - Precondition: the recipe leaves room for the subject; loading the settings checks that.
    package init(recipe: StickerRecipe) {
        precondition(recipe.leavesRoom)
        self.recipe = recipe
    }

    /// The first half: the matte, and the subject's own colors.
    ///
    /// - Parameters:
    ///   - photo: at its working size, or a region of it.
    ///   - mask: the network's probabilities for all of `photo`; nil if the photo's own alpha is the matte.
    ///   - probability: `mask` before it was stretched; by default, it was not.
    ///   - scale: the full-size photo's pixels for each pixel of `photo`, along a side.
    func lift(from photo: Raster, mask: Plane?, probability: Plane? = nil, scale: Double = 1) -> LiftedSubject {
        guard let mask else {
            return LiftedSubject(colors: photo, opacity: photo.alpha, probability: nil, scale: scale)
        }
        let matte = Matte(mask: mask, photo: photo)
        let opacity = opacity(from: matte, of: photo, scale: scale)
        return LiftedSubject(
            colors: matte.subject(of: photo, cutWith: opacity), opacity: opacity, probability: probability ?? mask,
            scale: scale)
    }

    /// The second half: crop, size, outline and shadow. A sticker's longer side is exactly the recipe's size, unless
    /// the subject is too small.
    ///
    /// - Parameters:
    ///   - confidence: that of a mask of the whole photo.
    ///   - hasCutPaths: whether the line to cut each sticker along is found, too.
    /// - Returns: the stickers from left to right; none if no subject is clear.
    func finish(_ subject: LiftedSubject, confidence: SubjectConfidence, hasCutPaths: Bool = false) -> [CutOut] {
        let (parts, confidences) = parts(of: subject, confidence: confidence)
        return confidences.enumerated().compactMap { part, confidence -> CutOut? in
            guard confidence.isClear,
                let (raster, cutPath) = sticker(
                    of: subject, opacity: parts.opacity(of: part), hasCutPath: hasCutPaths)
            else { return nil }
            return CutOut(raster: raster, confidence: confidence.value, cutPath: cutPath)
        }
    }

    /// What gets a sticker each, from left to right, and how clear it is.
    private func parts(
        of subject: LiftedSubject, confidence: SubjectConfidence
    ) -> (SubjectParts, [SubjectConfidence]) {
        let parts =
            switch recipe.subjects {
            case .together: SubjectParts(undivided: subject.opacity)
            case .separate: SubjectParts(of: subject.opacity)
            case .auto: islandParts(of: subject)
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

    private func islandParts(of subject: LiftedSubject) -> SubjectParts {
        guard let islands = islands(of: subject.opacity, scale: subject.scale) else {
            return SubjectParts(undivided: subject.opacity)
        }
        return SubjectParts(of: subject.opacity, on: islands)
    }

    /// Nil if there is one piece at most.
    private func islands(of opacity: Plane, scale: Double) -> Islands? {
        guard Regions(of: BitPlane(of: opacity, atLeast: 0.5), diagonal: true).count > 1 else { return nil }
        return outlineWidth(around: opacity, scale: scale).map { Islands(of: opacity, outline: $0) }
    }

    /// The opacity that stickers are cut with, 0…1, in the photo's size: without fog, scraps, stray islands and holes.
    ///
    /// - Parameters:
    ///   - mask: nil if the photo's own alpha is the matte.
    ///   - photo: at its working size, or a region of it.
    ///   - scale: as for `lift`.
    package func opacity(mask: Plane?, for photo: Raster, scale: Double = 1) -> Plane {
        mask.map { opacity(from: Matte(mask: $0, photo: photo), of: photo, scale: scale) } ?? photo.alpha
    }

    private func opacity(from matte: Matte, of photo: Raster, scale: Double) -> Plane {
        var opacity = matte.opacity
        opacity.removeScraps(matte: matte.plane, reach: recipe.outlineShare)
        removeStrayIslands(from: &opacity, scale: scale)
        opacity.fillHoles(matte: matte.plane)
        opacity.limit(to: photo)
        return opacity
    }

    /// Without a stray island, the subject may be larger on the sticker, so the outline joins less than before.
    private func removeStrayIslands(from opacity: inout Plane, scale: Double) {
        for _ in 0..<Self.strayPasses {
            guard let islands = islands(of: opacity, scale: scale), islands.removeStrays(from: &opacity) else { return }
        }
    }

    /// The width of a sticker's outline, the usual one if it has none, in pixels of the opacity; nil if nothing is
    /// visible.
    private func outlineWidth(around opacity: Plane, scale: Double) -> Double? {
        let usual = StickerRecipe.usual(StickerRecipe.usualOutlineWidth, forSize: recipe.size)
        let width = recipe.hasOutline ? recipe.outlineWidth : usual
        return StickerPlacement(of: opacity, photoScale: scale, recipe: recipe).map { Double(width) / $0.scale }
    }

    /// Nil if nothing is visible.
    private func sticker(of subject: LiftedSubject, opacity: Plane, hasCutPath: Bool) -> (Raster, CutPath?)? {
        guard let placement = StickerPlacement(of: opacity, photoScale: subject.scale, recipe: recipe) else {
            return nil
        }
        var sticker = placement.resized(subject.colors.cut(out: placement.crop, opacity: opacity))
        if recipe.hasOutline, let color = recipe.outlineColor {
            sticker.mount(on: color, cutTo: Outline(width: recipe.outlineWidth).shape(around: sticker))
        }
        let cutPath = hasCutPath ? CutPath(around: sticker.alpha) : nil
        if let shadow = recipe.shadow { sticker.castShadow(shadow) }
        return (sticker, cutPath)
    }
}
