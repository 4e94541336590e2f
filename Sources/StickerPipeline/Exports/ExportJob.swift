import LinuxIO
import PackExports
import SystemPackage

/// Writes one export of one pack.
struct ExportJob {
    /// What the export's folder has now.
    enum Outcome {
        case written(ExportWriter.Summary, ExportPlan)
        case withheld(reason: String)
    }

    let export: any PackExport
    let pack: ExportPack
    let output: ExportFolder
    let store: PictureStore
    let isStopping: () -> Bool

    private static let emptiness = "The pack has no stickers; add photos."

    /// - Parameters:
    ///   - names: saved before files are written under its names.
    ///   - leftOut: gets the stickers that have no picture.
    /// - Returns: also whether stickers are missing that another try may add.
    func run(
        _ names: inout NameBookFile, _ leftOut: inout LeftOutStickers
    ) async throws(ExportTrouble) -> (outcome: Outcome, isComplete: Bool) {
        guard !pack.stickers.isEmpty else { return (.withheld(reason: Self.emptiness), true) }
        var isComplete = true
        // Each round leaves out at least one sticker more.
        while true {
            if isStopping() { throw .stopped }
            var book = names.book
            let plan: ExportPlan
            do throws(ExportRefusal) {
                plan = try export.plan(pack.without(leftOut.files), &book)
            } catch {
                return (.withheld(reason: error.reason), isComplete)
            }
            let missing = try await store.make(plan.pictures)
            if missing.isTemporary { isComplete = false }
            leftOut.add(missing.refused)
            guard missing.refused.isEmpty else { continue }
            try names.save(book)
            let writer = ExportWriter(folder: output, room: store.room, isStopping: isStopping)
            return (.written(try writer.write(plan, from: store), plan), isComplete)
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
