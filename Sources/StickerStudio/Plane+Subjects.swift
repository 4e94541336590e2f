import PhotoRaster

extension Plane {
    /// Gives each pixel of `places` without an owner (0) its neighbor's owner, growing in rings.
    ///
    /// - Parameters:
    ///   - owners: one number for each pixel.
    ///   - places: visible pixels, among them all that have no owner.
    func spread(_ owners: inout [UInt8], into places: BitPlane) {
        var edge: [Int] = []
        for y in 0..<height {
            places.forEachRun(inRow: y) { columns in
                for index in y * width + columns.lowerBound..<y * width + columns.upperBound where owners[index] == 0 {
                    forEachNeighbor(of: index) { if owners[$0] != 0 { edge.append($0) } }
                }
            }
        }
        while !edge.isEmpty {
            var next: [Int] = []
            for index in edge {
                forEachNeighbor(of: index) { neighbor in
                    guard owners[neighbor] == 0, values[neighbor] > 0 else { return }
                    owners[neighbor] = owners[index]
                    next.append(neighbor)
                }
            }
            edge = next
        }
    }

    @inline(__always)
    private func forEachNeighbor(of index: Int, _ body: (Int) -> Void) {
        let x = index % width
        if index >= width { body(index - width) }
        if index + width < values.count { body(index + width) }
        if x > 0 { body(index - 1) }
        if x + 1 < width { body(index + 1) }
    }

    /// The values at pixels that are visible, or nearly so, in `part`, a plane of the same photo in any size; 0
    /// elsewhere.
    func keeping(_ part: Plane) -> Plane {
        let near = part.resampled(width: width, height: height, kernel: .area)
        return Plane(width: width, height: height, values: values.indices.map { near.values[$0] > 0 ? values[$0] : 0 })
    }

    /// Limits opacity to the photo's own alpha.
    mutating func limit(to photo: Raster) {
        guard photo.hasTransparency else { return }
        let pixels = photo.pixels.span
        for index in values.indices {
            let alpha = pixels[index * Raster.channels + 3]
            if alpha < 255 { values[index] *= Float(alpha) / 255 }
        }
    }
}
