package import PhotoRaster

/// Pictures drawn for tests, with a known subject and known colors.
package enum DrawnPicture {
    /// A red disc with a dark rim on a smooth blue-gray gradient: one clear subject. `radius` is a fraction of the
    /// shorter side.
    package static func disc(width: Int, height: Int, radius: Double = 0.3, red: UInt8 = 220) -> Raster {
        var raster = Raster(width: width, height: height)
        let reach = radius * Double(min(width, height))
        for y in 0..<height {
            for x in 0..<width {
                let across = Double(x) + 0.5 - Double(width) / 2
                let down = Double(y) + 0.5 - Double(height) / 2
                let distance = (across * across + down * down).squareRoot()
                let base = (y * width + x) * Raster.channels
                let shade = UInt8(120 + 80 * y / height)
                let color: [UInt8] =
                    distance < reach * 0.9
                    ? [red, 40, 30] : distance < reach ? [60, 10, 10] : [shade - 40, shade, shade + 20]
                for channel in 0..<3 { raster.pixels[base + channel] = color[channel] }
                raster.pixels[base + 3] = 255
            }
        }
        return raster
    }

    /// One color everywhere: no subject.
    package static func flat(width: Int, height: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Raster {
        Raster(width: width, height: height, pixels: (0..<width * height).flatMap { _ in [red, green, blue, 255] })
    }
}
