import Foundation
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import StickerPipeline
@testable import Workers

@Suite("Work that begins before the photo is hashed", .timeLimit(.minutes(1)))
struct EarlyStartTests {
    private let fixture: PipelineFixture

    init() throws {
        fixture = try PipelineFixture()
    }

    @Test(
        "A photo that arrives alone goes to a worker before it is hashed; one of several does not", arguments: [1, 2])
    func alone(photos: Int) async throws {
        let script = try WorkerScript(in: fixture.folder, first: .crashes)
        let reader = try HeldReader()
        for number in 0..<photos {
            try fixture.write(try PipelineFixture.photo(red: UInt8(100 + number)), to: "\(number).png")
        }
        try await fixture.processing(executable: script.path, reader: reader) { processor async throws in
            #expect(try await eventually { await !processor.workers.idle.isEmpty })
            if photos == 1 { try await fixture.arrive("0.png") } else { try await fixture.arrive("0.png", "1.png") }
            processor.wake()
            #expect(try await eventually { await reader.isHolding })
            // The first worker ends when it gets the photo, and is replaced.
            if photos == 1 {
                #expect(try await fixture.eventually { script.processes.count == 2 })
            } else {
                #expect(await processor.workers.idle.count == 1)
            }
            await reader.letGo()
            #expect(try await fixture.eventually { try await fixture.count(.done) == photos })
        }
        #expect(fixture.log.said.filter { $0.contains("Made a sticker") }.count == photos)
        #expect(fixture.log.said.filter { $0.contains("A worker died") }.count == 1)
    }

    @Test("Duplicates that arrive one by one do not queue for a busy worker, and a new photo waits only for that one")
    func manyDuplicates() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing { try await fixture.drain($0) }

        let script = try WorkerScript(in: fixture.folder, first: .isHeld)
        try await fixture.processing(executable: script.path) { processor async throws in
            #expect(try await eventually { await !processor.workers.idle.isEmpty })
            for number in 0..<20 {
                try fixture.write(photo, to: "\(number).png")
                try await fixture.arrive("\(number).png")
                try await fixture.drain(processor)
            }
            // The last one may still be closing. Those in a queue would stay until `release`.
            #expect(try await eventually { try openPhotos() <= 1 })
            try fixture.write(try PipelineFixture.photo(red: 150), to: "new.png")
            try await fixture.arrive("new.png")
            try fixture.folder.write([], to: "release")
            try await fixture.drain(processor)
            #expect(script.processes.count == 2)
        }
        let photos = try await fixture.library.status().photos
        #expect(photos.filter { $0.value != 0 } == [.done: 2, .duplicate: 20])
    }

    /// How many descriptors of this process are open on files of the inbox.
    private func openPhotos() throws -> Int {
        let folder = "/proc/self/fd"
        let inbox = fixture.folder["inbox"].string + "/"
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            .filter { $0.hasPrefix(inbox) && $0.hasSuffix(".png") }.count
    }

    @Test("The result for a duplicate is dropped, even if its worker dies")
    func duplicate() async throws {
        let photo = try PipelineFixture.photo()
        try fixture.write(photo, to: "a.png")
        try await fixture.arrive("a.png")
        try await fixture.processing { try await fixture.drain($0) }
        let before = try fixture.published()

        let script = try WorkerScript(in: fixture.folder, first: .crashes)
        try fixture.write(photo, to: "b.png")
        try fixture.write(try PipelineFixture.photo(red: 150), to: "c.png")
        try await fixture.processing(executable: script.path) { processor async throws in
            #expect(try await eventually { await !processor.workers.idle.isEmpty })
            try await fixture.arrive("b.png")
            try await fixture.drain(processor)
            #expect(try await fixture.eventually { script.processes.count == 2 })
            try await fixture.arrive("c.png")
            try await fixture.drain(processor)
        }
        let photos = try await fixture.library.status().photos
        #expect(photos.filter { $0.value != 0 } == [.done: 2, .duplicate: 1])
        #expect(try fixture.published().count == before.count + 1)
        #expect(!fixture.log.said.contains { $0.contains("A worker died") })
    }
}

/// Opens photos like the real reader, but returns none before `letGo`.
private actor HeldReader: PhotoOpening {
    private let real: PhotoReader
    private var mayGo = false
    /// Whether a photo was opened that has not been returned.
    private(set) var isHolding = false

    init() throws {
        real = try PhotoReader()
    }

    nonisolated var partsRead: Int { real.partsRead }

    func letGo() { mayGo = true }

    func open(
        _ claim: Claim, in inbox: FilePath, maxFileBytes: Int, opened: @Sendable (PhotoFile) -> Void
    ) async throws(PhotoReadError) -> OpenPhoto {
        let photo = try await real.open(claim, in: inbox, maxFileBytes: maxFileBytes, opened: opened)
        isHolding = true
        while !mayGo { try? await Task.sleep(for: .milliseconds(5)) }
        isHolding = false
        return photo
    }

    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto {
        try await real.open(path, maxFileBytes: maxFileBytes)
    }
}
