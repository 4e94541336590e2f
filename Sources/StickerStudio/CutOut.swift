internal import CRasterLoops
import PhotoColors
package import PhotoRaster

/// A finished sticker and its confidence, 0…1.
package struct CutOut: Sendable {
    package let raster: Raster
    package let confidence: Double
    /// Nil unless it was requested.
    let cutPath: CutPath?
}

/// A subject without its photo: its colors, cleared of the background at the edges, and its opacity.
package struct LiftedSubject: Sendable {
    /// In the photo's size.
    let colors: Raster
    /// In the photo's size, 0…1: what the sticker is cut with.
    let opacity: Plane
    /// The network's probabilities, not stretched, for what `colors` shows; nil if the photo's own alpha is the matte.
    let probability: Plane?
    /// The full-size photo's pixels for each pixel of `colors`, along a side.
    let scale: Double
}

extension Raster {
    /// The crop's pixels, with `opacity` (in the photo's size) as their alpha; transparent beyond the photo.
    func cut(out crop: PixelBounds, opacity: Plane) -> Raster {
        var result = Raster(width: crop.width, height: crop.height)
        let columns = max(crop.x, 0)..<min(crop.x + crop.width, width)
        let source = pixels.span
        let opacities = opacity.values.span
        var target = result.pixels.mutableSpan
        guard !columns.isEmpty else { return result }
        // Both rows of the crop and of the photo have these columns.
        unsafe target.withUnsafeMutableBufferPointer { target in
            unsafe source.withUnsafeBufferPointer { source in
                unsafe opacities.withUnsafeBufferPointer { opacities in
                    guard let from = source.baseAddress, let to = target.baseAddress,
                        let opacity = opacities.baseAddress
                    else { return }
                    for y in max(crop.y, 0)..<max(min(crop.y + crop.height, height), max(crop.y, 0)) {
                        let start = y * width + columns.lowerBound
                        let place = (y - crop.y) * crop.width + columns.lowerBound - crop.x
                        unsafe raster_cut_row(
                            from + start * Self.channels, opacity + start, columns.count, to + place * Self.channels)
                    }
                }
            }
        }
        return result
    }

    /// Draws the picture on a sheet of one color, cut to `shape` (0…1 per pixel): pixels inside become opaque, pixels
    /// outside transparent.
    mutating func mount(on color: HexColor, cutTo shape: Plane) {
        precondition(shape.values.count * Self.channels == pixels.count)
        // As many pixels as numbers, as checked above.
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            unsafe raster_mount_row(
                pixels.baseAddress, shape.values, shape.values.count, color.red, color.green, color.blue)
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
        var plane = Plane(width: width, height: height)
        // As many pixels as numbers.
        unsafe raster_alpha_row(pixels, plane.values.count, 1.0 / 255, &plane.values)
        return plane
    }
}
