package import PhotoCodecs
package import PhotoLibrary
package import StickerStudio

/// What a reload may change about processing: it applies to photos taken up from then on.
package struct ProcessorSettings: Sendable, Equatable {
    package var recipe: Recipe
    package var limits: DecodeLimits
    /// Longest time one photo may keep a worker busy.
    package var timePerPhoto: Duration
    /// Whether a sticker's name begins with the stem of its photo's.
    package var keepStem: Bool
    /// What becomes of the photo's file in the inbox.
    package var originals: OriginalsMode
    /// Bytes that stay free on the disks of outbox and Library: below it nothing is begun.
    package var minFreeBytes: Int
    package var nearDuplicates: NearDuplicates

    package init(
        recipe: Recipe, limits: DecodeLimits, timePerPhoto: Duration, keepStem: Bool, originals: OriginalsMode = .keep,
        minFreeBytes: Int = 0, nearDuplicates: NearDuplicates = .report
    ) {
        self.recipe = recipe
        self.limits = limits
        self.timePerPhoto = timePerPhoto
        self.keepStem = keepStem
        self.originals = originals
        self.minFreeBytes = minFreeBytes
        self.nearDuplicates = nearDuplicates
    }
}
