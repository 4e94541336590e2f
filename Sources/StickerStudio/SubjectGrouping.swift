/// What becomes of a photo with several subjects that do not touch.
package enum SubjectGrouping: String, Codable, Hashable, Sendable, CaseIterable {
    /// One sticker shows them all.
    case together
    /// One sticker for each, from left to right.
    case separate
}
