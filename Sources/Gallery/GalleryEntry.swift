/// A sticker in the data of the gallery's page or of one of its scripts, encoded.
package struct GalleryEntry: Sendable {
    let bytes: [UInt8]

    package init(_ sticker: GalleryContents.Sticker) {
        var json = PageJSON()
        json.sticker(sticker)
        bytes = json.take()
    }
}
