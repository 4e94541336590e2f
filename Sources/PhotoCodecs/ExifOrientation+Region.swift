import PhotoRaster

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

    /// A rectangle of the upright photo in the coordinates of the stored one, which has `width` × `height` pixels.
    func stored(_ rect: PixelRect, width: Double, height: Double) -> PixelRect {
        mirrored(swapsSides ? rect.transposed : rect, width: width, height: height)
    }

    /// The inverse of `stored`; `width` and `height` are also the stored photo's.
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
