import Foundation
import Glibc

/// Writes a photo like a file manager or `cp` does.
enum DroppedFile {
    /// Writes the file under its final name, and returns the time just before close(2).
    static func write(_ data: Data, to path: String) throws -> ContinuousClock.Instant {
        // The path is read within the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw BenchError.system(path) }
        var written = 0
        while written < data.count {
            // The buffer outlives the call and is not read beyond its end.
            let count = unsafe data.dropFirst(written).withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else {
                close(descriptor)
                throw BenchError.system(path)
            }
            written += count
        }
        let closing = ContinuousClock.now
        close(descriptor)
        return closing
    }
}
