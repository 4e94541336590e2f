import Glibc
package import Inbox
package import PackExports
import PackFacts
package import Packs
package import Processing
package import StickerStudio
import SystemPackage
package import Workers

/// The settings as the modules below take them.
extension Settings {
    /// - Parameter model: what `openModel()` returned.
    package func recipe(_ model: ModelFile?) -> Recipe {
        var sticker = sticker
        func usual(_ length: Int) -> Int { StickerRecipe.usual(length, forSize: sticker.size) }
        let shadow = StickerShadow()
        sticker.outlineWidth = outlineWidth ?? usual(StickerRecipe.usualOutlineWidth)
        sticker.shadow = StickerShadow(
            opacity: shadowOpacity, radius: shadowRadius ?? usual(shadow.radius),
            offset: shadowOffset ?? usual(shadow.offset))
        if shadowOpacity == 0 { sticker.shadow = nil }
        return Recipe(
            sticker: sticker, format: format, maxBytes: maxBytes > 0 && format == .webp ? maxBytes : nil,
            model: model?.fingerprint)
    }

    /// Opens the model from the settings, and hashes it; nil for the embedded network.
    package func openModel() throws(SettingsError) -> ModelFile? {
        guard let model else { return nil }
        do {
            return try ModelFile(opening: model)
        } catch {
            let reason = "model \(model.string.quoted) cannot be read: \(error)"
            throw SettingsError(problems: [.init(key: "model", source: sources["model"] ?? .builtIn, reason: reason)])
        }
    }

    /// - Parameter model: what `openModel()` returned.
    package func processing(_ model: ModelFile?) -> ProcessorSettings {
        var processing = processing
        processing.recipe = recipe(model)
        processing.isPolled = watch.mode == .polling
        return processing
    }

    package var inboxRules: InboxRules {
        var rules = watch
        rules.ownFolders = ownFolders
        return rules
    }

    package var packs: PackSettings {
        var packs = pack
        packs.gallery = hasGallery ? gallery : nil
        packs.gallery?.hasExports = !exports.isEmpty
        return packs
    }

    package var packExports: [any PackExport] {
        exports.compactMap { Exports.named($0.rawValue, imessage: imessageSize) }
    }

    package var originals: Originals.Folders { .init(archive: archive, failed: failed, used: privateFolders) }

    /// The number of worker processes; one per core online, unless set.
    package var workerCount: Int {
        workers > 0 ? workers : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
