import Glibc
import LinuxIO
import PackExports
import PhotoCodecs
import PhotoColors
import PhotoLibrary
package import StickerPipeline
import StickerStudio
import SystemPackage

/// The settings, converted for the modules below.
extension Settings {
    /// - Parameter model: what `openModel()` returned.
    func recipe(_ model: ModelFile?) -> Recipe {
        Recipe(
            sticker: StickerRecipe(
                size: sticker.size,
                outlineWidth: sticker.outline.width ?? StickerRecipe.usualOutlineWidth(forSize: sticker.size),
                outlineColor: sticker.outline.color.flatMap { HexColor($0) }, shadow: shadow, padding: sticker.padding,
                subjects: sticker.subjects),
            format: sticker.format, maxBytes: sticker.maxBytes > 0 && sticker.format == .webp ? sticker.maxBytes : nil,
            model: model?.fingerprint)
    }

    /// Opens the model from the settings, and hashes it; nil for the embedded network.
    package func openModel() throws(SettingsError) -> ModelFile? {
        guard let model else { return nil }
        do {
            return try ModelFile(opening: model)
        } catch {
            let reason = "model \(model.string.quoted) cannot be read: \(error)"
            throw SettingsError(
                problems: [.init(key: "model", source: sources["model"] ?? .builtIn, reason: reason)])
        }
    }

    /// The outbox, for a process that writes to it.
    ///
    /// - Throws: if no thread is available.
    func openOutbox(_ library: PhotoLibrary) throws(Errno) -> Outbox {
        // The text is for a person in a log: escaped.
        let owner = "process \(getpid()) with the state folder \(InboxPath(bytes: state.bytes))"
        return try Outbox(folder: outbox, library: library, lock: OutboxLock(owner: owner))
    }

    private var shadow: StickerShadow? {
        guard sticker.shadow.opacity > 0 else { return nil }
        return StickerShadow(
            opacity: sticker.shadow.opacity, radius: sticker.shadow.radius, offset: sticker.shadow.offset)
    }

    /// - Parameters:
    ///   - executable: a stickerd binary for the workers.
    ///   - model: what `openModel()` returned.
    func pipeline(executable: FilePath, model: ModelFile?) -> Pipeline.Settings {
        var settings = Pipeline.Settings(
            inbox: inbox, outbox: outbox, originals: originalsFolders, processing: processing(model), packs: packs,
            executable: executable, model: model, workerCount: workerCount, exports: packExports)
        settings.isIgnored = { [inboxRules] in inboxRules.reasonToIgnore($0) != nil }
        return settings
    }

    /// - Parameter model: what `openModel()` returned.
    func processing(_ model: ModelFile?) -> ProcessorSettings {
        var decoding = DecodeLimits()
        decoding.maxPixels = limits.maxPixels
        decoding.maxFileBytes = limits.maxFileBytes
        decoding.maxMemory = limits.maxMemory
        return ProcessorSettings(
            recipe: recipe(model), limits: decoding,
            timePerPhoto: .seconds(limits.secondsPerPhoto), keepStem: sticker.keepStem,
            originals: originals.mode, minFreeBytes: limits.minFreeBytes, nearDuplicates: duplicates.near,
            incompleteTime: .seconds(watch.incompleteSeconds), isPolled: watch.mode == .polling)
    }

    var inboxRules: InboxRules {
        InboxRules(
            recursive: watch.recursive, settleSeconds: watch.settleSeconds, rescanSeconds: watch.rescanSeconds,
            ignorePatterns: watch.ignorePatterns, mode: watch.mode, ownFolders: ownFolders)
    }

    var packs: PackSettings {
        PackSettings(
            name: pack.name, identifier: pack.identifier, publisher: pack.publisher, emoji: pack.emoji,
            colorCount: colors.count, paletteFormats: colors.export,
            gallery: gallery.enabled
                ? .init(
                    baseURL: gallery.baseUrl.isEmpty ? nil : gallery.baseUrl,
                    maxArchiveBytes: gallery.maxArchiveBytes, hasExports: !exports.isEmpty) : nil,
            minFreeBytes: limits.minFreeBytes)
    }

    var packExports: [any PackExport] {
        exports.compactMap { Exports.named($0.rawValue, imessage: imessage.size) }
    }

    var originalsFolders: Originals.Folders {
        .init(archive: originals.archive, failed: originals.failed, used: privateFolders)
    }

    /// The number of worker processes; one per core online, unless set.
    var workerCount: Int {
        workers > 0 ? workers : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
