import Conditions
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
