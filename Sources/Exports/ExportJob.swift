import PackExports
import PackFacts

/// Plans one export of one pack, and makes the pictures that it needs.
struct ExportJob {
    /// What the export's folder should have.
    struct Outcome {
        /// Or why the export is withheld.
        let plan: Result<ExportPlan, ExportRefusal>
        /// The stickers that have no picture.
        let leftOut: LeftOutStickers
        /// Whether another try may add some of them.
        let isIncomplete: Bool
    }

    let export: any PackExport
    let pack: Pack
    let store: PictureStore

    private static let emptiness = ExportRefusal("The pack has no stickers; add photos.")

    /// - Parameter names: those of the plan are added.
    func run(_ names: inout NameBook) async throws(ExportTrouble) -> Outcome {
        var leftOut = LeftOutStickers()
        var isIncomplete = false
        guard !pack.stickers.isEmpty else {
            return Outcome(plan: .failure(Self.emptiness), leftOut: leftOut, isIncomplete: false)
        }
        // Each round leaves out at least one sticker more.
        while true {
            if store.isStopping() { throw .stopped }
            var book = names
            let plan: ExportPlan
            do throws(ExportRefusal) {
                plan = try export.plan(pack.without(leftOut.files), &book)
            } catch {
                return Outcome(plan: .failure(error), leftOut: leftOut, isIncomplete: isIncomplete)
            }
            let missing = try await store.make(plan.pictures)
            if missing.isTemporary { isIncomplete = true }
            leftOut.add(missing.refused)
            guard missing.refused.isEmpty else { continue }
            names = book
            return Outcome(plan: .success(plan), leftOut: leftOut, isIncomplete: isIncomplete)
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
