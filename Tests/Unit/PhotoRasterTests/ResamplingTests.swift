import PhotoRaster
import Testing

@Suite("Resampling")
struct ResamplingTests {
    @Test("Halving averages each block of four pixels")
    func halving() {
        let plane = Plane(width: 4, height: 2, values: [0, 1, 0.5, 0.5, 1, 0, 0.25, 0.75])
        #expect(plane.resampled(width: 2, height: 1, kernel: .area).values == [0.5, 0.5])
    }

    @Test("Enlarging is bilinear with half-pixel centers and a repeated border")
    func enlarging() {
        let plane = Plane(width: 2, height: 1, values: [0, 1])
        let wide = plane.resampled(width: 4, height: 1, kernel: .area).values
        #expect(wide == [0, 0.25, 0.75, 1])
    }

    @Test("A flat image stays flat at every size", arguments: [1, 3, 7, 10, 33], [ResamplingKernel.area, .lanczos3])
    func flat(side: Int, kernel: ResamplingKernel) {
        let raster = Raster(width: 10, height: 9, pixels: (0..<90).flatMap { _ in [10, 200, 30, 255] as [UInt8] })
        let result = raster.resampled(width: side, height: side + 1, kernel: kernel)
        #expect(result.pixels == (0..<side * (side + 1)).flatMap { _ in [10, 200, 30, 255] as [UInt8] })
    }

    @Test("Transparent pixels do not change the color of their neighbors")
    func premultiplied() {
        let raster = Raster(width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 255, 0, 0])
        #expect(raster.resampled(width: 1, height: 1, kernel: .area).pixels == [255, 0, 0, 128])
    }

    @Test("The tails of a kernel around a nearly invisible pixel are transparent")
    func tails() {
        // 7 columns on 25: the weight of the last column in the middle is 4e-32 instead of 0. A small weight of the row
        // makes the alpha a number so small that dividing by it overflows.
        for height in 5...40 {
            var raster = Raster(width: 7, height: height)
            raster.pixels[(height * 7 - 1) * 4 + 3] = 1
            for size in 5...60 {
                let result = raster.resampled(width: 25, height: size, kernel: .lanczos3)
                #expect(result.pixels.allSatisfy { $0 <= 1 })
            }
        }
    }

    @Test("A rectangle selects its part of the image")
    func rect() {
        let plane = Plane(width: 4, height: 4, values: (0..<16).map { Float($0) })
        let part = plane.resampled(from: PixelRect(x: 1, y: 2, width: 2, height: 2), width: 2, height: 2, kernel: .area)
        #expect(part.values == [9, 10, 13, 14])
    }

    @Test(
        "A row that is visible only beyond the rectangle is transparent", arguments: [ResamplingKernel.area, .lanczos3])
    func beside(kernel: ResamplingKernel) {
        // The first row is opaque in the middle; the second has one visible pixel, left or right of the rectangle.
        for column in [0, 19] {
            var raster = Raster(width: 20, height: 2)
            for x in 4..<16 { raster.pixels[x * 4 + 3] = 255 }
            raster.pixels[(20 + column) * 4 + 3] = 60
            for width in [9, 13, 21] {
                let rect = PixelRect(x: 5, y: 0, width: 10, height: 2)
                let result = raster.resampled(from: rect, width: width, height: 2, kernel: kernel)
                let alphas = (0..<2 * width).map { result.pixels[$0 * 4 + 3] }
                #expect(alphas[..<width].allSatisfy { $0 > 0 })
                #expect(alphas[width...].allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("Parts of a rectangle beyond the border repeat the border")
    func beyond() {
        let plane = Plane(width: 2, height: 1, values: [3, 7])
        let wide = plane.resampled(
            from: PixelRect(x: -2, y: 0, width: 6, height: 1), width: 6, height: 1, kernel: .area)
        #expect(wide.values == [3, 3, 3, 7, 7, 7])
    }

    @Test("The same size gives the same image, opaque or not", arguments: [ResamplingKernel.area, .lanczos3])
    func identity(kernel: ResamplingKernel) {
        let raster = Raster(
            width: 5, height: 1,
            pixels: [255, 0, 0, 255, 0, 255, 0, 128, 10, 20, 30, 255, 200, 100, 50, 64, 255, 255, 255, 255])
        #expect(raster.resampled(width: 5, height: 1, kernel: kernel) == raster)
    }

    @Test("Shrinking keeps the mean at any ratio", arguments: [(10, 3), (7, 5), (100, 7)])
    func mean(from: Int, to: Int) {
        let values = (0..<from).map { Float(($0 * 37) % 11) / 11 }
        let plane = Plane(width: from, height: 1, values: values)
        let small = plane.resampled(width: to, height: 1, kernel: .area).values
        let difference = small.reduce(0, +) / Float(to) - values.reduce(0, +) / Float(from)
        #expect(abs(difference) < 1e-5)
    }

    @Test("Lanczos is sharper than bilinear at an edge and never leaves the range of a byte")
    func lanczos() {
        let edge = Raster(width: 8, height: 1, pixels: (0..<8).flatMap { [$0 < 4 ? 0 : 255, 255, 0, 255] as [UInt8] })
        func steepest(_ kernel: ResamplingKernel) -> Int {
            let wide = edge.resampled(width: 32, height: 1, kernel: kernel)
            return (1..<32).map { Int(wide.pixels[$0 * 4]) - Int(wide.pixels[$0 * 4 - 4]) }.max() ?? 0
        }
        #expect(steepest(.lanczos3) > steepest(.area))
        let greens = edge.resampled(width: 32, height: 1, kernel: .lanczos3)
        #expect((0..<32).allSatisfy { greens.pixels[$0 * 4 + 1] == 255 && greens.pixels[$0 * 4 + 2] == 0 })
    }
}
