import Conditions
import FileNames
import Foundation
import LinuxIO
import Logging
import Outbox
import PackLedger
import Packs
import PhotoCodecs
import PhotoLibrary
import PhotoRule
import Processing
import StickerPipeline
import StickerStudio
import SystemPackage
import Testing
import TestSupport
import Workers

/// A pipeline without an Inbox, in its own folders: tests record files in the Library.
struct PipelineFixture {
    let folder: TemporaryFolder
    let library: Library
    let outbox: OutboxWriter
    let conditions: CurrentConditions
    let clock = ManualClock()
    let log = RecordedLog()

    /// In folders of its own.
    init() {
        // A stored property of the suites: if this threw, each of them would need an initializer.
        do { try self.init(in: TemporaryFolder()) } catch { fatalError("no pipeline: \(error)") }
    }

    /// - Parameter isInRealTime: whether the pipeline does not follow `clock`.
    init(in folder: TemporaryFolder, isInRealTime: Bool = false) throws {
        self.folder = folder
        for name in ["inbox", "outbox", "state"] { try folder.makeFolder(name) }
        library = try Library(in: folder["state"], outbox: "/outbox")
        outbox = try OutboxWriter(folder: folder["outbox"], library: library, lock: OutboxLock(owner: "the test"))
        let time: any MonotonicClock = if isInRealTime { ContinuousClock() } else { clock }
        conditions = CurrentConditions(logger: Logger(label: "test") { [log] _ in log }, clock: time)
    }

    var logger: Logger {
        let log = log
        return Logger(label: "test") { _ in log }
    }

    static let recipe = Recipe(sticker: StickerRecipe(size: 96, outlineWidth: 4, padding: 2), format: .png)

    static let settings = ProcessorSettings(
        recipe: recipe, limits: DecodeLimits(), timePerPhoto: .seconds(20), keepStem: true)

    /// Begins like a picture, and fails: a file that is no picture is ignored.
    static let noPhoto = Array("GIF89a no photo".utf8)

    /// A photo with a clear subject; another `red` gives another photo.
    static func photo(red: UInt8 = 220, width: Int = 160) throws -> [UInt8] {
        try PNGEncoder.encode(DrawnPicture.disc(width: width, height: width * 3 / 4, red: red))
    }

    static func path(_ name: String) -> InboxPath { InboxPath(bytes: Array(name.utf8)) }

    func write(_ bytes: [UInt8], to name: String) throws { try folder.write(bytes, to: "inbox/\(name)") }

    /// The bytes of a file in the inbox.
    func inbox(_ name: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: folder["inbox"].appending(name).string)))
    }

    /// Records files in the Library with their current identities, even missing ones.
    func arrive(_ names: String...) async throws {
        _ = try await library.record(
            names.map { name in
                let identity = try? FileStatus(of: folder["inbox"].appending(name)).identity
                return Arrival(
                    path: Self.path(name),
                    identity: identity ?? FileIdentity(device: 1, inode: 1, size: 1, modified: 1, changed: 1),
                    verdict: .ready)
            })
    }

    /// Writes a photo of its own under each name, and records it.
    func drop(_ names: [String]) async throws {
        for name in names {
            let sum = name.utf8.reduce(0) { $0 + Int($1) }
            try write(try Self.photo(red: UInt8(150 + sum % 100)), to: name)
            try await arrive(name)
        }
    }

    func count(_ state: FileState) async throws -> Int {
        try await library.status().photos[state, default: 0]
    }

    /// Makes the Processor work until the queue is empty.
    func drain(_ processor: Processor) async throws {
        processor.wake()
        #expect(try await eventually { try await isDrained() })
    }

    /// Advances the clock until the condition holds.
    func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
        try await clock.advance(until: condition)
    }

    /// Advances the clock until the condition holds, which has to.
    func until(
        _ location: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
    ) async throws {
        #expect(try await eventually(condition), sourceLocation: location)
    }

    func isDrained() async throws -> Bool { try await library.status().isDrained }

    /// Names and bytes of the files in a folder of the outbox, without the marker.
    func published(_ pack: String = "") throws -> [String: [UInt8]] {
        try folder.names(in: "outbox/\(pack)").reduce(into: [:]) { files, name in
            if name != OutboxMarker.fileName { files[name] = folder.bytes(of: "outbox/\(pack)/\(name)") }
        }
    }

    /// The daemon's parts, none of them running.
    func pipeline(
        workers count: Int = 1, executable: FilePath? = nil, reader: (any PhotoOpening)? = nil,
        originals: OriginalsMode = .keep, keepStem: Bool = true, diskWaits: DiskWaits = .shared
    ) throws -> Pipeline {
        var processing = Self.settings
        processing.originals = originals
        processing.keepStem = keepStem
        return try Pipeline(
            inbox: folder["inbox"], originals: .init(archive: folder["archive"], failed: folder["failed"]),
            processing: processing, packs: PackSettings(name: "Test", identifier: "test", publisher: "", colorCount: 5),
            executable: try executable ?? StickerdBinary.path, workerCount: count, library: library, outbox: outbox,
            conditions: conditions, reader: reader, diskWaits: diskWaits, logger: logger)
    }

    /// Runs a Processor with real workers during `body`.
    func processing(
        workers count: Int = 1, executable: FilePath? = nil, reader: (any PhotoOpening)? = nil,
        originals: OriginalsMode = .keep, keepStem: Bool = true, diskWaits: DiskWaits = .shared,
        _ body: (Processor) async throws -> Void
    ) async throws {
        let pipeline = try pipeline(
            workers: count, executable: executable, reader: reader, originals: originals, keepStem: keepStem,
            diskWaits: diskWaits)
        let (pool, processor) = (pipeline.workers, pipeline.processor)
        async let workersEnd: Void = pool.run()
        async let processorEnd: Void = processor.run()
        do {
            try await body(processor)
            await processor.stop()
            try await processorEnd
        } catch {
            await processor.stop()
            await pool.stop()
            throw error
        }
        await pool.stop()
        try await workersEnd
    }

    /// Records that the packs' indexes list all stickers: until then, their photos stay in the inbox.
    func list() async throws {
        for pack in try await library.packNames() {
            let summary = try await library.summary(ofPack: pack.text, listed: 0)
            try await library.record(index: summary.revision, removed: [], listed: summary.unlisted, ofPack: pack.text)
        }
    }
}

extension Library {
    /// All stickers of a pack in order of arrival.
    func stickerRecords(ofPack pack: String) async throws -> [StickerRecord] {
        try await stickers(ofPack: pack, limit: .max).map(\.sticker)
    }
}
