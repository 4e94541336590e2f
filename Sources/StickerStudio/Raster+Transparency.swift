package import PhotoRaster

extension Raster {
    /// A photo with less transparency than this share is not cut out: it may be a screenshot with round corners.
    private static let leastTransparency = 0.02

    /// Whether the subject is already cut out, so that the alpha channel is the matte.
    package var isCutOut: Bool {
        let transparent = stride(from: 3, to: pixels.count, by: Self.channels).reduce(0) {
            $0 + (pixels[$1] < 128 ? 1 : 0)
        }
        return Double(transparent) > Self.leastTransparency * Double(width * height)
    }

    /// Whether any pixel is not opaque.
    var hasTransparency: Bool {
        let bytes = unsafe pixels.span.bytes
        let step = MemoryLayout<SIMD16<UInt32>>.size
        var common = SIMD16<UInt32>(repeating: .max)
        var offset = 0
        while offset + step <= bytes.byteCount {
            // In range, as the loop's condition says; any bit pattern is a number.
            common &= unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
            offset += step
        }
        // A pixel's last byte is its alpha.
        let opaque = UInt32(littleEndian: 0xff00_0000)
        if any((common & opaque) .!= opaque) { return true }
        return stride(from: offset + 3, to: pixels.count, by: Self.channels).contains { pixels[$0] < 255 }
    }

    /// The alpha channel in 0…1.
    var alpha: Plane {
        Plane(
            width: width, height: height,
            values: stride(from: 3, to: pixels.count, by: Self.channels).map { Float(pixels[$0]) / 255 })
    }
}
