import PhotoLikeness

/// A photo that another one looks like, and that has a sticker.
package struct LikePhoto: Sendable, Equatable {
    /// SHA-256, lowercase hexadecimal.
    package let photo: String
    /// The file it came from, as far as that is known.
    package let path: InboxPath?
    /// The file of its sticker in the pack, the first where it has several.
    package let sticker: String
    /// In how many of their `Likeness.bitCount` bits the two differ.
    package let distance: Int
}

extension LikePhoto: CustomStringConvertible {
    /// "looks like Cats/a.jpg (re-saved or a burst; distance 12 of 256)"
    package var description: String {
        "looks like \(path?.description ?? sticker) (re-saved or a burst; distance \(distance) of \(Likeness.bitCount))"
    }
}
