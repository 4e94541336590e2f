package import PhotoRaster

/// Pictures drawn for tests, with a known subject and known colors.
package enum DrawnPicture {
    /// A red disc with a dark rim on a smooth blue-gray gradient: one clear subject. `radius` is a fraction of the
    /// shorter side.
    package static func disc(width: Int, height: Int, radius: Double = 0.3, red: UInt8 = 220) -> Raster {
        let reach = radius * Double(min(width, height))
        return Raster(width: width, height: height) { x, y in
            let across = Double(x) + 0.5 - Double(width) / 2
            let down = Double(y) + 0.5 - Double(height) / 2
            let distance = (across * across + down * down).squareRoot()
            let shade = UInt8(120 + 80 * y / height)
            return distance < reach * 0.9
                ? [red, 40, 30, 255]
                : distance < reach ? [60, 10, 10, 255] : [shade - 40, shade, shade + 20, 255]
        }
    }

    /// One color everywhere: no subject.
    package static func flat(width: Int, height: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Raster {
        Raster(width: width, height: height) { _, _ in [red, green, blue, 255] }
    }
}

extension Raster {
    /// Draws the four channels of each pixel.
    package init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.init(width: width, height: height, pixels: (0..<width * height).flatMap { pixel($0 % width, $0 / width) })
    }

    package subscript(x: Int, y: Int) -> [UInt8] {
        get { Array(pixels[(y * width + x) * Self.channels..<(y * width + x + 1) * Self.channels]) }
        set {
            pixels.replaceSubrange(
                (y * width + x) * Self.channels..<(y * width + x + 1) * Self.channels, with: newValue)
        }
    }
}

extension Plane {
    package init(width: Int, height: Int, _ value: (_ x: Int, _ y: Int) -> Float) {
        self.init(width: width, height: height, values: (0..<width * height).map { value($0 % width, $0 / width) })
    }
}
