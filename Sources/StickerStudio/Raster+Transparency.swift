package import PhotoRaster

extension Raster {
    /// Less than this share may be transparent in a photo that nobody cut out, such as a screenshot's round corners.
    private static let leastTransparency = 0.02

    /// Whether the subject has been cut out already, so that the alpha channel is the matte.
    package var isCutOut: Bool {
        let transparent = stride(from: 3, to: pixels.count, by: Self.channels).reduce(0) {
            $0 + (pixels[$1] < 128 ? 1 : 0)
        }
        return Double(transparent) > Self.leastTransparency * Double(width * height)
    }

    /// The alpha channel in 0…1.
    var alpha: Plane {
        Plane(
            width: width, height: height,
            values: stride(from: 3, to: pixels.count, by: Self.channels).map { Float(pixels[$0]) / 255 })
    }
}
