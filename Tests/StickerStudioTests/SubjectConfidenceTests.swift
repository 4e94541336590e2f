import PhotoRaster
import Testing

import StickerStudio

@Suite("Confidence in a subject")
struct SubjectConfidenceTests {
    @Test("A sure, sharp mask is clear, small or large", arguments: [0.06, 0.1, 0.3, 0.6])
    func clear(radius: Double) {
        let confidence = SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: 0.4, radius: radius).plane)
        #expect(confidence.isClear)
        #expect(confidence.value > 0.7)
    }

    @Test("A flat mask is not clear unless it is sure", arguments: [Float(0), 0.01, 0.3, 0.5, 0.6])
    func flat(value: Float) {
        #expect(!SubjectConfidence(of: DrawnMask.flat(value).plane).isClear)
    }

    @Test("A subject lost in haze is not clear")
    func haze() {
        var mask = DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.1).plane
        for index in mask.values.indices { mask.values[index] = max(mask.values[index], 0.45) }
        #expect(!SubjectConfidence(of: mask).isClear)
    }

    @Test("It lies between 0 and 1 whatever the mask", arguments: [Float(0), 0.2, 0.7, 1])
    func range(value: Float) {
        #expect(0...1 ~= SubjectConfidence(of: DrawnMask.flat(value).plane).value)
    }
}
