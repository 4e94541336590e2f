import Foundation
import GRDB
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

/// Faults that are planted in the outbox, or in the Library behind its back.
extension CareTests {
    private func placeWithPalettes() async throws -> Workplace {
        try await filledPlace(#", "colors": {"export": ["css"]}"#)
    }

    private func change(_ place: Workplace, _ sql: String) throws {
        let database = try DatabaseQueue(path: place.folder[place.library].string)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    /// The differences that `verify` prints, relative to the outbox.
    private func found(_ place: Workplace) async throws -> Set<String> {
        let verify = try await place.command("verify", exits: 1)
        let lines = verify.printed.replacing(place.folder["outbox"].string + "/", with: "").split(separator: "\n")
        return Set(lines.map(String.init))
    }

    @Test("verify finds a file in the outbox that nothing in the Library plans")
    func unplannedFiles() async throws {
        let place = try await placeWithPalettes()
        for file in [
            "notes.txt", "thumbnails/Thumbs.db", "x-1a2b3c4d.png", "thumbnails/x.webp", "palettes/x.css", "pack/x.json",
            "pack/0099-1.json",
        ] {
            try place.folder.write([1], to: "outbox/\(file)")
        }
        #expect(
            try await found(place) == [
                "x-1a2b3c4d.png: is not a sticker in the Library",
                "thumbnails/x.webp: belongs to no sticker in the Library",
                "palettes/x.css: belongs to no sticker in the Library",
                "pack/x.json: belongs to no sticker in the Library",
                "pack/0099-1.json: belongs to no page",
            ])
    }

    @Test("verify finds a sticker that was never published and whose photo is gone, and --repair removes it")
    func neverPublished() async throws {
        let place = try await placeWithPalettes()
        try change(
            place,
            """
            INSERT INTO photo SELECT 'f00', format, width, height, bytes, firstSeen FROM photo LIMIT 1;
            INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256,
                confidence, added, published)
            SELECT pack, 'f00', 0, 0, recipe, 99, 'f00.png', 9, 9, 9, '', 0, added, 0 FROM sticker LIMIT 1;
            DELETE FROM touched
            """)
        #expect(try await found(place) == ["f00.png: the sticker is in the Library without a reason"])
        #expect(try await place.command("verify", "--repair").end() == 0)
    }

    @Test("verify finds a state that the rules do not give, and --repair decides again")
    func wrongState() async throws {
        let place = try await placeWithPalettes()
        try change(place, "UPDATE file SET state = 'done' WHERE path = 'copy.png'")
        #expect(try await found(place) == ["copy.png: is done in the Library, but should be duplicate"])
        #expect(try await place.command("verify", "--repair").end() == 0)
    }

    @Test("verify has nothing to say of a sticker that a rule keeps without its photo")
    func kept() async throws {
        let place = try await placeWithPalettes()
        try change(place, "DELETE FROM file WHERE path = 'b.png'; DELETE FROM touched")
        try place.folder.remove("inbox/b.png")
        #expect(try await place.isWhole())
    }

    @Test("verify finds palettes that are missing, or were never requested")
    func missingPalettes() async throws {
        let place = try await placeWithPalettes()
        let names = try #require(try place.index()).stickers.map { $0.file.dropLast(4) }
        try change(place, "DELETE FROM ledger WHERE file = 'palettes/\(names[0]).css'")
        try place.folder.remove("outbox/palettes/\(names[0]).css")
        #expect(try await found(place) == ["palettes/\(names[0]).css: is missing"])
        try change(place, "DELETE FROM palette WHERE stem = '\(names[0])'")
        #expect(try await found(place) == ["\(names[0]).png: has no palette"])
        #expect(try await place.command("verify", "--repair").end() == 0)
        #expect(try place.contents(of: "outbox/palettes").count == 2)
    }

    @Test("verify finds a thumbnail that is empty, and --repair makes it again")
    func damagedThumbnail() async throws {
        let place = try await filledPlace()
        let thumbnail = try #require(try place.index()?.stickers.first?.thumbnail)
        let bytes = place.folder.bytes(of: "outbox/\(thumbnail)")
        try place.folder.write([], to: "outbox/\(thumbnail)")
        #expect(try await found(place) == ["\(thumbnail): is damaged"])
        #expect(try await place.command("verify", "--repair").end() == 0)
        #expect(place.folder.bytes(of: "outbox/\(thumbnail)") == bytes)
    }

    @Test("verify finds a ZIP that is not the one that the pack should have")
    func staleZip() async throws {
        let place = try await placeWithPalettes()
        let daemon = try await place.startAndRead()
        #expect(try await eventually { try place.contents(of: "outbox").keys.contains("stickers.zip") })
        #expect(try await eventually { try await place.isWhole() })
        try change(place, "DELETE FROM ledger WHERE file = 'stickers.zip'")
        // The daemon may say a moment longer that it writes the ZIP.
        #expect(
            try await eventually {
                try await place.command("verify").printed.contains("stickers.zip: is out of date\n")
            })
        let lock = place.folder["state/library/library.lock"].string
        let status = try String(contentsOfFile: lock, encoding: .utf8)
        // The daemon holds this very file.
        try #"{"hasLateArchive":true,\#(status.dropFirst())"#.write(toFile: lock, atomically: false, encoding: .utf8)
        #expect(try await place.isWhole(), "the daemon says that it writes the ZIP later")
        try status.write(toFile: lock, atomically: false, encoding: .utf8)
        #expect(try await place.command("verify", "--repair").end() == 0)
        #expect(try await daemon.stop() == 0)
    }

