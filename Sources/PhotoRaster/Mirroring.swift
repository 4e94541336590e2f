extension Raster {
    /// The same picture with left and right exchanged.
    package func mirrored() -> Raster {
        var result = self
        for row in 0..<height {
            let start = row * width * Self.channels
            for column in 0..<width {
                let (from, to) = (start + column * Self.channels, start + (width - 1 - column) * Self.channels)
                for channel in 0..<Self.channels { result.pixels[to + channel] = pixels[from + channel] }
            }
        }
        return result
    }
}

extension Plane {
    /// The same values with left and right exchanged.
    package func mirrored() -> Plane {
        var result = self
        for row in 0..<height { result.values[row * width..<(row + 1) * width].reverse() }
        return result
    }
}
