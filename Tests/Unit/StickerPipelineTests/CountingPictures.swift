import StickerStudio
import Synchronization

@testable import StickerPipeline

/// Real workers, and how many photos they were given.
final class CountingPictures: PictureMaking {
    typealias Workers = @Sendable (Recipe) async throws(PictureFailure) -> [ProcessedPhoto.Sticker]
    typealias Reply = @Sendable (Workers, Recipe) async throws(PictureFailure) -> [ProcessedPhoto.Sticker]

    private let workers: WorkerPictures
    private let count = Atomic(0)
    private let reply = Mutex<Reply?>(nil)

    init(_ workers: WorkerPictures) { self.workers = workers }

    var photos: Int { count.load(ordering: .relaxed) }

    /// Replaces what the workers make of photos.
    func setReply(_ new: @escaping Reply) { reply.withLock { $0 = new } }

    func picture(
        of sticker: Int32, after smaller: Int?, _ form: PictureForm
    ) async throws(PictureFailure) -> [UInt8] {
        try await workers.picture(of: sticker, after: smaller, form)
    }

    func stickers(
        of photo: Int32, _ recipe: Recipe
    ) async throws(PictureFailure) -> [ProcessedPhoto.Sticker] {
        count.wrappingAdd(1, ordering: .relaxed)
        let workers: Workers = { [workers] recipe async throws(PictureFailure) in
            try await workers.stickers(of: photo, recipe)
        }
        guard let reply = reply.withLock({ $0 }) else { return try await workers(recipe) }
        return try await reply(workers, recipe)
    }
}
