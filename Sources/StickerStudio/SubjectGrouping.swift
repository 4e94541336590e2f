/// Whether several subjects that do not touch become one sticker or several.
package enum SubjectGrouping: String, Codable, Hashable, Sendable, CaseIterable {
    /// One sticker for each subject if they are far apart and each is clear by itself; otherwise one for all.
    case auto
    /// One sticker shows them all.
    case together
    /// One sticker for each, from left to right.
    case separate
}
