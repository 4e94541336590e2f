import Foundation
import PackExports
import PhotoFacts
import PhotoLibrary
import StickerStudio
package import SystemPackage

/// Makes stickers of a pack again from their photos, larger: pictures that are larger than their stickers then have the
/// photo's detail. For one pass over the pack's exports, during which each is made once, if `maxKept` is enough.
package actor LargerStickers {
    /// What remaking a sticker requires besides the pack.
    package struct Studio: Sendable {
        let inbox: FilePath
        let reader: PhotoReader
        let maker: any PictureMaking
        /// As in the recipes of stickers that `maker` makes.
        let weights: String
        let maxFileBytes: Int

        /// - Parameters:
        ///   - inbox: where photos may be.
        ///   - reader: not the one that opens photos of the queue, which must not wait for exports.
        ///   - maker: of stickers.
        ///   - weights: as in the recipes of stickers that `maker` makes.
        ///   - maxFileBytes: the most bytes that a photo may have.
        package init(
            inbox: FilePath, reader: PhotoReader, maker: any PictureMaking, weights: String, maxFileBytes: Int
        ) {
            self.inbox = inbox
            self.reader = reader
            self.maker = maker
            self.weights = weights
            self.maxFileBytes = maxFileBytes
        }
    }

    /// A sticker as it was made.
    struct Origin: Sendable {
        let record: StickerOrigin
        let recipe: Recipe
    }

    /// The sticker for the picture, as a file's bytes: an open file for each that is kept would leave the daemon without
    /// descriptors.
    enum Result: Sendable {
        case made([UInt8])
        /// The picture is made from the sticker as it is. If `isFinal`, another try would end in the same way.
        case none(reason: String, isFinal: Bool)
    }

    /// If a form enlarges a sticker's visible part by more than this, its picture is made from the photo.
    static let maxEnlargement = 1.05
    /// The longer side of the larger sticker, at most: with more, drawing the picture would reduce it first.
    static let maxSide = 2 * PictureForm.maxSide
    /// Tolerance between the larger sticker's sides and `factor` times the sticker's: a share, plus pixels of the sticker.
    /// Another subject, or one that the photo is too small for, differs more.
    private static let maxDeviation = (share: 1.0 / 32, pixels: 1)
    /// The most bytes of larger stickers that are kept for further pictures.
    private static let maxKept = 32 << 20
    /// How many stickers the Library is asked for in one call.
    private static let batch = 200

    private let sources: StickerSources
    private let studio: Studio
    /// By digest of photo and number of sticker; the oldest first in `order`.
    private var kept: [String: Result] = [:]
    private var order: [String] = []
    private var keptBytes = 0
    private var queue = KeyedQueue()
    private var recipes: [String: Recipe] = [:]
    private var widestMargin: Int?

    package init(_ sources: StickerSources, _ studio: Studio) {
        self.sources = sources
        self.studio = studio
    }

    /// The widest margin of stickers that the workers would make in the same way; nil if there is none, or the Library
    /// cannot be read. With it, the size of a sticker tells whether it can be too small for a picture: the Library is asked
    /// for few of a large pack.
    func margin() async -> Int? {
        if let widestMargin { return widestMargin }
        widestMargin = ((try? await sources.recipes()) ?? []).compactMap { current($0)?.sticker.padding }.max()
        return widestMargin
    }

    /// What these stickers were made from, by their files; without those that the workers would make differently. Empty
    /// if the Library cannot be read.
    func origins(of files: [String]) async -> [String: Origin] {
        var origins: [String: Origin] = [:]
        for start in stride(from: 0, to: files.count, by: Self.batch) {
            let part = Array(files[start..<min(start + Self.batch, files.count)])
            for record in (try? await sources.origins(part)) ?? [] {
                guard let recipe = current(record.recipe) else { continue }
                origins[record.file] = Origin(record: record, recipe: recipe)
            }
        }
        return origins
    }

    /// Returns the sticker, made large enough for all forms.
    ///
    /// - Throws: if no worker can be had.
    func sticker(from origin: Origin) async throws(PictureFailure) -> Result {
        let photo = origin.record.photo
        let turn = queue.join(photo)
        defer { queue.finish(turn) }
        await turn.wait()
        let key = "\(photo) \(origin.record.ordinal) \(origin.record.sha256)"
        if let known = kept[key] { return known }
        let result = try await make(origin)
        keep(result, as: key)
        return result
    }

    private func make(_ origin: Origin) async throws(PictureFailure) -> Result {
        guard let photo = await photo(of: origin) else {
            return .none(reason: "its photo is gone or has changed", isFinal: false)
        }
        var factor = origin.largestFactor
        while factor > 1 {
            let recipe = Recipe(
                sticker: origin.recipe.sticker.enlarged(by: factor), format: .png, model: origin.recipe.weights)
            guard recipe.sticker.leavesRoom else { break }
            let stickers: [ProcessedPhoto.Sticker]
            do throws(PictureFailure) {
                stickers = try await studio.maker.stickers(of: photo.descriptor, recipe)
            } catch .refused(let reason) {
                return .none(reason: reason, isFinal: photo.file.isUntouched())
            }
            guard photo.file.isUntouched() else { return .none(reason: "its photo has just changed", isFinal: false) }
            // With other subjects, this number is another one's sticker, perhaps one that a user has removed.
            guard stickers.count == origin.record.siblings, stickers.indices.contains(origin.record.ordinal) else {
                break
            }
            let made = stickers[origin.record.ordinal]
            if origin.isShown(by: made.facts, factor, within: Self.maxDeviation) {
                return .made(made.data)
            }
            // A subject with few pixels limits the size: continue with the largest factor that it allows.
            factor = min(factor - 1, origin.factor(of: made.facts))
        }
        return .none(reason: "its photo is too small for a larger sticker", isFinal: true)
    }

    /// The first file that has the sticker's photo, whatever its name.
    private func photo(of origin: Origin) async -> OpenPhoto? {
        for place in (try? await sources.places(origin.record.photo)) ?? [] {
            let photo =
                switch place {
                case .inbox(let path):
                    try? await studio.reader.open(path, in: studio.inbox, maxFileBytes: studio.maxFileBytes)
                case .moved(let path):
                    try? await studio.reader.open(path, maxFileBytes: studio.maxFileBytes)
                }
            if let photo, photo.sha256 == origin.record.photo { return photo }
        }
        return nil
    }

    private func keep(_ result: Result, as key: String) {
        kept[key] = result
        order.append(key)
        keptBytes += result.bytes
        while keptBytes > Self.maxKept, let oldest = order.first {
            order.removeFirst()
            keptBytes -= kept.removeValue(forKey: oldest)?.bytes ?? 0
        }
    }

    /// nil unless the workers would make the same stickers.
    private func current(_ text: String) -> Recipe? {
        guard let recipe = recipe(text), recipe.revision == Recipe.currentRevision, recipe.weights == studio.weights
        else { return nil }
        return recipe
    }

    private func recipe(_ text: String) -> Recipe? {
        if let known = recipes[text] { return known }
        let recipe = try? JSONDecoder().decode(Recipe.self, from: Data(text.utf8))
        recipes[text] = recipe
        return recipe
    }
}

