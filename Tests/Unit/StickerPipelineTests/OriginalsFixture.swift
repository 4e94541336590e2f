import Foundation
import Logging
import PhotoCodecs
import PhotoRule
import Processing
import SystemPackage
import TestSupport

/// A pipeline with an archive and a folder for failed photos.
struct OriginalsFixture {
    let pipeline = PipelineFixture()
    let photo: [UInt8]
    /// A photo without a subject.
    let flat: [UInt8]

    init() {
        do {
            photo = try PipelineFixture.photo()
            flat = try PNGEncoder.encode(DrawnPicture.flat(width: 64, height: 64, 90, 90, 90))
            for name in ["archive", "failed"] { try pipeline.folder.makeFolder(name) }
        } catch {
            // A stored property of the suites: if this threw, each of them would need an initializer.
            fatalError("no originals: \(error)")
        }
    }

    func make(_ folder: FilePath) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    }

    func originals(archive: FilePath? = nil, logger: Logger? = nil) throws -> Originals {
        try Originals(
            inbox: pipeline.folder["inbox"],
            folders: .init(archive: archive ?? pipeline.folder["archive"], failed: pipeline.folder["failed"]),
            isIgnored: { $0 == Array("#snapshot".utf8) }, library: pipeline.library, outbox: pipeline.outbox,
            conditions: pipeline.conditions, logger: logger ?? pipeline.logger)
    }

    /// Does all due work once.
    func carryOut(archive: FilePath? = nil) async throws {
        // The Library records tries to the millisecond: a run within the millisecond of the last try would count that
        // try as its own.
        try await Task.sleep(for: .milliseconds(2))
        let originals = try originals(archive: archive)
        originals.stop()
        try await originals.run()
    }

    /// Files below a folder by path, a day's folder as `today`: it may be tomorrow's by now.
    func files(_ folder: FilePath) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
            guard let data = FileManager.default.contents(atPath: folder.appending(path).string) else { continue }
            files[path.replacing(#/^\d{4}/\d\d/\d\d/#, with: "today")] = [UInt8](data)
        }
        return files
    }

    func drop(_ files: [(String, [UInt8])]) async throws {
        for (name, bytes) in files {
            try pipeline.write(bytes, to: name)
            try await pipeline.arrive(name)
        }
    }

    /// Works until the queue is empty, and has the indexes list all stickers.
    func process(_ mode: OriginalsMode) async throws {
        try await pipeline.processing(originals: mode) { try await pipeline.drain($0) }
        try await pipeline.list()
    }

    func work(_ mode: OriginalsMode) async throws {
        try await process(mode)
        try await carryOut()
    }
}
