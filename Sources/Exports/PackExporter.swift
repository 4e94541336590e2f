import LinuxIO
import Logging
import OutboxLayout
import PackExports
import PackFacts
import PackLedger
import PhotoLibrary
import SystemPackage
import Systemd

/// Keeps all exports of one pack, in the folder `exports` of the pack's folder.
struct PackExporter {
    /// What one pass over a pack's exports left.
    struct Outcome {
        /// Why exports are not up to date.
        private(set) var troubles: [ExportTrouble] = []

        /// A full disk is one trouble, however many exports wait for it.
        mutating func add(_ trouble: ExportTrouble) {
            if trouble.kind != .refused(.noSpace) || troubles.allSatisfy({ $0.kind != trouble.kind }) {
                troubles.append(trouble)
            }
        }

        /// Whether stickers are missing that another pass may add.
        var isIncomplete = false
        /// Whether stickers are left out for a reason that may pass.
        var isProvisional = false
        /// How long the pass waited for workers.
        var waited = Duration.zero
        /// The exports that are not written, or without some stickers, and why.
        var withheld: [WithheldExport] = []
    }

    let exports: [any PackExport]
    /// Those whose folders are stickerd's, wanted or not.
    let known: [any PackExport]
    let maker: any PictureMaking
    let memory: PictureMemory
    /// The Library's ledger of the files of the pack of this name; nil for none.
    let ledger: (library: Library, pack: String)?
    /// How many pictures are made at once.
    let places: Int
    let room: ExportRoom
    let logger: Logger
    let isStopping: () -> Bool

    /// - Parameter isFirst: whether no other writer can be in the folder: what a crash left is removed.
    /// - Throws: what concerns all exports; with kind `.stopped` if it is to stop.
    func update(_ pack: Pack, in folder: OpenFolder, isFirst: Bool) async throws(ExportTrouble) -> Outcome {
        let base = try folder.madeFolder(OutboxSubfolder.exports.rawValue)
        if isFirst { try base.removeLeftovers(depth: ExportPath.maxNames + 1) }
        var names: NameBookFile
        do throws(ExportTrouble) {
            names = try NameBookFile(in: base)
        } catch {
            try await withdraw(pack, in: folder, because: error.description(below: folder.path))
            throw error
        }
        let store = PictureStore(
            in: try base.madeFolder(ExportFiles.pictures), stickers: folder, maker: maker, memory: memory,
            places: places, room: room, isStopping: isStopping)
        var outcome = Outcome()
        var leftOut = LeftOutStickers()
        var offers: [OrderedJSON] = []
        var troubled: [any PackExport] = []
        var results: [(job: ExportJob, outcome: Result<ExportJob.Outcome, ExportTrouble>)] = []
        for export in exports {
            let job = ExportJob(export: export, pack: pack, store: store)
            do throws(ExportTrouble) {
                results.append((job, .success(try await job.run(&names.book))))
            } catch {
                if error.kind == .stopped { throw error }
                results.append((job, .failure(error)))
            }
        }
        // Before anything is written under new names.
        do throws(ExportTrouble) {
            try names.save()
        } catch {
            try await withdraw(pack, in: folder, because: error.description(below: folder.path))
            throw error
        }
        for (job, result) in results {
            do throws(ExportTrouble) {
                let result = try result.get()
                leftOut.add(result.leftOut)
                if result.isIncomplete { outcome.isIncomplete = true }
                let (offer, withheld) = try await publish(result, job, in: base)
                outcome.withheld += [withheld].compactMap(\.self)
                offers.append(offer)
            } catch {
                if error.kind == .stopped { throw error }
                outcome.add(error)
                // A sticker that changes meanwhile is replaced at the next try.
                if error.kind != .changing { troubled.append(job.export) }
                offers.append(job.export.offer(withheld: Self.reason(error.description(below: folder.path))))
            }
        }
        outcome.waited = store.waited
        outcome.isProvisional = leftOut.count > 0
        // One that is to be tried again may have been removed since the pack was read.
        if !outcome.isIncomplete, memory.remember(leftOut, of: folder.path.string) { report(leftOut, pack) }
        try await removeUnwanted(in: base)
        if outcome.troubles.isEmpty { try store.removeUnused() }
        if !troubled.isEmpty { _ = try await withdraw(from: troubled, of: pack, in: folder, base) }
        try await write(offers, in: base, names)
        return outcome
    }

    private func write(
        _ offers: [OrderedJSON], in base: OpenFolder, _ names: NameBookFile
    ) async throws(ExportTrouble) {
        let bytes = PackDownloads.script(offers)
        try base.writeIfChanged(bytes, named: ExportFiles.script)
        guard let ledger else { return }
        let key = try base.naming(ExportFiles.script) { () throws(Errno) in try ContentDigest.sha256(of: bytes).hex }
        let script = try base.status(of: ExportFiles.script)?.identity
        try await ExportLedger.record(
            [(ExportFiles.namesPath, "", names.identity), (ExportFiles.scriptPath, key, script)], of: ledger.pack,
            in: ledger.library)
    }

    /// Removes everything that stickerd wrote, except the names.
    func removeAll(in folder: OpenFolder) async throws(ExportTrouble) {
        let base = try folder.folder(OutboxSubfolder.exports.rawValue)
        try await removeUnwanted(in: base)
        // Nothing asks for the names that stay.
        try await forget([.export("")])
        guard let base else { return }
        try base.removeLeftovers(depth: ExportPath.maxNames + 1)
        if let pictures = try base.folder(ExportFiles.pictures) {
            for (name, _) in try pictures.names() where PictureStore.isPicture(name) { try pictures.remove(name) }
            try base.removeEmptyFolder(ExportFiles.pictures)
        }
        let script = try? base.contents(of: ExportFiles.script, upTo: Self.maxScriptBytes)
        if script?.starts(with: PackDownloads.beginning) == true { try base.remove(ExportFiles.script) }
        try folder.removeEmptyFolder(OutboxSubfolder.exports.rawValue)
    }

