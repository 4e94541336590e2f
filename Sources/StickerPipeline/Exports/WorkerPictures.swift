import LinuxIO
package import PhotoCodecs
package import StickerStudio

/// The workers as makers of pictures. A picture never waits in the queue for a worker, where it would delay photos: it
/// takes a worker only when one is idle.
package struct WorkerPictures: PictureMaking {
    private let pool: WorkerPool
    private let limits: DecodeLimits
    private let timeout: Duration

    /// The time between two looks for an idle worker.
    private static let patience = Duration.milliseconds(30)

    /// - Parameters:
    ///   - pool: running.
    ///   - limits: for stickers' files and photos.
    ///   - timeout: for one picture or photo.
    package init(_ pool: WorkerPool, limits: DecodeLimits, timeout: Duration) {
        self.pool = pool
        self.limits = limits
        self.timeout = timeout
    }

    package func picture(
        of sticker: Int32, after smaller: Int?, _ form: PictureForm
    ) async throws(PictureFailure) -> [UInt8] {
        let request = WorkerRequest(picture: form, after: smaller, limits: limits)
        let product = try await product(request, of: sticker)
        guard case .picture(let bytes) = product else { throw Self.wrongProduct }
        return bytes
    }

    package func stickers(
        of photo: Int32, _ recipe: Recipe
    ) async throws(PictureFailure) -> [ProcessedPhoto.Sticker] {
        let product = try await product(WorkerRequest(task: .stickers, recipe: recipe, limits: limits), of: photo)
        guard case .photo(let photo) = product else { throw Self.wrongProduct }
        return photo.stickers
    }

    private static let wrongProduct = PictureFailure.refused("the worker's reply does not match the request")

    private func product(_ request: WorkerRequest, of file: Int32) async throws(PictureFailure) -> WorkerProduct {
        do throws(WorkerError) {
            while await !pool.hasEnded, !Task.isCancelled {
                if let product = try await pool.performIfIdle(request, descriptor: file, timeout: timeout) {
                    return product
                }
                try? await pool.clock.sleep(for: Self.patience)
            }
        } catch {
            switch error.code {
            case .refused: throw .refused(error.description)
            case .died, .timedOut: throw .died(error.description)
            case .unreadable: throw .unreadable(error.description)
            case .unavailable, .unusableModel: throw .notYet(error.description)
            }
        }
        throw .notYet("the workers are stopping")
    }
}
