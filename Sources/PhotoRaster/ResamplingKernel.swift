#if canImport(Glibc)
import Glibc
#endif

/// The weights of the input pixels under one output pixel. Kernels widen with the reduction, so that shrinking averages
/// pixels instead of skipping them (antialiasing).
package enum ResamplingKernel: Sendable {
    /// Area averaging when shrinking, bilinear with half-pixel centers when enlarging.
    case area
    /// Lanczos with three lobes: the sharpest without visible ringing on photos (Duchon 1979).
    case lanczos3

    /// Half the width of the kernel for input pixels at scale 1.
    func support(reducing: Bool) -> Double {
        switch self {
        case .area: reducing ? 0.5 : 1
        case .lanczos3: 3
        }
    }

    /// The weight at `distance` from the center. `cell` is the size of one input pixel in the kernel's units, needed if
    /// the border of a box kernel cuts through pixels.
    func weight(at distance: Double, cell: Double, reducing: Bool) -> Double {
        switch self {
        case .area where reducing:
            // The fraction of the input pixel inside the box -0.5…0.5.
            max(0, min(distance + cell / 2, 0.5) - max(distance - cell / 2, -0.5))
        case .area: max(0, 1 - abs(distance))
        case .lanczos3: abs(distance) < 3 ? sinc(distance) * sinc(distance / 3) : 0
        }
    }

    private func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