    /// A larger script is not stickerd's.
    private static let maxScriptBytes = 8 << 20
    /// The longest reason that is compared.
    private static let maxReasonBytes = 4096

    /// For status and page.
    static func reason(_ text: String) -> String { PlainText.escaped(text, limit: maxReasonBytes) }

    private func removeUnwanted(in base: OpenFolder?) async throws(ExportTrouble) {
        let unwanted = known.filter { export in !exports.contains { $0.name == export.name } }
        if let base {
            for export in unwanted {
                // Nothing of ours is in what has replaced the folder.
                guard try base.status(of: export.name)?.kind == .folder, let folder = try base.folder(export.name)
                else { continue }
                try await writer(in: folder, export).removeAll()
                try base.removeEmptyFolder(export.name)
            }
        }
        // What is left of them was removed by others.
        try await forget(unwanted.map { .export($0.name) })
    }

    private func forget(_ parts: [LedgerPart]) async throws(ExportTrouble) {
        guard let ledger else { return }
        try await ExportLedger.asking { try await ledger.library.forget(parts, ofPack: ledger.pack) }
    }

    func writer(in folder: OpenFolder, _ export: any PackExport) -> ExportWriter {
        ExportWriter(
            folder: folder, rows: ledger.map { .init(library: $0.library, pack: $0.pack, export: export.name) },
            room: room, isStopping: isStopping)
    }

    /// Writes the files, or the reason why there are none. Returns what the page and the status say of it.
    private func publish(
        _ outcome: ExportJob.Outcome, _ job: ExportJob, in base: OpenFolder
    ) async throws(ExportTrouble) -> (offer: OrderedJSON, withheld: WithheldExport?) {
        let (export, pack) = (job.export, ledger?.pack ?? "")
        let writer = writer(in: try base.madeFolder(export.name), export)
        switch outcome.plan {
        case .success(let plan):
            let written = try await writer.write(plan, from: job.store)
            if written.isReleased { logger.info("An export is no longer withheld", metadata: metadata(job)) }
            if written.written + written.removed > 0 {
                var facts = metadata(job)
                facts["files"] = "\(written.written)"
                facts["bytes"] = "\(written.bytes)"
                logger.debug("Updated an export", metadata: facts)
            }
            let note = outcome.leftOut.note.map(Self.reason)
            let downloads = plan.files.filter(\.isDownload).map { (path: $0.path, bytes: written.sizes[$0.path] ?? 0) }
            return (
                export.offer(notes: plan.notes + [note].compactMap(\.self), downloads: downloads),
                note.map { WithheldExport(pack: pack, export: export.name, reason: $0, leftOut: outcome.leftOut.count) }
            )
        case .failure(let refusal):
            let reason = Self.reason([refusal.reason, outcome.leftOut.note].compactMap { $0 }.joined(separator: " "))
            let file = ExportFile(ExportPath.reason.text, .bytes(Array("\(reason)\n".utf8)))
            if try await writer.write(ExportPlan(files: [file]), from: job.store).written > 0 {
                var facts = metadata(job)
                facts["event"] = "\(JournalEvent.exportWithheld.rawValue)"
                facts["reason"] = "\(reason)"
                logger.warning("An export is withheld", metadata: facts)
            }
            return (export.offer(withheld: reason), WithheldExport(pack: pack, export: export.name, reason: reason))
        }
    }

    /// One line for all stickers: a failing disk may refuse many.
    private func report(_ leftOut: LeftOutStickers, _ pack: Pack) {
        guard let first = leftOut.first else {
            return logger.info("No sticker is left out of exports anymore", metadata: ["pack": "\(pack.name)"])
        }
        logger.warning(
            "Left stickers out of exports",
            metadata: [
                "pack": "\(pack.name)", "stickers": "\(leftOut.count)", "first": "\(first.file)",
                "reason": "\(first.reason)",
            ])
    }

    private func metadata(_ job: ExportJob) -> Logger.Metadata {
        ["pack": "\(job.pack.name)", "export": "\(job.export.name)"]
    }
}

extension OpenFolder {
    /// Returns whether it was written.
    @discardableResult
    func writeIfChanged(_ bytes: [UInt8], named name: String) throws(ExportTrouble) -> Bool {
        if let status = try status(of: name), status.kind == .regular, status.identity.size == bytes.count,
            try contents(of: name, upTo: bytes.count) == bytes
        {
            return false
        }
        try write(bytes, named: name)
        return true
    }

    func removeEmptyFolder(_ name: String) throws(ExportTrouble) {
        try naming(name) { () throws(Errno) in _ = try descriptor.removeEmptyFolder(Array(name.utf8)) }
    }

    /// Removes the drafts that a crash left here and in the folders below.
    fileprivate func removeLeftovers(depth: Int) throws(ExportTrouble) {
        _ = try naming { () throws(Errno) in try AtomicFile.removeLeftovers(in: descriptor) }
        guard depth > 1 else { return }
        for (name, kind) in try names() where kind == .folder {
            try? folder(name)?.removeLeftovers(depth: depth - 1)
        }
    }
}
