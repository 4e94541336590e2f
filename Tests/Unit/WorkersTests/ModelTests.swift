import Conditions
import LinuxIO
import Logging
import PhotoCodecs
import PhotoFacts
import StickerStudio
import SubjectModel
import SystemPackage
import TestSupport
import Testing
import Workers

@Suite("Workers with a model", .timeLimit(.minutes(1)))
struct ModelTests {
    private let folder = WorkerFixture.folder()

    @Test("A confined worker reports the model's cost, then finds the subject with it")
    func works() async throws {
        let facts = OneShot<ModelFacts>()
        let (product, mask) = try await WorkerFixture.running(
            model: TinyNetwork.findingRed().bytes, in: folder, facts: facts
        ) { pool in
            (try await pool.work(in: folder), try await pool.work(.mask, in: folder).mask)
        }
        let made = try #require(product.photo)
        #expect(made.stickers.count == 1)
        #expect(made.facts.confidence > 0.9)
        let said = await facts.value
        #expect(said.width == 64 && said.height == 48)
        // Three for each pixel by the convolution, one by the sigmoid.
        #expect(said.cost.multiplyAdds == 64 * 48 * 4 && said.cost.memory > 64 * 48 * 4)
        let other = try await WorkerFixture.running(model: TinyNetwork.findingRed(strength: -24).bytes, in: folder) {
            pool in
            try await pool.work(.mask, in: folder).mask
        }
        #expect(mask != nil && other != nil && mask != other)
    }

    @Test(
        "A model that cannot be used ends the pool with the reason",
        arguments: [
            (TinyNetwork().followed(by: #"{"op":"softmax","in":"copy","out":"x"}"#), "softmax"),
            (TinyNetwork().followed(by: #"{"op":"sigmoid","in":"later","out":"x"}"#), "later"),
        ] as [(TinyNetwork, String)])
    func refused(model: TinyNetwork, word: String) async throws {
        let log = RecordedLog()
        let error = await #expect(throws: WorkerError.self) {
            try await WorkerFixture.running(model: model.bytes, in: folder, log: log) { pool in
                do {
                    _ = try await pool.work(in: folder)
                    Issue.record("a sticker was made")
                } catch let error as WorkerError {
                    #expect(error.code == .unavailable && error.description.contains(word))
                }
            }
        }
        #expect(error?.code == .unusableModel)
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "nothing")")
        // The worker was killed; that is no reason to start another one.
        #expect(log.said.isEmpty)
    }

    @Test("Workers reject a model whose file was overwritten since the start")
    func changed() async throws {
        let error = await #expect(throws: WorkerError.self) {
            try folder.write(try TinyNetwork.findingRed().bytes, to: "model")
            let file = try ModelFile(opening: folder["model"])
            let writer = try OwnedDescriptor(opening: folder["model"], .writeOnly)
            try writer.write([9, 9])
            let pool = WorkerPool(
                executable: try StickerdBinary.path, count: 1, model: file,
                logger: Logger(label: "test") { _ in RecordedLog() })
            try await pool.run()
        }
        #expect(error?.code == .unusableModel)
    }

    @Test("A model is known by its bytes")
    func fingerprint() throws {
        let bytes = try TinyNetwork.findingRed().bytes
        try folder.write(bytes, to: "a")
        try folder.write(bytes, to: "b")
        try folder.write(try TinyNetwork.findingRed(strength: 2).bytes, to: "c")
        let prints = try ["a", "b", "c"].map { try ModelFile(opening: folder[$0]).fingerprint }
        #expect(prints[0] == prints[1] && prints[0] != prints[2])
    }

    @Test("A model that is not a regular file is rejected")
    func folderAsModel() {
        #expect(throws: Errno.invalidArgument) { _ = try ModelFile(opening: folder.path) }
        #expect(throws: Errno.noSuchFileOrDirectory) { _ = try ModelFile(opening: folder["missing"]) }
    }
}
