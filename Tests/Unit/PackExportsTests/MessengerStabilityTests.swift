import PackFacts
import TestSupport
import Testing

@testable import PackExports

@Suite struct MessengerStabilityTests {
    /// What names a sticker in an export: the paths of its pictures.
    private func names(_ plan: ExportPlan) -> [String: Set<String>] {
        plan.files.reduce(into: [:]) { names, file in
            guard case .picture(let picture) = file.contents else { return }
            names[picture.sticker.file, default: []].insert(file.path)
        }
    }

    @Test(
        "A new sticker at the end and a removed one in the middle change no other name",
        arguments: Exports.all.map(\.name))
    func stable(name: String) throws {
        let export = try #require(Exports.named(name))
        var book = NameBook()
        let pack = Pack.sample(20)
        let first = names(try export.plan(pack, &book))
        for stickers in [
            Pack.sample(21).stickers, pack.stickers.filter { $0 != .sample(10) },
            Pack.sample(21).stickers.filter { $0 != .sample(10) },
        ] {
            let changed = Pack(
                name: pack.name, identifier: pack.identifier, publisher: pack.publisher, emoji: [], stickers: stickers)
            let now = names(try export.plan(changed, &book))
            for (file, paths) in now { #expect(first[file, default: paths] == paths, "\(file)") }
        }
    }

    @Test("LINE gives the number of a removed sticker to one that was left out")
    func line() throws {
        var book = NameBook()
        let pack = Pack.sample(9)
        _ = try LINEExport().plan(pack, &book)
        let fewer = Pack(
            name: "Cats", identifier: "cats", publisher: "Ada", emoji: [],
            stickers: pack.stickers.filter { $0 != .sample(3) })
        let plan = try LINEExport().plan(fewer, &book)
        #expect(plan.picture("cats/03.png")?.sticker == .sample(2))
        #expect(plan.picture("cats/04.png")?.sticker == .sample(8))
        #expect(plan.picture("cats/05.png")?.sticker == .sample(4))
        #expect(plan.notes.isEmpty)
        let returned = try LINEExport().plan(pack, &book)
        #expect(returned.picture("cats/04.png")?.sticker == .sample(8))
    }

    @Test("LINE joins sets if all became too small")
    func joined() throws {
        var book = NameBook()
        _ = try LINEExport().plan(.sample(80), &book)
        let pack = Pack(
            name: "Cats", identifier: "cats", publisher: "Ada", emoji: [],
            stickers: (0..<5).map { .sample($0) } + (40..<45).map { .sample($0) })
        let plan = try LINEExport().plan(pack, &book)
        #expect(plan.files.filter(\.isDownload).map(\.path) == ["cats.zip"])
        #expect(plan.notes == ["2 stickers are left out, because LINE takes sets of 8, 16, 24, 32 or 40 stickers."])
    }

    @Test("LINE's sets are always whole, and stickers keep their numbers while sets keep their size", arguments: 1...10)
    func lineNumbers(seed: UInt64) throws {
        var random = TestRandom(state: seed)
        var book = NameBook()
        var present = Array(0..<12)
        var known: [String: Set<String>] = [:]
        for _ in 0..<100 {
            let number = Int.random(in: 0..<100, using: &random)
            if let position = present.firstIndex(of: number), present.count > 8 {
                present.remove(at: position)
            } else if !present.contains(number) {
                present.append(number)
            }
            let pack = Pack(
                name: "Cats", identifier: "cats", publisher: "", emoji: [], stickers: present.map { .sample($0) })
            let plan = try LINEExport().plan(pack, &book)
            for archive in plan.files where archive.isDownload {
                let count = try plan.entries(archive.path).count - 2
                #expect([8, 16, 24, 32, 40].contains(count))
            }
            let now = names(plan).mapValues { $0.filter { !$0.contains("main") && !$0.contains("tab") } }
            let changed = now.filter { known[$0.key] != nil && known[$0.key] != $0.value }
            // A set that shrinks by 8 gives at most one of its other stickers the number of the removed one.
            #expect(changed.count <= 1)
            known = now
        }
    }

    @Test("The same input gives the same bytes", arguments: Exports.all.map(\.name))
    func deterministic(name: String) throws {
        let export = try #require(Exports.named(name))
        var book = NameBook()
        let first = try export.plan(.sample(100, emoji: ["🐱", "🐈"]), &book)
        let again = book
        #expect(try export.plan(.sample(100, emoji: ["🐱", "🐈"])) == first)
        #expect(try export.plan(.sample(100, emoji: ["🐱", "🐈"]), &book) == first)
        #expect(book == again)
    }
}
