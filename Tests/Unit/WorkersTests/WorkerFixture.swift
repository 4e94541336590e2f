import Conditions
import LinuxIO
import Logging
import PhotoCodecs
import StickerStudio
import SystemPackage
import TestSupport
import Workers

enum WorkerFixture {
    static let recipe = Recipe(sticker: StickerRecipe(size: 96, outlineWidth: 4, padding: 2), format: .png)

    /// A photo with a clear subject.
    static func photo(width: Int = 160) throws -> [UInt8] {
        try PNGEncoder.encode(DrawnPicture.disc(width: width, height: width * 3 / 4))
    }

    /// With such a photo, `photo.png`.
    static func folder() -> TemporaryFolder {
        let folder = TemporaryFolder()
        // A stored property of the suites: if this threw, each of them would need an initializer.
        do { try folder.write(try photo(), to: "photo.png") } catch { fatalError("no photo: \(error)") }
        return folder
    }

    /// Runs a pool of workers during `body`, then stops it.
    ///
    /// - Parameter clock: advanced by `body`; nil for one on which no wait takes time.
    static func running<Value: Sendable>(
        _ executable: FilePath, count: Int = 1, log: RecordedLog = RecordedLog(), clock: ManualClock? = nil,
        _ body: (WorkerPool) async throws -> Value
    ) async throws -> Value {
        let logger = Logger(label: "test") { _ in log }
        let time = clock ?? ManualClock()
        let pool = WorkerPool(
            executable: executable, count: count, conditions: CurrentConditions(logger: logger, clock: time),
            logger: logger)
        let ticks = Task { if clock == nil { await time.run() } }
        defer { ticks.cancel() }
        async let end: Void = pool.run()
        let value: Value
        do {
            value = try await body(pool)
        } catch {
            await pool.stop()
            throw error
        }
        await pool.stop()
        try await end
        return value
    }

    /// Runs a pool of one worker with this model.
    static func running<Value: Sendable>(
        model: [UInt8], in folder: TemporaryFolder, facts: OneShot<ModelFacts> = OneShot(),
        log: RecordedLog = RecordedLog(), _ body: (WorkerPool) async throws -> Value
    ) async throws -> Value {
        try folder.write(model, to: "model")
        let pool = WorkerPool(
            executable: try StickerdBinary.path, count: 1, model: try ModelFile(opening: folder["model"]),
            logger: Logger(label: "test") { _ in log }
        ) { facts.set($0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            let value = try await body(pool)
            await pool.stop()
            try await group.waitForAll()
            return value
        }
    }
}

extension WorkerPool {
    /// Has a worker work on a file of the folder.
    func work(
        _ task: WorkerRequest.Task = .process, by recipe: Recipe = WorkerFixture.recipe, on name: String = "photo.png",
        in folder: TemporaryFolder, timeout: Duration = .seconds(20)
    ) async throws -> WorkerProduct {
        let file = try OwnedDescriptor(opening: folder[name])
        let request = WorkerRequest(task: task, recipe: recipe, limits: DecodeLimits())
        return try await perform(request, descriptor: file.raw, timeout: timeout)
    }
}

extension WorkerProduct {
    var photo: ProcessedPhoto? {
        if case .photo(let photo) = self { photo } else { nil }
    }

    var picture: [UInt8]? {
        if case .picture(let picture) = self { picture } else { nil }
    }

    var mask: [UInt8]? {
        if case .mask(let mask) = self { mask } else { nil }
    }
}