    @Test(
        "verify --repair ends if work waits, and says what is not repaired and why, with the daemon running and without",
        arguments: [false, true])
    func repairWaits(isRunning: Bool) async throws {
        let place = try await filledPlace()
        let sticker = try #require(try place.index()).stickers[0].file
        try damageUnseen(place, sticker)
        // A daemon that found time for the ZIP waits for one condition less.
        try change(place, "DELETE FROM ledger WHERE file = 'stickers.zip'")
        let problem = "\(place.folder["outbox"])/\(sticker): differs from the sticker that stickerd wrote"
        try place.configure(Workplace.settings(#", "limits": {"minFreeBytes": 1000000000000000}"#))
        let daemon = isRunning ? try await place.startAndRead() : nil
        if isRunning { #expect(try await eventually { try await place.command("status").printed.contains("waiting") }) }
        let repair = try await place.command("verify", "--repair", exits: 1)
        let lines = repair.printed.split(separator: "\n").map(String.init)
        let reasons = lines.dropFirst()
        #expect(lines.first == problem && reasons.allSatisfy { $0.hasPrefix("not repaired yet: ") }, "\(lines)")
        let diskFull = "not repaired yet: The disk is nearly full; paused until there is room: "
        #expect(reasons.count { $0.hasPrefix(diskFull) } == 1, "\(lines)")
        if let daemon { #expect(try await daemon.stop() == 0) }
        try place.configure(Workplace.settings())
        let second = try await place.startAndRead()
        #expect(try await eventually { place.count(.pending) == 0 })
        #expect(try await eventually { try await place.isWhole() })
        #expect(try await second.stop() == 0)
    }

    @Test("A photo that waits for its rest holds up no repair", arguments: [false, true])
    func repairBesideIncomplete(isRunning: Bool) async throws {
        let place = try await filledPlace()
        try place.configure(Workplace.settings(watch: #", "incompleteSeconds": 1000"#))
        var daemon = try await place.startAndRead()
        try place.drop(Array(try Workplace.photo(red: 99).dropLast(100)), as: "cut.png")
        #expect(try await eventually { try await place.command("status").printed.contains("A photo is incomplete") })
        #expect(try await daemon.stop() == 0)
        let sticker = try #require(try place.index()).stickers[0].file
        try damageUnseen(place, sticker)
        if isRunning { daemon = try await place.startAndRead() }
        let repair = try await place.command("verify", "--repair", exits: 0)
        #expect(repair.printed.contains("repaired: \(place.folder["outbox"])/\(sticker)"))
        #expect(try place.index()?.stickers.contains { $0.file == sticker } == true)
        if isRunning { #expect(try await daemon.stop() == 0) }
    }

    /// Changes a byte of a sticker, but neither its size nor its time, so that only `verify` finds it.
    private func damageUnseen(_ place: Workplace, _ sticker: String) throws {
        var bytes = try #require(place.folder.bytes(of: "outbox/\(sticker)"))
        bytes[60] ^= 1
        try place.folder.rewrite(bytes, to: "outbox/\(sticker)")
    }
}
