/// What the Library knows about a photo, now that its bytes have a name.
package enum Resolution: Sendable {
    /// Nobody made this sticker yet, or it is gone from the outbox, or wanted anew: make it.
    case work
    /// Its sticker is there, and this very file is where it came from.
    case alreadyDone
    /// The same bytes came in before as another file of this pack.
    case duplicate(of: InboxPath)
    /// The same bytes came in before as another file of this pack, and the same recipe found no subject in them;
    /// `reason` is one line.
    case noSubject(reason: String)
    /// The sticker exists in another pack and can be copied.
    case copy([StickerRecord])
}
