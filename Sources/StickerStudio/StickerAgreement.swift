import PhotoRaster

/// Whether a sticker that was made again at a larger size shows the same as the one that it replaces. At another size, the
/// photo is decoded at another scale, and the network may find parts of the subject that it missed before, or the reverse.
enum StickerAgreement {
    /// The largest difference of a channel, premultiplied, of pixels that count as the same: 25 %.
    private static let maxDifference = 64
    /// The largest share of visible pixels that may differ. With 66 photos at 96, 160 and 256 pixels and four times that,
    /// pairs below it looked the same; the first that had lost a part of its subject was at 0.07.
    private static let maxShare = 1.0 / 20

    /// Compares both at half of the sticker's size, because edges of the two may be half a pixel apart.
    static func hold(_ sticker: Raster, _ larger: Raster) -> Bool {
        let (width, height) = (max(1, sticker.width / 2), max(1, sticker.height / 2))
        let first = sticker.resampled(width: width, height: height, kernel: .area)
        let second = larger.resampled(width: width, height: height, kernel: .area)
        var (visible, different) = (0, 0)
        let (a, b) = (first.pixels.span, second.pixels.span)
        for pixel in 0..<width * height {
            let start = pixel * Raster.channels
            let (opacity, other) = (Int(a[start + 3]), Int(b[start + 3]))
            guard max(opacity, other) > 0 else { continue }
            visible += 1
            let isSame = (0..<3).allSatisfy { channel in
                let difference = Int(a[start + channel]) * opacity - Int(b[start + channel]) * other
                return abs(difference) <= maxDifference * 255
            }
            if !isSame || abs(opacity - other) > maxDifference { different += 1 }
        }
        return Double(different) <= maxShare * Double(visible)
    }
}
