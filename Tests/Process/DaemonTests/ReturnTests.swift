import PackFacts
import PhotoRule
import Testing
import TestSupport

/// No sticker can be made again, because its photo is deleted.
@Suite("Stickers that were away from the outbox", .timeLimit(.minutes(1)))
struct ReturnTests {
    private let place = Workplace()

    private func listed(_ pack: String) throws -> [String] { try place.index(pack)?.stickers.map(\.file) ?? [] }

    /// Fills two packs, the first of which has the higher index, and ends the daemon.
    ///
    /// - Parameter mode: what becomes of photos; in the mode `keep`, the user deletes them.
    private func fill(_ mode: String = "delete") async throws -> (first: [String], second: [String]) {
        try place.configure(
            Workplace.settings(#", "colors": {"export": ["css"]}, "originals": {"mode": "\#(mode)"}"#))
        let daemon = try await place.startAndRead()
        for (pack, name, red) in [("One", "a.png", 100), ("Two", "b.png", 150), ("One", "c.png", 200)] {
            let (count, photo) = (try listed(pack).count, "inbox/\(pack)/\(name)")
            try place.folder.makeFolder("inbox/\(pack)")
            try place.drop(try Workplace.photo(red: UInt8(red)), as: "\(pack)/\(name)")
            #expect(try await eventually { try listed(pack).count == count + 1 })
            if mode == "keep" { try place.folder.remove(photo) }
            #expect(try await eventually { !place.folder.exists(photo) })
        }
        #expect(try await eventually { place.count(.pending) + place.count(.processing) == 0 })
        #expect(try await daemon.stop() == 0)
        return (try listed("One"), try listed("Two"))
    }

    private func restart(until isReady: () throws -> Bool) async throws {
        let daemon = try await place.startAndRead()
        #expect(try await eventually { try isReady() }, "\(daemon.errors)")
        #expect(try await daemon.stop() == 0)
    }

    @Test("A pack's folder that is back is listed again by the next start", arguments: ["delete", "keep"])
    func away(mode: String) async throws {
        let (first, _) = try await fill(mode)
        try place.folder.rename("outbox/One", to: "away")
        try await restart { try place.folder.exists("outbox/One/pack.json") && listed("One").isEmpty }
        try place.folder.remove("outbox/One")
        try place.folder.rename("away", to: "outbox/One")
        try await restart { try listed("One") == first }
        try await place.command("verify", exits: 0)
    }

    @Test("Thumbnails that are back belong to their stickers again")
    func thumbnails() async throws {
        _ = try await fill()
        let thumbnails = try place.index("One")?.stickers.map(\.thumbnail)
        try place.folder.rename("outbox/One/thumbnails", to: "away")
        try await restart { try place.index("One")?.stickers.allSatisfy { $0.thumbnail == nil } == true }
        if place.folder.exists("outbox/One/thumbnails") { try place.folder.remove("outbox/One/thumbnails") }
        try place.folder.rename("away", to: "outbox/One/thumbnails")
        try await restart { try place.index("One")?.stickers.map(\.thumbnail) == thumbnails }
        try await place.command("verify", exits: 0)
    }

    @Test("Folders of packs that were exchanged take nothing from each other, and are right again when they are back")
    func exchanged() async throws {
        let (first, second) = try await fill()
        func exchange() throws {
            try place.folder.rename("outbox/One", to: "away")
            try place.folder.rename("outbox/Two", to: "outbox/One")
            try place.folder.rename("away", to: "outbox/Two")
        }
        try exchange()
        try await restart { try listed("One").isEmpty && listed("Two").isEmpty }
        #expect(try first.allSatisfy { try place.folder.names(in: "outbox/Two").contains($0) })
        #expect(try second.allSatisfy { try place.folder.names(in: "outbox/One").contains($0) })
        try exchange()
        try await restart { try listed("One") == first && listed("Two") == second }
        try await place.command("verify", exits: 0)
    }
}
