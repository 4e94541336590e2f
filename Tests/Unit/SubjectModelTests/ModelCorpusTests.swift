import Foundation
import LinuxIO
import PhotoRaster
import SubjectModel
import SystemPackage
import TestSupport
import Testing

struct ModelCorpusTests {
    private static let folder = Repository.root.appending(path: "Tests/Fuzz/corpus/model")
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    @Test("Every file of the fuzzing corpus runs as a network or is rejected with one line", arguments: names)
    func replays(name: String) async throws {
        let path = FilePath(Self.folder.appendingPathComponent(name).path)
        let file = try OwnedDescriptor(opening: path)
        do {
            let size = try FileStatus(ofDescriptor: file.raw).identity.size
            let network = try SubjectNetwork(SubjectModelFile(descriptor: file.raw, byteCount: Int(size)))
            let mask = try await network.probability(of: Raster(width: 5, height: 4))
            #expect(mask.values.allSatisfy { (0...1).contains($0) })
        } catch let error as SubjectModelError {
            #expect(!error.detail.isEmpty && !error.detail.contains("\n"))
        }
    }

    @Test("The corpus has files")
    func exists() { #expect(Self.names.count >= 4) }
}
