import PhotoRaster

/// How to rotate or mirror the stored image upright: the values of Exif tag 274.
package enum ExifOrientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored, upsideDown, flipped, transposed, quarterRight, transverse, quarterLeft

    /// Whether width and height are swapped.
    package var swapsSides: Bool { rawValue >= ExifOrientation.transposed.rawValue }

    /// Reads the tag from an Exif block that begins at its TIFF header. A malformed, missing or out-of-range tag gives
    /// `upright`. Reads only the first directory, each entry once.
    package init(exif: [UInt8]) {
        self = Self.value(in: exif).flatMap(ExifOrientation.init) ?? .upright
    }

    private static func value(in exif: [UInt8]) -> Int? {
        let isLittleEndian = exif.starts(with: [0x49, 0x49, 0x2A, 0])
        guard isLittleEndian || exif.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }

        func number(at offset: Int, bytes count: Int) -> Int? {
            guard offset >= 0, offset <= exif.count - count else { return nil }
            let bytes = exif[offset..<offset + count]
            return isLittleEndian
                ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
        }

        guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return nil }
        for entry in 0..<count {
            let offset = directory + 2 + entry * 12
            guard let tag = number(at: offset, bytes: 2) else { return nil }
            guard tag == 274 else { continue }
            let isOneShort = number(at: offset + 2, bytes: 2) == 3 && number(at: offset + 4, bytes: 4) == 1
            return isOneShort ? number(at: offset + 8, bytes: 2) : nil
        }
        return nil
    }
}

extension ExifOrientation {
    /// An upright copy of `stored`, `width` × `height` RGBA pixels as stored in the file.
    func upright(_ stored: UnsafeRawBufferPointer, width: Int, height: Int) -> Raster {
        precondition(stored.count == width * height * Raster.channels)
        // Copies the bytes.
        if self == .upright { return unsafe Raster(width: width, height: height, pixels: [UInt8](stored)) }
        let walk = walk(width: width, height: height)
        let uprightWidth = swapsSides ? height : width
        let uprightHeight = swapsSides ? width : height
        // Every output pixel is written once, from inside `stored`: the walk is a permutation.
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: stored.count) { output, filled in
            let source = unsafe stored.bindMemory(to: UInt32.self)
            let target = unsafe UnsafeMutableRawBufferPointer(output).bindMemory(to: UInt32.self)
            for y in 0..<uprightHeight {
                var index = walk.origin + y * walk.down
                for x in 0..<uprightWidth {
                    unsafe target[y * uprightWidth + x] = source[index]
                    index += walk.right
                }
            }
            filled = stored.count
        }
        return Raster(width: uprightWidth, height: uprightHeight, pixels: pixels)
    }

    /// The stored index of the upright image's first pixel, and the index steps for one pixel right and one down.
    func walk(width: Int, height: Int) -> (origin: Int, right: Int, down: Int) {
        let lastColumn = width - 1
        let lastRow = (height - 1) * width
        return switch self {
        case .upright: (0, 1, width)
        case .mirrored: (lastColumn, -1, width)
        case .upsideDown: (lastRow + lastColumn, -1, -width)
        case .flipped: (lastRow, 1, -width)
        case .transposed: (0, width, 1)
        case .quarterRight: (lastRow, -width, 1)
        case .transverse: (lastRow + lastColumn, -width, -1)
        case .quarterLeft: (lastColumn, width, -1)
        }
    }
}

extension ExifOrientation {
    private var mirrorsColumns: Bool {
        switch self {
        case .mirrored, .upsideDown, .transverse, .quarterLeft: true
        case .upright, .flipped, .transposed, .quarterRight: false
        }
    }

    private var mirrorsRows: Bool {
        switch self {
        case .upsideDown, .flipped, .quarterRight, .transverse: true
        case .upright, .mirrored, .transposed, .quarterLeft: false
        }
    }

    /// Converts a rectangle of the upright photo to coordinates of the stored one, which has `width` × `height` pixels.
    func stored(_ rect: PixelRect, width: Double, height: Double) -> PixelRect {
        mirrored(swapsSides ? rect.transposed : rect, width: width, height: height)
    }

    /// The inverse of `stored`; `width` and `height` are also those of the stored photo.
    func upright(_ rect: PixelRect, width: Double, height: Double) -> PixelRect {
        let rect = mirrored(rect, width: width, height: height)
        return swapsSides ? rect.transposed : rect
    }

    private func mirrored(_ rect: PixelRect, width: Double, height: Double) -> PixelRect {
        var rect = rect
        if mirrorsColumns { rect.x = width - rect.x - rect.width }
        if mirrorsRows { rect.y = height - rect.y - rect.height }
        return rect
    }
}

extension PixelRect {
    fileprivate var transposed: PixelRect { PixelRect(x: y, y: x, width: height, height: width) }
}
