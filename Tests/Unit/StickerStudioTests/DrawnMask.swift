import PhotoRaster
import TestSupport

/// Drawn masks that replace the network's; smaller, so that tests are fast.
enum DrawnMask: Sendable {
    /// A filled rectangle; coordinates are 0…1 across and down the photo.
    case rectangle(x: ClosedRange<Double>, y: ClosedRange<Double>)
    case disc(x: Double, y: Double, radius: Double)
    /// One value everywhere.
    case flat(Float)

    private static let side = 96
    /// In pixels of the mask.
    private static let softness = 3.0

    var plane: Plane {
        let side = Self.side
        return Plane(width: side, height: side) { x, y in
            value(x: (Double(x) + 0.5) / Double(side), y: (Double(y) + 0.5) / Double(side))
        }
    }

    private func value(x: Double, y: Double) -> Float {
        let inside: Double
        switch self {
        case .flat(let value): return value
        case .rectangle(let columns, let rows):
            inside = min(x - columns.lowerBound, columns.upperBound - x, y - rows.lowerBound, rows.upperBound - y)
        case .disc(let centerX, let centerY, let radius):
            inside = radius - ((x - centerX) * (x - centerX) + (y - centerY) * (y - centerY)).squareRoot()
        }
        return Float(min(max(inside * Double(Self.side) / Self.softness + 0.5, 0.0005), 0.9995))
    }
}

extension Plane {
    /// What either mask shows.
    func joined(with other: Plane) -> Plane {
        Plane(width: width, height: height, values: zip(values, other.values).map { max($0, $1) })
    }
}
