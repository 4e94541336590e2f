import Conditions
import OutboxLayout
import FileNames
import Foundation
import Glibc
import LinuxIO
import Outbox
import PackLedger
import PhotoCodecs
import PhotoLibrary
import PhotoRule
import Processing
import StickerPipeline
import SystemPackage
import Testing
import TestSupport
import Workers

@Suite("Processing", .timeLimit(.minutes(1)))
struct ProcessorTests {
    private let fixture = PipelineFixture()

    @Test("Every file of a mixed backlog ends in the correct state, and each photo is processed once")
    func backlog() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try fixture.write(photo, to: "b.png")
        try fixture.write(try PNGEncoder.encode(DrawnPicture.flat(width: 64, height: 64, 90, 90, 90)), to: "flat.png")
        try fixture.write(PipelineFixture.noPhoto, to: "text.jpg")
        try fixture.write([], to: "empty.png")
        try fixture.write(photo, to: "Cats/a.png")
        try await fixture.arrive("a.png", "b.png", "flat.png", "text.jpg", "empty.png", "gone.png", "Cats/a.png")
        try await fixture.processing(workers: 2) { try await fixture.drain($0) }
        let photos = try await fixture.library.status().photos
        #expect(photos.filter { $0.value != 0 } == [.done: 2, .duplicate: 1, .noSubject: 1, .failed: 2])
        let root = try fixture.published()
        let cats = try fixture.published("Cats")
        #expect(root.count == 1 && cats.count == 1)
        #expect(root.keys.first?.hasPrefix("a-") == true)
        #expect(Array(root.values) == Array(cats.values))
        // The later one is the duplicate, although both were claimed at once.
        #expect(fixture.log.said.contains { $0.contains("Duplicate of a.png; no new sticker") && $0.contains("b.png") })
        #expect(fixture.log.said.filter { $0.contains("Made a sticker") }.count == 1)
        let failed = try await fixture.library.summary(ofPack: "", listed: 9).failed
        #expect(failed.map(\.path.description) == ["text.jpg", "empty.png"])
        #expect(failed.last?.reason == "the file is empty")
    }

    /// A link may lead to a file that only the daemon may read; its copy would be published.
    @Test(
        "A sticker whose thumbnail is missing, damaged or a link is not copied but made there, and stays as it is",
        arguments: [nil, "", "outbox/A/thumbnails", "outbox/A/linked"])
    func copyWithoutThumbnail(secret: String?) async throws {
        let photo = try PipelineFixture.photo()
        for name in ["A/a.png", "B/a.png"] { try fixture.write(photo, to: name) }
        try await fixture.processing { processor in
            try await fixture.arrive("A/a.png")
            try await fixture.drain(processor)
            let thumbnail = try #require(try fixture.published("A/thumbnails").keys.first)
            try fixture.folder.remove("outbox/A/thumbnails")
            if let secret, secret.isEmpty {
                try fixture.folder.write([1], to: "outbox/A/thumbnails/\(thumbnail)")
            } else if let secret {
                // The file is a link, or its folder is.
                let isFile = secret.hasSuffix("thumbnails")
                let path = isFile ? "\(secret)/\(thumbnail)" : "outbox/A/thumbnails"
                try fixture.folder.write([1], to: isFile ? "secret" : "\(secret)/\(thumbnail)")
                try fixture.folder.makeFolder("outbox/A")
                if isFile { try fixture.folder.makeFolder(secret) }
                try fixture.folder.link(path, to: fixture.folder[isFile ? "secret" : secret])
            }
            try await fixture.arrive("B/a.png")
            try await fixture.drain(processor)
        }
        #expect(try Array(fixture.published("A").values) == Array(fixture.published("B").values))
        #expect(try fixture.published("B/thumbnails").count == 1)
        #expect(fixture.log.said.filter { $0.contains("Made a sticker") }.count == 2)
        #expect(!fixture.log.said.contains { $0.contains("Copied a sticker") })
    }

    @Test("What a change of very many photos left undecided is decided while the queue is empty")
    func undecided() async throws {
        let library = fixture.library
        try await library.remember(recipe: "r", content: "{}")
        for number in 0..<520 { try await fixture.arrive("\(number).png") }
        while let claim = try await library.claim(limit: 1).first {
            _ = try await library.resolve(claim, photo: "photo \(claim.file)")
            try await library.finish(claim, as: .failed(reason: "broken"))
        }
        let another = DirectoryIdentity(device: 1, inode: 2, fileSystem: 3)
        try await library.recordInbox(another, at: fixture.folder["inbox"], renumbered: [], isAnother: true)
        let left = try await fixture.count(.failed)
        #expect(left > 0 && left < 520)
        try await fixture.processing { _ in
            try await fixture.until { try await fixture.count(.failed) == 0 }
        }
    }

    @Test("Order and bytes are the same with one worker and with two")
    func order() async throws {
        let second = PipelineFixture()
        for (fixture, workers) in [(fixture, 1), (second, 2)] {
            try fixture.write(try PipelineFixture.photo(width: 480), to: "slow.png")
            try fixture.write(try PipelineFixture.photo(red: 200), to: "b.png")
            try fixture.write(try PipelineFixture.photo(red: 180), to: "a.png")
            try await fixture.arrive("slow.png", "b.png", "a.png")
            try await fixture.processing(workers: workers) { try await fixture.drain($0) }
            let stickers = try await fixture.library.stickers(ofPack: "", limit: 1000)
            #expect(stickers.map { $0.sticker.file.prefix(1) } == ["s", "b", "a"])
        }
        #expect(try fixture.published() == second.published())
    }

    @Test(
        "A photo that is written to while in progress is dropped, whatever the worker replies, and comes in again",
        arguments: [true, false])
    func replaced(byPhoto: Bool) async throws {
        let script = try WorkerScript(in: fixture.folder)
        try fixture.write(try PipelineFixture.photo(), to: "a.png")
        let reader = try PhotoReader()
        try await fixture.processing(executable: script.path, reader: reader) { processor async throws in
            let worker = try await stoppedWorker(script)
            try await fixture.arrive("a.png")
            processor.wake()
            #expect(try await eventually { reader.partsRead > 0 })
            let change = byPhoto ? try PipelineFixture.photo(red: 150) : PipelineFixture.noPhoto
            let file = try FileDescriptor.open(fixture.folder["inbox/a.png"], .writeOnly, options: .truncate)
            try file.closeAfter { _ = try file.writeAll(change) }
            ProcessTable.signal(worker, SIGCONT)
            #expect(try await fixture.eventually { try await fixture.isDrained() })
            let photos = try await fixture.library.status().photos
            #expect(photos.values.allSatisfy { $0 == 0 })
            #expect(try fixture.published().isEmpty)

            try await fixture.arrive("a.png")
            try await fixture.drain(processor)
            #expect(try await fixture.count(byPhoto ? .done : .failed) == 1)
        }
    }

    @Test("Photos wait for a pack's folder that cannot be written, and delay no others")
    func outboxTrouble() async throws {
        try fixture.folder.write([1], to: "outbox/Cats")
        try await fixture.drop(["Cats/1.png", "Cats/2.png", "Cats/3.png", "Cats/4.png", "Cats/5.png", "dog.png"])
        try await fixture.processing { processor async throws in
            processor.wake()
            // The clock stands still: the next try cannot be what it waits for.
            #expect(try await eventually { try await fixture.count(.done) == 1 })
            #expect(
                try await eventually {
                    fixture.log.said.contains { $0.contains("Cannot write to a pack's folder") }
                })
            #expect(try await fixture.count(.failed) == 0)
            try fixture.folder.remove("outbox/Cats")
            #expect(try await fixture.eventually { try await fixture.count(.done) == 6 })
        }
        #expect(try fixture.published("Cats").keys.count { $0.hasSuffix(".png") } == 5)
    }

    @Test("A stop does not wait for the next try")
    func stopInTrouble() async throws {
        try fixture.folder.write([1], to: "outbox/Cats")
        try fixture.write(try PipelineFixture.photo(), to: "Cats/a.png")
        try await fixture.arrive("Cats/a.png")
        try await fixture.processing { processor async throws in
            processor.wake()
            #expect(try await eventually { !fixture.clock.sleeps.isEmpty && fixture.conditions.current.count == 1 })
        }
        // The clock stood still.
        #expect(!fixture.clock.sleeps.isEmpty)
        #expect(try await fixture.count(.pending) == 1)
    }

    @Test("An error of the Library ends the run, even if equal photos wait for each other")
    func libraryFails() async throws {
        let script = try WorkerScript(in: fixture.folder)
        let photo = try PipelineFixture.photo()
        for name in ["a.png", "b.png"] { try fixture.write(photo, to: name) }
        try await fixture.arrive("a.png", "b.png")
        await #expect(throws: (any Error).self) {
            try await fixture.processing(executable: script.path) { processor async throws in
                let worker = try await stoppedWorker(script)
                processor.wake()
                #expect(try await fixture.eventually { try await fixture.count(.processing) == 2 })
                try fixture.library.close()
                ProcessTable.signal(worker, SIGCONT)
            }
        }
    }

    @Test("An error of the Library over one photo ends the run after the other photos in progress")
    func libraryFailsOnce() async throws {
        for (index, name) in ["a.png", "b.png"].enumerated() {
            try fixture.write(try PipelineFixture.photo(red: UInt8(180 + 30 * index)), to: name)
        }
        try await takeNames(of: "a.png")
        try await fixture.arrive("a.png", "b.png")
        let pipeline = try fixture.pipeline()
        async let workersEnd: Void = pipeline.workers.run()
        await #expect(throws: LibraryError.self) { try await pipeline.processor.run() }
        #expect(try await fixture.count(.done) == 1)
        await pipeline.workers.stop()
        try await workersEnd
    }

    /// Reserves all names of a photo's sticker, which makes the Library throw.
    private func takeNames(of photo: String) async throws {
        let photo = try ContentDigest.sha256(of: fixture.inbox(photo)).hex
        try await fixture.library.remember(recipe: "r", content: "{}")
        for (index, name) in OutboxName.stickers(stem: "a", photo: photo, ordinal: 0, fileExtension: "png").enumerated()
        {
            try await fixture.arrive("\(index).png")
            let claim = try #require(try await fixture.library.claim(limit: 1).first)
            _ = try await fixture.library.resolve(claim, photo: "\(index)")
            _ = try await fixture.outbox.reserveName(
                forPhoto: "\(index)", recipe: "r", candidates: [name], claim: claim)
        }
    }

    /// The only worker, stopped before its first photo.
    private func stoppedWorker(_ script: WorkerScript) async throws -> Int32 {
        #expect(try await fixture.eventually { script.processes.count == 1 })
        let worker = try #require(script.processes.first)
        ProcessTable.signal(worker, SIGSTOP)
        return worker
    }
}
