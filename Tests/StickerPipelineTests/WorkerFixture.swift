import Logging
import StickerPipeline
import SystemPackage

enum WorkerFixture {
    /// Runs a pool of workers while `body` does, then stops it.
    static func running<Value: Sendable>(
        _ executable: FilePath, count: Int = 1, log: InboxRecordedLog = InboxRecordedLog(),
        _ body: (WorkerPool) async throws -> Value
    ) async throws -> Value {
        let pool = WorkerPool(executable: executable, count: count, logger: Logger(label: "test") { _ in log })
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
