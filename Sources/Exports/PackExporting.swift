import LinuxIO
package import Logging
import OutboxLayout
package import PackExports
package import PackFacts
package import SystemPackage

/// Writes one export of one pack into a folder of the user's choice, once.
package struct PackExporting {
    /// What the folder has now.
    package struct Result: Sendable {
        /// How many files the export has.
        package let files: Int
        /// How many of them were written, and their bytes without those of hard links.
        package let written: Int
        package let bytes: Int
        /// How many pictures were made.
        package let pictures: Int
        /// How many stickers are left out because no picture of them can be made.
        package let leftOut: Int
        package let small: SmallStickers
        /// What the reader has to know, each a sentence.
        package let notes: [String]
    }

    /// Beside the files while they are written: hard links need the same file system.
    private static let store = ".stickerd-pictures"

    private let export: any PackExport
    private let maker: any PictureMaking
    private let places: Int
    private let logger: Logger

    /// - Parameters:
    ///   - export: what to write.
    ///   - maker: of its pictures.
    ///   - places: how many pictures are made at once.
    ///   - logger: for stickers that are left out.
    package init(_ export: any PackExport, maker: any PictureMaking, places: Int, logger: Logger) {
        self.export = export
        self.maker = maker
        self.places = places
        self.logger = logger
    }

    /// Names begin as in `names.json` of `output`, or else as in that of the pack's exports.
    ///
    /// - Parameters:
    ///   - pack: the pack's folder.
    ///   - output: an existing folder.
    ///   - changes: of the pack's description.
    ///   - isStopping: called before each file and picture.
    /// - Throws: `ExportRefusal` or `ExportTrouble`.
    package func run(
        _ pack: FilePath, into output: FilePath, changes: (Pack) -> Pack = { $0 },
        isStopping: @escaping () -> Bool = { Task.isCancelled }
    ) async throws -> Result {
        let original = try await Pack.read(in: pack)
        let stickers = try OpenFolder.opened(at: pack)
        let folder = try OpenFolder.opened(at: output)
        try folder.lock()
        let former = try stickers.folder(OutboxSubfolder.exports.rawValue).flatMap { try NameBookFile.read(in: $0) }
        var names = try NameBookFile(in: folder, orElse: former ?? NameBook())
        let owner = Array("\(export.name) \(original.identifier)\n".utf8)
        let isNew = try isUnclaimed(folder, by: owner)
        let hasNames = names.identity != nil
        let pictures = try folder.madeFolder(Self.store)
        defer { remove(pictures, in: folder) }
        let store = PictureStore(
            in: pictures, stickers: stickers, maker: maker, memory: PictureMemory(), places: places,
            room: ExportRoom(folder: output, minFreeBytes: 0), isStopping: isStopping)
        let job = ExportJob(export: export, pack: changes(original), store: store)
        var book = names.book
        var outcome = try await job.run(&book)
        for _ in 1..<PictureMemory.maxTries where outcome.isIncomplete {
            store.forgetFailures()
            book = names.book
            outcome = try await job.run(&book)
        }
        let leftOut = outcome.leftOut
        if outcome.isIncomplete, let first = leftOut.first {
            throw ExportTrouble(
                .notYet,
                """
                \(pack.appending(first.file)): \(first.reason), \(PictureMemory.maxTries) times; nothing was written. Run \
                the command again; if this stays, remake the sticker, or take its photo out of the inbox
                """)
        }
        for (file, reason) in leftOut.reasons.sorted(by: { $0.key < $1.key }) {
            logger.warning("Left a sticker out of the export", metadata: ["sticker": "\(file)", "reason": "\(reason)"])
        }
        let plan = try outcome.plan.get()
        names.book = book
        do {
            if isNew { try folder.write(owner, named: ExportFiles.owner) }
            try names.save()
            let writer = ExportWriter(folder: folder, rows: nil, room: store.room, isStopping: isStopping)
            let summary = try await writer.write(plan, from: store)
            return Result(
                files: plan.files.count, written: summary.written, bytes: summary.bytes, pictures: store.made,
                leftOut: leftOut.count, small: store.small, notes: plan.notes)
        } catch {
            if isNew { try? await release(folder, hasNames: hasNames) }
            throw error
        }
    }

    /// Returns whether a folder is to be marked as this export's: another's files in it would be removed.
    private func isUnclaimed(_ folder: OpenFolder, by owner: [UInt8]) throws(ExportTrouble) -> Bool {
        let known = try folder.contents(of: ExportFiles.owner, upTo: Self.maxOwnerBytes)
        if known == owner { return false }
        guard known == nil, try folder.status(of: ExportFiles.list) == nil,
            try folder.status(of: OutboxFile.index) == nil, try folder.status(of: ExportFiles.script) == nil
        else {
            throw ExportTrouble(.occupied, "\(folder.path): has another pack or export; choose another folder")
        }
        return true
    }

    /// Leaves nothing in a folder if none of the export's files was written.
    private func release(_ folder: OpenFolder, hasNames: Bool) async throws {
        let paths = try FileList(in: folder).paths
        guard !paths.contains(where: { (try? FileStatus(of: folder.path.appending($0.text))) != nil }) else { return }
        let writer = ExportWriter(
            folder: folder, rows: nil, room: ExportRoom(folder: folder.path, minFreeBytes: 0), isStopping: { false })
        try await writer.removeAll()
        try folder.remove(ExportFiles.owner)
        if !hasNames { try folder.remove(ExportFiles.names) }
    }

    /// A larger file is not stickerd's.
    private static let maxOwnerBytes = 4096

    /// The files that were made of the pictures stay: they have other names.
    private func remove(_ store: OpenFolder, in folder: OpenFolder) {
        // A run that was killed may have left some.
        _ = try? AtomicFile.removeLeftovers(in: store.descriptor)
        for (name, _) in (try? store.names()) ?? [] where PictureStore.isPicture(name) { _ = try? store.remove(name) }
        _ = try? folder.descriptor.removeEmptyFolder(Array(Self.store.utf8))
    }
}