extension ExportPicture {
    /// Whether its sticker may be too small for it: `LargerStickers.Origin.isTooSmall` tells.
    ///
    /// - Parameter margin: the widest that the sticker may have.
    func mayBeTooLarge(margin: Int) -> Bool {
        guard let size = sticker.size else { return true }
        // The pack's index may say anything.
        let visible = (max(size.width, 0) - 2 * margin, max(size.height, 0) - 2 * margin)
        return form.enlargement(ofVisible: visible) > LargerStickers.maxEnlargement
    }
}

extension LargerStickers.Result {
    fileprivate var bytes: Int {
        if case .made(let file) = self { file.count } else { 0 }
    }
}

extension LargerStickers.Origin {
    /// The size of the sticker's file without its margin.
    private var visible: (width: Int, height: Int) {
        (record.width - 2 * recipe.sticker.padding, record.height - 2 * recipe.sticker.padding)
    }

    /// Whether a picture of this form is better made from the photo.
    func isTooSmall(for form: PictureForm) -> Bool {
        form.enlargement(ofVisible: visible) > LargerStickers.maxEnlargement && largestFactor > 1
    }

    /// How many times as large the sticker is made: large enough for every form. A whole number, so that outline,
    /// shadow and margins keep their proportions.
    fileprivate var largestFactor: Int {
        let side = Double(max(visible.width, visible.height, 1)) * LargerStickers.maxEnlargement
        let wanted = (Double(PictureForm.maxSide) / side).rounded(.up)
        return min(Int(wanted), LargerStickers.maxSide / max(recipe.sticker.size, 1))
    }

    /// How many times as large as the sticker this one is, rounded down.
    fileprivate func factor(of made: StickerFacts) -> Int {
        min(made.width / max(record.width, 1), made.height / max(record.height, 1))
    }

    fileprivate func isShown(
        by made: StickerFacts, _ factor: Int, within deviation: (share: Double, pixels: Int)
    ) -> Bool {
        func agree(_ side: Int, _ made: Int) -> Bool {
            abs(Double(made - factor * side))
                <= deviation.share * Double(factor * side) + Double(factor * deviation.pixels)
        }
        return agree(record.width, made.width) && agree(record.height, made.height)
    }
}
