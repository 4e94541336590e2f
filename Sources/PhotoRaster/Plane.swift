/// One number per pixel, nominally 0…1: a probability, matte or alpha. Top row first, row stride `width`.
package struct Plane: Sendable, Equatable {
    package let width: Int
    package let height: Int
    package var values: [Float]

    /// A plane filled with one value. Both sides must be positive.
    package init(width: Int, height: Int, filledWith value: Float = 0) {
        self.init(width: width, height: height, values: [Float](repeating: value, count: width * height))
    }

    /// Takes ownership of `values`, which must be exactly `width * height` numbers.
    package init(width: Int, height: Int, values: [Float]) {
        precondition(width > 0 && height > 0 && values.count == width * height)
        self.width = width
        self.height = height
        self.values = values
    }

    /// Column and row from the top left. An `x` beyond the border is not checked and accesses another row.
    package subscript(x: Int, y: Int) -> Float {
        get { values[y * width + x] }
        set { values[y * width + x] = newValue }
    }
}
