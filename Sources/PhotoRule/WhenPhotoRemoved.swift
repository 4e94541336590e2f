/// What happens to a sticker whose photo was removed from the inbox, or replaced by another under its name.
package enum WhenPhotoRemoved: String, CaseIterable, Sendable {
    case keep
    case withdraw
}
