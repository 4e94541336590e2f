import Foundation
import LinuxIO
import Logging
import PackFacts
import StickerStudio
import Synchronization
import SystemPackage
import TestSupport

@testable import Exports
@testable import PackExports

/// A pack in a folder, and an export of it with a picture of each sticker, a list of them and a ZIP.
struct ExportFixture {
    let folder = TemporaryFolder()
    let maker = FakePictures()
    let memory = PictureMemory()

    static let form = PictureForm(width: 64, height: 64, format: .png, maxBytes: 1000)

    init(stickers: Int = 3) {
        do {
            try folder.makeFolder("out")
            try write((0..<stickers).map { "s\($0).png" })
        } catch {
            // A stored property of the suites: if this threw, each of them would need an initializer.
            fatalError("no pack: \(error)")
        }
    }

    /// Writes the pack's files and its index.
    func write(_ files: [String], publisher: String = "me", pending: [String] = []) throws {
        for file in files where !FileManager.default.fileExists(atPath: folder["pack/\(file)"].string) {
            try folder.write("contents of \(file)", to: "pack/\(file)")
        }
        let entries = files.map { file in
            """
            {"id": "sha256:\(String(repeating: "a", count: 64))", "file": "\(file)", "width": 1, "height": 1, \
            "bytes": 1, "addedAt": "2026-01-01T00:00:00Z", "confidence": 1, "name": "\(file)", "emoji": ["🐱"]}
            """
        }
        let waiting = pending.map { #"{"name": "\#($0)"}"# }.joined(separator: ",")
        let index = """
            {"schemaVersion": 2, "revision": 1, "updated": "2026-01-01T00:00:00Z",
             "pack": {"name": "Cats", "identifier": "cats", "publisher": "\(publisher)"},
             "stickers": [\(entries.joined(separator: ","))], "pending": [\(waiting)], "failed": []}
            """
        try folder.write(index, to: "pack/pack.json")
    }

    func exporting(_ export: any PackExport = FakeExport()) -> PackExporting {
        PackExporting(export, maker: maker, places: 2, logger: Logger(label: "test"))
    }

    @discardableResult
    func export(
        _ export: any PackExport = FakeExport(), isStopping: @escaping () -> Bool = { false }
    ) async throws -> PackExporting.Result {
        try await exporting(export).run(folder["pack"], into: folder["out"], isStopping: isStopping)
    }

    /// The files below a folder, by their paths relative to it.
    func files(in name: String = "out") throws -> [String: FileIdentity] {
        folder.files(below: name)
    }

    func contents(_ name: String) -> String? { folder.text(of: name) }

    /// One pass of the daemon over the exports of the pack.
    func update(
        _ exports: [any PackExport] = [FakeExport()], log: RecordedLog = RecordedLog(), minFreeBytes: Int = 0,
        isFirst: Bool = true
    ) async throws(ExportTrouble) -> PackExporter.Outcome {
        let exporter = PackExporter(
            exports: exports, known: exports, maker: maker, memory: memory, ledger: nil, places: 2,
            room: ExportRoom(folder: folder["pack"], minFreeBytes: minFreeBytes),
            logger: Logger(label: "test") { _ in log },
            isStopping: { false })
        let pack = try await Pack.read(in: folder["pack"])
        return try await exporter.update(pack, in: try OpenFolder.opened(at: folder["pack"]), isFirst: isFirst)
    }
}

/// Draws nothing: a picture is its form and its sticker's contents.
final class FakePictures: PictureMaking {
    private struct State {
        var made = 0
        var refused: Set<String> = []
        /// How many workers are still to be killed, by the stickers' contents.
        var killed: [String: Int] = [:]
        var isAway = false
        /// The bytes of pictures that are not reduced, by the stickers' contents.
        var sizes: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let requests = Mutex(0)

    /// How many pictures were asked for.
    var asked: Int { requests.withLock { $0 } }

