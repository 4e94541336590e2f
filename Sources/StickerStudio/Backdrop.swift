import PhotoCodecs
import PhotoRaster

/// A photo's thumbnail, in which the subject was found, behind those parts of the photo that show it.
///
/// Of a photo in tiles, only those near the subject are decoded. The network and the matte see the thumbnail in place
/// of the others, which the sticker does not show.
struct Backdrop {
    /// The side of a cell, in values of the first look's mask: cells next to those with a part of the subject are
    /// needed, too.
    private static let cell = 4
    /// The subject's lowest probability.
    private static let level: Float = 0.1
    /// The largest mean difference of both, 0…255, where both show the same: everywhere, and in the subject.
    private static let limit = 24

    /// A region of the whole photo's raster suffices for the second pass if its longer side is at least this fraction
    /// of the working side: then its subject need not be enlarged.
    private static let sufficient = 0.7

    private let thumbnail: Raster
    private let mask: Plane
    /// Which cells of a grid over the photo must be decoded: 1 or 0.
    let needed: Plane

    /// - Parameter mask: the probabilities for all of `thumbnail`.
    init(_ thumbnail: Raster, mask: Plane) {
        self.thumbnail = thumbnail
        self.mask = mask
        let (columns, rows) = ((mask.width - 1) / Self.cell + 1, (mask.height - 1) / Self.cell + 1)
        var needed = Plane(width: columns, height: rows)
        for y in 0..<mask.height {
            for x in 0..<mask.width where mask[x, y] >= Self.level {
                let (column, row) = (x / Self.cell, y / Self.cell)
                for y in max(row - 1, 0)...min(row + 1, rows - 1) {
                    for x in max(column - 1, 0)...min(column + 1, columns - 1) { needed[x, y] = 1 }
                }
            }
        }
        self.needed = needed
    }

    /// The working side for a region: that at which it has as many pixels as in the whole photo's raster if these
    /// suffice, otherwise `side`.
    static func workingSide(for region: PixelRect, of photo: DecodedPhoto, whole side: Int) -> Int {
        let reduction = max(max(photo.photoWidth, photo.photoHeight) / side, 1)
        let inRaster = Int(max(region.width, region.height)) / reduction
        return Double(inRaster) < Double(side) * sufficient ? side : inRaster
    }

    /// The decoded part before the thumbnail; nil if that is another picture.
    func completed(_ part: DecodedPhoto) -> Raster? {
        var result = part.raster
        let behind = thumbnail.resampled(
            from: part.region(in: thumbnail.width, thumbnail.height), width: result.width, height: result.height,
            kernel: .area)
        let subject = mask.resampled(
            from: part.region(in: mask.width, mask.height), width: result.width, height: result.height, kernel: .area)
        var (difference, count, inSubject, subjectCount) = (0, 0, 0, 0)
        for place in stride(from: 0, to: result.pixels.count, by: Raster.channels) {
            let alpha = Int(result.pixels[place + 3])
            let before = difference
            for channel in place..<place + 3 {
                let (front, back) = (Int(result.pixels[channel]), Int(behind.pixels[channel]))
                if alpha == 255 { difference += abs(front - back) }
                result.pixels[channel] = UInt8((front * alpha + back * (255 - alpha) + 127) / 255)
            }
            count += alpha == 255 ? 3 : 0
            if alpha == 255, subject.values[place / Raster.channels] >= 0.5 {
                inSubject += difference - before
                subjectCount += 3
            }
            result.pixels[place + 3] = 255
        }
        return difference <= count * Self.limit && inSubject <= subjectCount * Self.limit ? result : nil
    }

    /// Whether a mask shows the subject only where `part` has been decoded.
    static func isShown(by mask: Plane, in part: DecodedPhoto) -> Bool {
        let opacity = part.raster.alpha.resampled(width: mask.width, height: mask.height, kernel: .area)
        return zip(mask.values, opacity.values).allSatisfy { $0 < 0.5 || $1 > 0 }
    }
}

extension DecodedPhoto {
    /// The region in an image of all of the photo with that size.
    fileprivate func region(in width: Int, _ height: Int) -> PixelRect {
        let (across, down) = (Double(width) / Double(photoWidth), Double(height) / Double(photoHeight))
        return PixelRect(
            x: region.x * across, y: region.y * down, width: region.width * across, height: region.height * down)
    }
}
