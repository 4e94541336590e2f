import PhotoColors
package import PhotoRaster

/// The studio's result for a photo.
package struct CutOut: Sendable {
    /// A finished sticker and its confidence, 0…1.
    package struct Sticker: Sendable {
        package let raster: Raster
        package let confidence: Double
    }

    /// From left to right; empty if the photo has no clear subject.
    package let stickers: [Sticker]
    /// The photo's confidence, 0…1.
    package let confidence: Double
}

/// A subject without its photo: its colors, cleared of the background at the edges, and its opacity.
package struct LiftedSubject: Sendable {
    /// In the photo's size.
    let colors: Raster
    /// In the photo's size, 0…1, without specks and pinholes.
    let opacity: Plane
    /// The network's probabilities for the whole photo; nil if the photo's own alpha is the matte.
    let mask: Plane?

    /// The subject on a transparent background, with straight alpha, in the photo's size.
    var raster: Raster {
        var raster = colors
        let values = opacity.values.span
        var pixels = raster.pixels.mutableSpan
        for index in 0..<values.count { pixels[index * Raster.channels + 3] = UInt8(255 * values[index] + 0.5) }
        return raster
    }
}

extension Raster {
    /// The crop's pixels, with `opacity` (in the photo's size) as their alpha; transparent beyond the photo.
    func cut(out crop: StickerPlacement.Crop, opacity: Plane) -> Raster {
        var result = Raster(width: crop.width, height: crop.height)
        let columns = max(crop.x, 0)..<min(crop.x + crop.width, width)
        let source = pixels.span
        let opacities = opacity.values.span
        var target = result.pixels.mutableSpan
        for y in max(crop.y, 0)..<min(crop.y + crop.height, height) {
            for x in columns {
                let index = y * width + x
                let value = opacities[index]
                guard value > 0 else { continue }
                let to = ((y - crop.y) * crop.width + x - crop.x) * Self.channels
                for channel in 0..<3 { target[to + channel] = source[index * Self.channels + channel] }
                target[to + 3] = UInt8(255 * value + 0.5)
            }
        }
        return result
    }

    /// Draws the picture on a sheet of one color, cut to `shape` (0…1 per pixel): pixels inside become opaque, pixels
    /// outside transparent.
    mutating func mount(on color: HexColor, cutTo shape: Plane) {
        let sheet = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255)
        let cover = shape.values.span
        var target = pixels.mutableSpan
        for index in 0..<cover.count {
            let base = index * Self.channels
            let alpha = target[base + 3]
            let covered = cover[index]
            guard covered > 0 else {
                for channel in 0..<Self.channels { target[base + channel] = 0 }
                continue
            }
            if alpha == 0 {
                (target[base], target[base + 1], target[base + 2]) = (color.red, color.green, color.blue)
            } else if alpha < 255 {
                let opacity = Float(alpha) / 255
                for channel in 0..<3 {
                    let picture = Float(target[base + channel])
                    target[base + channel] = UInt8(picture * opacity + sheet[channel] * (1 - opacity) + 0.5)
                }
            }
            target[base + 3] = UInt8(covered * 255 + 0.5)
        }
    }
}

extension Raster {
    /// A photo with a smaller fraction of transparent pixels counts as opaque: it may be a screenshot with rounded
    /// corners.
    private static let leastTransparency = 0.02

    /// Whether the photo has enough transparency for its alpha channel to be the matte.
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
            // In range by the loop's condition; any bit pattern is a UInt32.
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
