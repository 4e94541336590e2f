/// The stickers of a pack that do not fill a picture. Lengths are in pixels.
package struct SmallStickers: Sendable, Equatable {
    /// Their longer sides, by the stickers' files.
    package var sides: [String: Int] = [:]
    /// The longest side that a picture has for one of them.
    package var room = 0

    package init() {}
}
