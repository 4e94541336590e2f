import LinuxIO
import PhotoLibrary
import SystemPackage

extension Outbox {
    /// Whether the outbox is there, and its file system and the Library's leave `bytes` free.
    ///
    /// - Throws: `ConditionError` or `OutboxError` where not: nothing should be begun.
    func requireRoom(_ bytes: Int) async throws {
        _ = try await open()
        for (folder, free) in try [folder, library.folder].map({ ($0, try self.free(at: $0)) }) where free < bytes {
            throw ConditionError(
                .diskFull,
                "\(folder): only \(free >> 20) MB are free; limits.minFreeBytes wants \(bytes >> 20) MB to stay so")
        }
    }

    private func free(at folder: FilePath) throws -> Int {
        do throws(Errno) {
            return try FileSystemSpace.free(at: folder)
        } catch {
            throw OutboxError(folder: folder, cause: error)
        }
    }
}