    var made: Int { state.withLock(\.made) }
    /// The contents of stickers of which no picture can be made.
    func refuse(_ contents: String) { state.withLock { _ = $0.refused.insert(contents) } }
    /// Kills the worker at the next tries to draw stickers of these contents.
    func kill(_ contents: String, times: Int) { state.withLock { $0.killed[contents] = times } }
    func enlarge(_ contents: String, to bytes: Int) { state.withLock { $0.sizes[contents] = bytes } }
    func allowAll() { state.withLock { $0.refused = [] } }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    func picture(of sticker: Int32, _ form: PictureForm) async throws(PictureFailure) -> [UInt8] {
        requests.withLock { $0 += 1 }
        let file = OwnedDescriptor(owning: dup(sticker))
        guard let bytes = try? file.read(at: 0, upTo: 1000) else { throw .notYet("unreadable") }
        let text = String(decoding: bytes, as: UTF8.self)
        let answer: Result<[UInt8], PictureFailure> = state.withLock { state in
            if state.isAway { return .failure(.notYet("no worker")) }
            if state.refused.contains(text) { return .failure(.refused("it is empty")) }
            if let times = state.killed[text], times > 0 {
                state.killed[text] = times - 1
                return .failure(.died("its worker was killed"))
            }
            state.made += 1
            let bytes = Array("\(form.identifierOfAnySize): \(text)".utf8)
            let more = min(state.sizes[text] ?? 0, form.maxBytes) - bytes.count
            return .success(bytes + [UInt8](repeating: 0, count: max(0, more)))
        }
        return try answer.get()
    }
}

final class Gate: Sendable {
    private let state = Mutex((isClosed: true, isAwaited: false))

    var isAwaited: Bool { state.withLock(\.isAwaited) }
    var isClosed: Bool { state.withLock(\.isClosed) }
    func open() { state.withLock { $0.isClosed = false } }

    func pass() {
        state.withLock { $0.isAwaited = true }
        while state.withLock(\.isClosed) { usleep(1000) }
    }
}

struct FakeExport: PackExport {
    var name = "fake"
    var title: String { "Fake" }
    var purpose: String { "For tests." }
    var form = ExportFixture.form
    /// Refuses packs without a publisher.
    var needsPublisher = false
    /// Further files, by path.
    var more: [String: String] = [:]
    var hasTar = false
    /// Before the names in the .tar.gz.
    var folder = ""
    /// Blocks the thread that plans while it is closed.
    var gate: Gate?

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        gate?.pass()
        if pack.stickers.isEmpty { throw ExportRefusal("There is no sticker.") }
        if needsPublisher, pack.publisher.isEmpty { throw ExportRefusal("Set pack.publisher.") }
        for sticker in pack.stickers where book.stickers[sticker.file] == nil {
            book.stickers[sticker.file] = .init(shortcode: "c\(book.stickers.count)", sets: nil)
        }
        let pictures = pack.stickers.map { sticker in
            ("\(book.stickers[sticker.file]?.shortcode ?? "").png", ExportPicture(of: sticker, form))
        }
        let list = pictures.map { "\($0.0) \($0.1.sticker.name)\n" }.joined()
        return ExportPlan(
            files: pictures.map { ExportFile("pictures/\($0.0)", .picture($0.1)) }
                + more.sorted { $0.key < $1.key }.map { ExportFile($0.key, .bytes(Array($0.value.utf8))) }
                + (hasTar
                    ? [
                        ExportFile("all.tar.gz", .tarGz(pictures.map { ExportEntry(folder + $0.0, .picture($0.1)) }))
                    ] : [])
                + [
                    ExportFile("list.txt", .bytes(Array(list.utf8))),
                    ExportFile(
                        "all.zip",
                        .zip(
                            pictures.map { ExportEntry($0.0, .picture($0.1)) } + [
                                ExportEntry("list.txt", .bytes(Array(list.utf8)))
                            ]), isDownload: true),
                ], notes: ["A note."])
    }
}
