/// What becomes of a photo that looks like an earlier one of its pack, but is not the same byte for byte.
package enum NearDuplicates: String, CaseIterable, Sendable {
    /// Nobody looks.
    case off
    /// It becomes a sticker, and the journal says so.
    case report
    /// It becomes none.
    case skip
}
