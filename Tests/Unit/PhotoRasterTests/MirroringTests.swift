import PhotoRaster
import Testing

struct MirroringTests {
    @Test("Left and right are exchanged in every row, and mirroring twice changes nothing", arguments: [1, 4, 5])
    func mirrored(width: Int) {
        var raster = Raster(width: width, height: 3)
        var plane = Plane(width: width, height: 3)
        for index in raster.pixels.indices { raster.pixels[index] = UInt8(index) }
        for index in plane.values.indices { plane.values[index] = Float(index) }
        let (other, others) = (raster.mirrored(), plane.mirrored())
        for y in 0..<3 {
            for x in 0..<width {
                let (from, to) = ((y * width + x) * 4, (y * width + width - 1 - x) * 4)
                #expect(other.pixels[to..<to + 4].elementsEqual(raster.pixels[from..<from + 4]))
                #expect(others[width - 1 - x, y] == plane[x, y])
            }
        }
        #expect(other.mirrored() == raster && others.mirrored() == plane)
    }
}
