import PhotoRaster

/// A subject lifted off its photo: what it looks like without the background's color in its edges, and where it is.
package struct LiftedSubject: Sendable {
    /// As large as the photo.
    let colors: Raster
    /// As large as the photo, 0…1, without specks and pinholes.
    let opacity: Plane
    /// The network's probabilities for the whole photo; nil where the photo's own alpha is the matte.
    let mask: Plane?

    /// The subject alone on nothing: straight alpha, as large as the photo.
    var raster: Raster {
        var raster = colors
        let values = opacity.values.span
        var pixels = raster.pixels.mutableSpan
        for index in 0..<values.count { pixels[index * Raster.channels + 3] = UInt8(255 * values[index] + 0.5) }
        return raster
    }
}
