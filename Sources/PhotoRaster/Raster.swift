/// An image in memory: 8 bits per channel, RGBA, straight (not premultiplied) alpha, sRGB, top row first.
///
/// Rows follow each other without padding: the row stride is `width * 4` bytes.
package struct Raster: Sendable, Equatable {
    package static let channels = 4

    package let width: Int
    package let height: Int
    /// `width * height * 4` bytes in the order R, G, B, A.
    package var pixels: [UInt8]

    /// A transparent black image. Both sides must be positive.
    package init(width: Int, height: Int) {
        self.init(width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * Self.channels))
    }

    /// Takes ownership of `pixels`, which must be exactly `width * height * 4` bytes.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * Self.channels)
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
