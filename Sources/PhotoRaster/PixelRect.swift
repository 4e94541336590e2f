/// A rectangle in pixel coordinates with fractional borders: pixel 0 covers 0..<1. `x`, `y` is the top left corner.
package struct PixelRect: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
