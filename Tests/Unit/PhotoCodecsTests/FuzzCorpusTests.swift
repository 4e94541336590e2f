import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct FuzzCorpusTests {
    @Test(
        "Every file of the fuzzing corpus is decoded or fails with one line", .timeLimit(.minutes(1)),
        arguments: FuzzCorpus.decoders)
    func replays(decoder: String) throws {
        let names = FuzzCorpus.names(in: decoder)
        #expect(names.count >= 5)
        for name in names {
            let bytes = try FuzzCorpus.bytes(of: name, in: decoder)
            for region in [nil, PixelRect(x: 7, y: 3, width: 21, height: 30)] {
                do throws(CodecError) {
                    let photo = try PhotoDecoder().decode(.bytes(bytes), workingSide: 24, region: region)
                    #expect(max(photo.raster.width, photo.raster.height) < 48)
                } catch {
                    #expect(!error.description.contains("\n"))
                    // Files that once failed have the name that libFuzzer gave them.
                    #expect(name.contains("-"), "\(name): \(error)")
                }
            }
        }
    }

    @Test("The corpus has a folder for each decoder")
    func folders() { #expect(Set(FuzzCorpus.decoders).isSuperset(of: ["jpeg", "png", "webp", "heif"])) }

    @Test("Every profile of the fuzzing corpus can be in a photo", arguments: FuzzCorpus.names(in: "icc"))
    func profiles(name: String) throws {
        let profile = try FuzzCorpus.profile(name)
        for samples: [UInt8] in [[77], [200, 100, 50], [200, 255, 0, 100]] {
            var drawn = DrawnJPEG(width: 8, height: 8, color: { _, _ in samples }, adobeTransform: 0)
            drawn.profilePieces = [profile]
            #expect(throws: Never.self) { try decode(drawn.bytes(), 960) }
        }
    }
}
