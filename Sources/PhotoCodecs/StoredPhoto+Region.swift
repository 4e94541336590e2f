internal import CPhotoShims
import PhotoRaster

extension StoredPhoto {
    /// The part of this photo for a rectangle of the upright one: whole pixels, at least one, none outside the photo.
    func region(upright rect: PixelRect, orientation: ExifOrientation) -> photo_region {
        let rect = orientation.stored(rect, width: Double(photoWidth), height: Double(photoHeight))
        let columns = Self.whole(from: rect.x, to: rect.x + rect.width, limit: photoWidth)
        let rows = Self.whole(from: rect.y, to: rect.y + rect.height, limit: photoHeight)
        return photo_region(
            x: UInt32(columns.lowerBound), y: UInt32(rows.lowerBound), width: UInt32(columns.count),
            height: UInt32(rows.count))
    }

    private static func whole(from start: Double, to end: Double, limit: Int) -> Range<Int> {
        let first = Int(min(max(start.rounded(.down), 0), Double(limit - 1)))
        let next = Int(min(max(end.rounded(.up), 0), Double(limit)))
        return first..<max(next, first + 1)
    }
}
