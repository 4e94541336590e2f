import PhotoRaster
import Testing

@Suite("Resampling")
struct ResamplingTests {
    @Test("Halving averages each block of four pixels")
    func halving() {
        let plane = Plane(width: 4, height: 2, values: [0, 1, 0.5, 0.5, 1, 0, 0.25, 0.75])
        #expect(plane.resampled(width: 2, height: 1, kernel: .area).values == [0.5, 0.5])
    }

    @Test("Enlarging is bilinear with half-pixel centres and a repeated border")
    func enlarging() {
        let plane = Plane(width: 2, height: 1, values: [0, 1])
        let wide = plane.resampled(width: 4, height: 1, kernel: .area).values
        #expect(wide == [0, 0.25, 0.75, 1])
    }

    @Test("A flat picture stays flat at every size", arguments: [1, 3, 7, 10, 33], [ResamplingKernel.area, .lanczos3])
    func flat(side: Int, kernel: ResamplingKernel) {
        let raster = Raster(width: 10, height: 9, pixels: (0..<90).flatMap { _ in [10, 200, 30, 255] as [UInt8] })
        let result = raster.resampled(width: side, height: side + 1, kernel: kernel)
        #expect(result.pixels == (0..<side * (side + 1)).flatMap { _ in [10, 200, 30, 255] as [UInt8] })
    }

    @Test("Transparent pixels lend no color to their neighbours")
    func premultiplied() {
        let raster = Raster(width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 255, 0, 0])
        #expect(raster.resampled(width: 1, height: 1, kernel: .area).pixels == [255, 0, 0, 128])
    }

    @Test("A rectangle picks out its part of the picture")
    func rect() {
        let plane = Plane(width: 4, height: 4, values: (0..<16).map { Float($0) })
        let part = plane.resampled(
            from: PixelRect(x: 1, y: 2, width: 2, height: 2), width: 2, height: 2, kernel: .area)
        #expect(part.values == [9, 10, 13, 14])
    }
}
