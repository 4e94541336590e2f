/// How many files are in each state, and how many stickers there are.
package struct LibraryStatus: Sendable, Equatable {
    /// Every state, zeros included.
    package let photos: [FileState: Int]
    /// Published, of all packs.
    package let stickers: Int
    /// The inbox is being read from end to end; more files may turn up.
    package let scanning: Bool

    /// Nothing is waiting or in hand.
    package var isDrained: Bool {
        photos[.pending, default: 0] + photos[.processing, default: 0] == 0
    }
}
