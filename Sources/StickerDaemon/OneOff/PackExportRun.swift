package import DaemonSettings
import Exports
import FileNames
import LinuxIO
package import Logging
import OutboxLayout
package import PackExports
package import PackFacts
import Packs
import Processing
import StickerPipeline
import StickerStudio
package import SystemPackage
import Workers

/// `stickerd export`: writes a pack for a messenger or server once, without a daemon.
package struct PackExportRun: Sendable {
    /// What was written, in words.
    package struct Report: Sendable {
        /// One line.
        package let summary: String
        /// What the reader has to know, each a sentence.
        package let notes: [String]
    }

    private let export: any PackExport
    private let settings: Settings
    private let executable: FilePath
    private let logger: Logger

    /// - Parameters:
    ///   - export: what to write.
    ///   - settings: for the workers. Those of the pack from the command line replace what `pack.json` says.
    ///   - executable: a stickerd binary for the workers.
    ///   - logger: for stickers that are left out.
    package init(_ export: any PackExport, settings: Settings, executable: FilePath, logger: Logger) {
        self.export = export
        self.settings = settings
        self.executable = executable
        self.logger = logger
    }

    /// - Parameters:
    ///   - pack: its folder.
    ///   - output: an existing folder.
    /// - Throws: `Failure` if there is nothing to show for it, `WorkerError` if no worker starts.
    package func run(_ pack: FilePath, into output: FilePath) async throws -> Report {
        let pool = WorkerPool(executable: executable, count: settings.workerCount, model: nil, logger: logger)
        let processing = settings.processing(nil)
        let maker = WorkerPictures(pool, limits: processing.limits, timeout: processing.timePerPhoto)
        let exporting = PackExporting(export, maker: maker, places: settings.workerCount, logger: logger)
        var result: Result<PackExporting.Result, any Error>?
        // If no worker starts, that is the error, not the missing pictures.
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            do {
                result = .success(try await exporting.run(pack, into: output, changes: described))
            } catch {
                result = .failure(error)
            }
            await pool.stop()
        }
        do {
            guard let written = try result?.get() else { throw CommandFailure("nothing was written") }
            return Report(summary: summary(written, output), notes: written.notes + notes(on: written.small))
        } catch let error as ExportRefusal {
            throw CommandFailure("\(InboxPath(bytes: pack.bytes)): \(error.reason)")
        } catch let error as ExportTrouble {
            throw CommandFailure(error.description)
        }
    }

    /// The pack with the description of the command line.
    package func described(_ pack: Pack) -> Pack {
        func value<Value>(_ key: String, _ new: Value, else old: Value) -> Value {
            if case .flag = settings.sources[key] { new } else { old }
        }
        return Pack(
            .init(
                name: value("pack.name", settings.pack.name, else: pack.name),
                identifier: value("pack.identifier", settings.pack.identifier, else: pack.identifier),
                publisher: value("pack.publisher", settings.pack.publisher, else: pack.publisher),
                emoji: value("pack.emoji", settings.pack.emoji.map(\.text), else: pack.emoji)), stickers: pack.stickers)
    }

    /// Makes the output folder, with its parents, if it is missing.
    ///
    /// - Returns: whether it was made.
    /// - Throws: `CommandFailure` if it cannot be made, or lies inside the inbox of these settings.
    @discardableResult
    package static func make(output: FilePath, _ settings: Settings) throws(CommandFailure) -> Bool {
        let name = InboxPath(bytes: output.bytes)
        guard !settings.isInInbox(output) else {
            throw CommandFailure(
                "\(name): lies inside the inbox, where its pictures would become stickers; choose another folder")
        }
        do {
            return try Settings.makeFolders(at: output)
        } catch {
            throw CommandFailure("\(name): cannot be created: \(error)")
        }
    }

    /// A larger `sticker.size` helps only stickers that were reduced to it: none is enlarged.
    func notes(on small: SmallStickers) -> [String] {
        let size = small.room + 2 * settings.sticker.padding
        let reduced = small.sides.values.count {
            size > settings.sticker.size && Double($0) >= Self.leastShare * Double(settings.sticker.size)
        }
        let fix = "sticker.size \(size) would fill them"
        return [
            note(reduced, fix, fix),
            note(small.sides.count - reduced, "its photo is too small", "their photos are too small"),
        ].compactMap(\.self)
    }

    /// From this share of `sticker.size` on, a sticker's longer side is taken for reduced.
    private static let leastShare = 0.95

    private func note(_ count: Int, _ one: String, _ several: String) -> String? {
        switch count {
        case 0: nil
        case 1: "1 sticker is smaller than its pictures and stands in their middle; \(one)."
        default: "\(count) stickers are smaller than their pictures and stand in their middle; \(several)."
        }
    }

    private func summary(_ result: PackExporting.Result, _ output: FilePath) -> String {
        let changes = result.written == 0 ? "nothing has changed" : "\(result.written) written"
        let leftOut =
            result.leftOut == 0
            ? "" : "; \(counted(result.leftOut, "sticker")) \(result.leftOut == 1 ? "is" : "are") left out"
        let files = counted(result.files, "file")
        return "\(InboxPath(bytes: output.bytes)): \(files) for \(export.title), \(changes)\(leftOut)"
    }
}

// MARK: - Names

extension PackExportRun {
    /// The names of all exports, in the order of the documentation.
    package static var names: [String] { Exports.all.map(\.name) }

    /// - Parameters:
    ///   - name: as in the settings, in upper or lower case.
    ///   - settings: of the export; nil for the defaults.
    /// - Throws: `Failure` with the known names if there is no export of this name.
    package static func export(
        named name: String, _ settings: Settings? = nil
    ) throws(CommandFailure) -> any PackExport {
        if let export = Exports.named(name.lowercased(), imessage: settings?.imessageSize ?? .regular) { return export }
        let nearest = NearestName.of(name, among: names).map { "; did you mean \($0.quoted)?" } ?? ""
        throw CommandFailure("unknown export \(name.quoted)\(nearest) (known: \(names.joined(separator: ", ")))")
    }

    /// - Throws: `CommandFailure` unless this is the folder of a pack.
    package static func requirePack(in folder: FilePath) throws(CommandFailure) {
        let name = InboxPath(bytes: folder.bytes)
        do throws(Errno) {
            guard try FileStatus(of: folder.appending(OutboxFile.index)).kind != .regular else { return }
        } catch {
            guard error != .permissionDenied else { throw CommandFailure("\(name): cannot be read: \(error)") }
        }
        throw CommandFailure("\(name): has no \(OutboxFile.index); give the folder of a pack")
    }
}
