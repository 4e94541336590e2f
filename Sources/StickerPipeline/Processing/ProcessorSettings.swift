package import PhotoCodecs
package import StickerStudio

/// What a reload may change about processing: it applies to photos taken up from then on.
package struct ProcessorSettings: Sendable, Equatable {
    package var recipe: Recipe
    package var limits: DecodeLimits
    /// Longest time one photo may keep a worker busy.
    package var timePerPhoto: Duration
    /// Whether a sticker's name begins with the stem of its photo's.
    package var keepStem: Bool
    package var nearDuplicates: NearDuplicates

    package init(
        recipe: Recipe, limits: DecodeLimits, timePerPhoto: Duration, keepStem: Bool,
        nearDuplicates: NearDuplicates = .report
    ) {
        self.recipe = recipe
        self.limits = limits
        self.timePerPhoto = timePerPhoto
        self.keepStem = keepStem
        self.nearDuplicates = nearDuplicates
    }
}
