internal import CRasterLoops
import PhotoRaster

/// Blurs planes: three box windows in a row approximate a Gaussian (Wells 1986, "Efficient Synthesis of Gaussian
/// Filters by Cascaded Uniform Filters"), in time independent of its deviation.
struct GaussianBlur {
    /// Half the side of each window, in whole pixels.
    private let radii: [Int]

    /// - Parameter deviation: the standard deviation in pixels; as near as equal windows come to it.
    init(deviation: Float) {
        // Three windows of n pixels have the variance (n² - 1) / 4.
        let radius = Int((((4 * deviation * deviation + 1).squareRoot() - 1) / 2).rounded())
        radii = [radius, radius, radius]
    }

    /// - Parameter reach: how far a value is spread along each axis, in pixels.
    init(reach: Int) {
        radii = (0..<3).map { (reach + $0) / 3 }
    }

    /// The steepest slope per pixel that the blur makes of an antialiased straight edge.
    var steepness: Float {
        // The edge is a pixel wide, like one more window.
        let variance = radii.reduce(Float(1) / 12) { $0 + Float($1 * ($1 + 1)) / 3 }
        return 1 / (2 * .pi * variance).squareRoot()
    }

    /// Values beyond the plane count as 0.
    func blurred(_ plane: Plane) -> Plane {
        let (width, height) = (plane.width, plane.height)
        var result = plane
        var between = plane
        var sums = [Float](repeating: 0, count: width)
        for radius in radii where radius > 0 {
            // Both planes have `height` rows of `width` values, as many as `sums` has.
            unsafe between.values.withUnsafeMutableBufferPointer { between in
                unsafe result.values.withUnsafeMutableBufferPointer { result in
                    guard let from = result.baseAddress, let to = between.baseAddress else { return }
                    unsafe raster_blur_columns(from, width, height, radius, &sums, to)
                    unsafe raster_blur_rows(to, width, height, radius, from)
                }
            }
        }
        return result
    }
}
