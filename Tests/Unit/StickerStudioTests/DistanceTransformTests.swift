import PhotoRaster
import Testing

import StickerStudio
import TestSupport

@Suite("Distance transform")
struct DistanceTransformTests {
    @Test(
        "The transform finds the same least costs as a search through all pixels", arguments: [1, 5, 40, 300],
        [(37, 23), (1, 50), (50, 1)])
    func bruteForce(sources: Int, size: (width: Int, height: Int)) {
        var random = TestRandom(state: UInt64(sources) &* 77 &+ 1)
        var plane = Plane(width: size.width, height: size.height, filledWith: .infinity)
        for _ in 0..<sources {
            plane.values[Int(random.next() % UInt64(plane.values.count))] = Float(random.next() % 200) / 4 - 25
        }
        let costs = plane.values
        plane.distanceTransform()
        for (target, found) in plane.values.enumerated() {
            let least = costs.indices.filter { costs[$0].isFinite }.map { source in
                let across = Float(source % size.width - target % size.width)
                let down = Float(source / size.width - target / size.width)
                return across * across + down * down + costs[source]
            }.min()
            #expect(abs(found - (least ?? .infinity)) < 0.001)
        }
    }

    @Test("Without a source, all distances are infinite")
    func noSource() {
        var plane = Plane(width: 4, height: 3, filledWith: .infinity)
        plane.distanceTransform()
        #expect(plane.values.allSatisfy { $0 == .infinity })
    }
}
