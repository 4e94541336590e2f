package import PhotoRaster

extension Plane {
    /// The same with the least value at 0 and the largest at 1, as rembg does with its networks' masks; a flat plane
    /// stays unchanged.
    package func stretched() -> Plane {
        guard let low = values.min(), let high = values.max(), high > low else { return self }
        return Plane(width: width, height: height, values: values.map { ($0 - low) / (high - low) })
    }
}
