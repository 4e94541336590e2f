import Foundation
import Glibc
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("A state folder from a backup, and an outbox at another path", .timeLimit(.minutes(2)))
struct BackupTests {
    private static let modes = ["keep", "archive", "delete"]

    private func place(_ mode: String) throws -> Workplace {
        let colors = #""colors": {"export": ["css", "json"]}"#
        return Workplace(settings: Workplace.settings(#", \#(colors), "originals": {"mode": "\#(mode)"}"#))
    }

    private func listed(_ place: Workplace) throws -> [String]? { try place.index()?.stickers.map(\.file) }

    private func drop(_ letters: String, _ place: Workplace) async throws {
        for letter in letters {
            let count = try listed(place)?.count ?? 0
            try place.drop(try Workplace.photo(red: letter.asciiValue ?? 0), as: "\(letter).png")
            #expect(try await eventually { try listed(place)?.count == count + 1 })
        }
    }

    @Test(
        "One that is removed or replaced while the daemon runs ends it, and the next start takes over",
        arguments: [true, false])
    func replaced(isGone: Bool) async throws {
        let place = Workplace()
        let first = try await place.start()
        if !isGone { try await place.backUp(first) }
        try await drop("a", place)
        try place.folder.rename("state", to: "former")
        if !isGone { try place.folder.rename("backup", to: "state") }
        try place.drop(try Workplace.photo(red: 98), as: "b.png")
        #expect(try await first.end() == 1)
        #expect(
            first.errors.contains("\(place.folder["state"]): the Library was removed or replaced"), "\(first.errors)")
        let second = try await place.startAndRead()
        #expect(try await eventually { try listed(place)?.count == 2 })
        #expect(try await second.stop() == 0)
    }

    enum Loss: CaseIterable { case older, missing, empty, damaged }

    @Test(
        "A Library that was lost, or copied while the daemon ran, takes the outbox over", arguments: modes,
        Loss.allCases)
    func lost(mode: String, loss: Loss) async throws {
        let place = try place(mode)
        let first = try await place.start()
        try await drop("ab", place)
        if loss == .older { try await place.backUp(first) }
        let gone = try #require(try listed(place)?.first)
        #expect(try await place.command("remove", gone).end() == 0)
        #expect(try await eventually { try listed(place)?.count == 1 })
        try await drop("cd", place)
        #expect(try await first.stop() == 0)
        let before = try #require(try listed(place))
        let files = try place.stickers()

        try place.folder.remove("state")
        switch loss {
        case .older: try place.folder.rename("backup", to: "state")
        case .missing: break
        case .empty: try place.folder.write([], to: place.library)
        case .damaged: try place.folder.write([UInt8](repeating: 0x78, count: 5000), to: place.library)
        }
        let second = try await place.startAndRead()
        try await second.said(
            (loss == .older
                ? "The Library was older than the outbox; it has taken over the outbox's stickers"
                : "Rebuilt the Library")
                + " stickers=3")
        #expect(try await eventually { place.count(.pending) + place.count(.processing) == 0 })
        try await drop("e", place)
        #expect(try #require(try listed(place)).dropLast() == before[...])
        #expect(try place.index()?.removed.map(\.file) == [gone])
        #expect(try place.stickers().filter { files.keys.contains($0.key) } == files)
        #expect(!second.errors.contains("Made a sticker photo=c.png"))
        #expect(try await eventually { try await place.isWhole() })
        #expect(try await second.stop() == 0)
    }

    @Test(
        "Stickers that an older outbox lacks are remade, and those without a photo are said to be lost",
        arguments: modes)
    func lacking(mode: String) async throws {
        let place = try place(mode)
        let first = try await place.start()
        try await drop("a", place)
        // Else a temporary file of the ZIP may go while it is copied.
        #expect(try await eventually { try await place.isWhole() })
        try FileManager.default.copyItem(atPath: place.folder["outbox"].string, toPath: place.folder["older"].string)
        try await drop("bc", place)
        #expect(try await first.stop() == 0)
        let before = try #require(try listed(place))

        try place.folder.remove("outbox")
        try place.folder.rename("older", to: "outbox")
        let second = try await place.startAndRead()
        try await second.said(
            mode == "delete"
                ? "Stickers are missing from the outbox, and their photos have left; they are remade if the photos return"
                    + " stickers=2"
                : "Stickers are missing from the outbox, or were changed there, and will be remade stickers=2")
        #expect(try await eventually { try await place.isWhole() })
        #expect(try listed(place) == (mode == "delete" ? before.dropLast(2) : before))
        #expect(try await second.stop() == 0)
    }

    @Test("An older outbox loses the stickers that were withdrawn, or moved to another pack, since")
    func olderOutbox() async throws {
        let place = Workplace(
            settings: Workplace.settings(#", "whenPhotoRemoved": "withdraw", "colors": {"export": ["css"]}"#))
        let first = try await place.start()
        try await drop("abc", place)
        let before = try #require(try listed(place))
        // Else a temporary file of the ZIP may go while it is copied.
        #expect(try await eventually { try await place.isWhole() })
        try FileManager.default.copyItem(atPath: place.folder["outbox"].string, toPath: place.folder["older"].string)
        try place.folder.remove("inbox/a.png")
        try place.folder.makeFolder("inbox/Trip")
        try place.folder.rename("inbox/b.png", to: "inbox/Trip/b.png")
        #expect(try await eventually { try listed(place)?.count == 1 && place.index("Trip")?.stickers.count == 1 })
        #expect(try await first.stop() == 0)

        try place.folder.remove("outbox")
        try place.folder.rename("older", to: "outbox")
        let second = try await place.startAndRead()
        #expect(try await eventually { try await place.isWhole() })
        #expect(try listed(place) == before.suffix(1))
        #expect(try await second.stop() == 0)
    }

    private func start(_ outbox: String, _ place: Workplace) throws -> StickerdProcess {
        let folders = [
            "--inbox", place.folder["inbox"].string, "--outbox", place.folder[outbox].string,
            "--state", place.folder["state"].string,
        ]
        return try StickerdProcess(["run"] + folders + place.config, in: place.folder)
    }

    @Test(
        "An outbox that was moved with its files is the same outbox, also through a link at its old path; another is not"
    )
    func moved() async throws {
        let place = try place("archive")
        let first = try await place.start()
        try await drop("ab", place)
        #expect(try await first.stop() == 0)
        let before = try #require(try listed(place))

        try place.folder.makeFolder("empty")
        let refused = try start("empty", place)
        #expect(try await refused.end() == 78)
        let (old, new) = (place.folder["outbox"], place.folder["empty"])
        #expect(
            refused.errors.contains("this Library belongs to the outbox \(old), and \(new) does not have its stickers"))

        try place.folder.rename("outbox", to: "larger")
        let second = try start("larger", place)
        try await second.said("Watching for photos")
        #expect(try await second.stop() == 0)
        try place.folder.link("outbox", to: place.folder["larger"])
        let third = try await place.start()
        try await drop("c", place)
        #expect(try #require(try listed(place)).dropLast() == before[...])
        #expect(try await third.stop() == 0)
        // Back at its old path.
        try place.folder.remove("outbox")
        try place.folder.rename("larger", to: "outbox")
        let fourth = try await place.startAndRead()
        #expect(try listed(place)?.count == 3)
        #expect(try await fourth.stop() == 0)
    }
}
