import LinuxIO
import Logging
import PackExports
import SystemPackage

/// Writes one export of one pack.
struct ExportJob {
    /// What the export's folder has now.
    enum Outcome {
        case written(ExportWriter.Summary, ExportPlan, leftOut: Int)
        case withheld(reason: String)
    }

    let export: any PackExport
    let pack: ExportPack
    let output: ExportFolder
    let store: PictureStore
    let logger: Logger
    let isStopping: () -> Bool

    private static let emptiness = "The pack has no stickers; add photos."

    /// - Parameters:
    ///   - names: saved before files are written under its names.
    ///   - leftOut: why stickers are left out, by their files; those of earlier exports, so that each is logged once.
    /// - Returns: also whether stickers are missing that another try may add.
    func run(
        _ names: inout NameBookFile, _ leftOut: inout [String: String]
    ) async throws(ExportTrouble) -> (outcome: Outcome, isComplete: Bool) {
        guard !pack.stickers.isEmpty else { return (.withheld(reason: Self.emptiness), true) }
        var without: Set<String> = []
        var isComplete = true
        // Each round leaves out at least one sticker more.
        while true {
            if isStopping() { throw .stopped }
            var book = names.book
            let plan: ExportPlan
            do throws(ExportRefusal) {
                plan = try export.plan(pack.without(without), &book)
            } catch {
                return (.withheld(reason: error.reason), isComplete)
            }
            let missing = try await store.make(plan.pictures)
            if missing.isTemporary { isComplete = false }
            for (sticker, reason) in missing.refused.sorted(by: { $0.key.file < $1.key.file }) {
                without.insert(sticker.file)
                if leftOut.updateValue(reason, forKey: sticker.file) == nil {
                    logger.warning(
                        "Left a sticker out of exports",
                        metadata: ["export": "\(export.name)", "sticker": "\(sticker.file)", "reason": "\(reason)"])
                }
            }
            guard missing.refused.isEmpty else { continue }
            try names.save(book)
            let writer = ExportWriter(folder: output, room: store.room, isStopping: isStopping)
            return (.written(try writer.write(plan, from: store), plan, leftOut: without.count), isComplete)
        }
    }
}

extension ExportPlan {
    /// In the order in which they are needed, each once.
    var pictures: [ExportPicture] {
        var known: Set<ExportPicture> = []
        var pictures: [ExportPicture] = []
        func add(_ picture: ExportPicture) { if known.insert(picture).inserted { pictures.append(picture) } }
        for file in files {
            switch file.contents {
            case .picture(let picture): add(picture)
            case .bytes: break
            case .zip(let entries), .tarGz(let entries):
                for case .picture(let picture) in entries.map(\.contents) { add(picture) }
            }
        }
        return pictures
    }
}
