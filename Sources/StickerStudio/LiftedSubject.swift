import PhotoRaster

/// A subject without its photo: its colors, with the background's removed from its edges, and its opacity.
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
