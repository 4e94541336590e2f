package import Exports
import LinuxIO
package import PhotoCodecs
package import StickerStudio
import Synchronization
package import Workers

/// The workers as makers of pictures. A picture never waits in the queue for a worker, where it would delay photos: it
/// takes a worker only when one is idle.
package final class WorkerPictures: PictureMaking {
    private let pool: WorkerPool
    /// For stickers' files, and for one picture.
    private let limits: Mutex<(decoding: DecodeLimits, time: Duration)>

    /// The time between two looks for an idle worker.
    private static let patience = Duration.milliseconds(30)

    /// - Parameters:
    ///   - pool: running.
    ///   - limits: for stickers' files.
    ///   - timeout: for one picture.
    package init(_ pool: WorkerPool, limits: DecodeLimits, timeout: Duration) {
        self.pool = pool
        self.limits = Mutex((limits, timeout))
    }

    /// Applies from the next picture on.
    package func update(limits: DecodeLimits, timeout: Duration) { self.limits.withLock { $0 = (limits, timeout) } }

    package func picture(of sticker: Int32, _ form: PictureForm) async throws(PictureFailure) -> [UInt8] {
        let (limits, timeout) = self.limits.withLock { $0 }
        let request = WorkerRequest(picture: form, limits: limits)
        var product: WorkerProduct?
        do throws(WorkerError) {
            while product == nil, await !pool.hasEnded, !Task.isCancelled {
                product = try await pool.performIfIdle(request, descriptor: sticker, timeout: timeout)
                if product == nil { try? await pool.clock.sleep(for: Self.patience) }
            }
        } catch {
            if await pool.hasEnded { throw .stopped }
            switch error.code {
            case .refused: throw .refused(error.description)
            case .died, .timedOut: throw .died(error.description)
            case .unreadable: throw .unreadable(error.description)
            case .unavailable, .unusableModel: throw .notYet(error.description)
            }
        }
        switch product {
        case .picture(let bytes): return bytes
        case nil: throw .stopped
        case .photo, .mask: throw .refused("the worker's reply does not match the request")
        }
    }
}
