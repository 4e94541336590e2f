import PhotoRaster
import Testing

import StickerStudio

@Suite("Confidence in a subject")
struct SubjectConfidenceTests {
    @Test("A sure, sharp mask is clear, small or large", arguments: [0.06, 0.1, 0.3, 0.5])
    func clear(radius: Double) {
        let confidence = SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: 0.4, radius: radius).plane)
        #expect(confidence.isClear)
        #expect(confidence.value > 0.7)
    }

    @Test("A flat mask is not clear, however sure", arguments: [Float(0), 0.01, 0.3, 0.5, 0.6, 1])
    func flat(value: Float) {
        #expect(!SubjectConfidence(of: DrawnMask.flat(value).plane).isClear)
    }

    @Test("A subject lost in haze is not clear")
    func haze() {
        var mask = DrawnMask.disc(x: 0.5, y: 0.5, radius: 0.1).plane
        for index in mask.values.indices { mask.values[index] = max(mask.values[index], 0.45) }
        #expect(!SubjectConfidence(of: mask).isClear)
    }

    @Test("A subject that the photo's border cuts is clear, the more so the less it is cut")
    func cut() {
        let confidences = [0.5, 0.8, 1].map { SubjectConfidence(of: DrawnMask.disc(x: 0.5, y: $0, radius: 0.3).plane) }
        #expect(confidences.allSatisfy { $0.isClear })
        #expect(zip(confidences, confidences.dropFirst()).allSatisfy { $0.value > $1.value })
    }

    @Test("It lies between 0 and 1 whatever the mask", arguments: [Float(0), 0.2, 0.7, 1])
    func range(value: Float) {
        #expect(0...1 ~= SubjectConfidence(of: DrawnMask.flat(value).plane).value)
    }
}
