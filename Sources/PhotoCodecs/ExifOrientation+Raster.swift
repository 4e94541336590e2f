import PhotoRaster

extension ExifOrientation {
    /// An upright copy of `stored`, `width` × `height` RGBA pixels as stored in the file.
    func upright(_ stored: UnsafeRawBufferPointer, width: Int, height: Int) -> Raster {
        precondition(stored.count == width * height * Raster.channels)
        let walk = walk(width: width, height: height)
        let uprightWidth = swapsSides ? height : width
        let uprightHeight = swapsSides ? width : height
        // Every output pixel is written once, from inside `stored`: the walk is a permutation of it.
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

    /// The index in the stored image at which the upright one begins, and the steps for one pixel right and one down.
    private func walk(width: Int, height: Int) -> (origin: Int, right: Int, down: Int) {
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
