import PhotoRaster
import Testing

import StickerStudio

@Suite("Confidence in a subject")
struct SubjectConfidenceTests {
    @Test("A certain, sharp mask is clear, small or large", arguments: [0.06, 0.1, 0.3, 0.5])
    func clear(radius: Double) {
        let confidence = SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: 0.4, radius: radius).plane)
        #expect(confidence.isClear)
        #expect(confidence.value > 0.7)
    }

    @Test("A sharp mask needs less certainty, unless much of the border is subject")
    func sharp() {
        func confidence(surest: Float, haze: Float = 0, y: Double = 0.5, radius: Double = 0.25) -> SubjectConfidence {
            var mask = DrawnMask.disc(x: 0.5, y: y, radius: radius).plane
            for index in mask.values.indices { mask.values[index] = max(mask.values[index] * surest, haze) }
            return SubjectConfidence(of: mask)
        }
        #expect(confidence(surest: 0.985).value == 0.5)
        #expect(confidence(surest: 0.985, haze: 0.2).value < 0.45)
        #expect(confidence(surest: 0.985, y: 0, radius: 0.5).value < 0.45)
        #expect(!confidence(surest: 0.9).isClear)
    }

    @Test("A flat mask is not clear, whatever its value", arguments: [Float(0), 0.01, 0.3, 0.5, 0.6, 1])
    func flat(value: Float) {
        let confidence = SubjectConfidence(of: DrawnMask.flat(value).plane)
        #expect(!confidence.isClear && 0...1 ~= confidence.value)
    }

    @Test("A subject lost in haze is not clear")
    func haze() {
        var mask = DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.1).plane
        for index in mask.values.indices { mask.values[index] = max(mask.values[index], 0.45) }
        #expect(!SubjectConfidence(of: mask).isClear)
    }

    @Test("A subject that the photo's border cuts is as clear as a whole one", arguments: [0.5, 0.8, 1])
    func cut(y: Double) {
        let whole = SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.3).plane)
        #expect(abs(SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: y, radius: 0.3).plane).value - whole.value) < 0.01)
    }

    @Test("Isolated certain pixels are no clear subject", arguments: [320, 352])
    func scattered(side: Int) {
        var mask = Plane(width: side, height: side)
        for index in stride(from: 5, to: mask.values.count, by: 3209) { mask.values[index] = 1 }
        #expect(!SubjectConfidence(of: mask).isClear)
    }

    @Test("A mask of any size has a confidence", arguments: [(1, 1), (3, 2), (41, 7)])
    func small(width: Int, height: Int) {
        let mask = Plane(width: width, height: height, values: [Float](repeating: 1, count: width * height))
        #expect(SubjectConfidence(of: mask).value == 0)
    }
}
