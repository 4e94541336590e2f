package import PhotoRaster

/// Cuts the subject out of photos and finishes it as a sticker. No file, no clock, no state: the same photo, mask and
/// recipe give the same pixels.
package struct StickerStudio: Sendable {
    private let recipe: StickerRecipe

    /// The recipe must leave room for the subject; settings that do not are refused long before.
    package init(recipe: StickerRecipe) {
        precondition(recipe.leavesRoom)
        self.recipe = recipe
    }

    /// The finished sticker, or none where `mask`, the network's probabilities for the whole photo, shows no clear
    /// subject. The sticker's longer side is exactly the recipe's size.
    package func cutOut(photo: Raster, mask: Plane) -> CutOut {
        let confidence = SubjectConfidence(of: mask)
        guard confidence.isClear else { return .noSubject(confidence: confidence.value) }
        var opacity = matte(mask: mask, for: photo).sharpened()
        opacity.removeSpecks()
        opacity.fillPinholes()
        guard let placement = StickerPlacement(of: opacity, in: photo, recipe: recipe) else {
            return .noSubject(confidence: confidence.value)
        }
        var sticker = placement.resized(photo.cut(out: placement.crop, opacity: opacity))
        if recipe.hasOutline, let color = recipe.outlineColor {
            sticker.mount(on: color, cutTo: Outline(width: recipe.outlineWidth).shape(around: sticker))
        }
        return .sticker(sticker, confidence: confidence.value)
    }

    /// How much each pixel of the photo belongs to the subject, 0…1, in the photo's size: the soft matte before
    /// anything is decided. This is where the mask will meet the photo's edges once the matte is refined by them.
    package func matte(mask: Plane, for photo: Raster) -> Plane {
        mask.resampled(width: photo.width, height: photo.height, kernel: .area)
    }
}
