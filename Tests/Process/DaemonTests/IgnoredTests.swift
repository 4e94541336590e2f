import Foundation
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Files in the inbox that are not its user's photos", .timeLimit(.minutes(2)))
struct IgnoredTests {
    /// Thumbnails, snapshots, recycle bins, backups and conflicts beside one photo; each has other contents.
    private func fill(_ place: Workplace) throws -> [String] {
        let foreign = [
            "Trip/@eaDir/a.png/SYNOPHOTO_THUMB_XL.png", "#snapshot/2025/Trip/deleted.png", "$Recycle.Bin/gone.png",
            "Trip/MVI_0001.THM", "Trip/a.png_original", "Trip/a.sync-conflict-20250101-120000-ABCDEFG.png",
        ]
        try place.folder.makeFolder("inbox/Trip")
        for (number, name) in foreign.enumerated() {
            let folder = FilePath("inbox/\(name)").removingLastComponent().string
            try place.folder.makeFolder(folder)
            try place.drop(try Workplace.photo(red: UInt8(100 + number * 10)), as: name)
        }
        try place.drop(try Workplace.photo(), as: "Trip/a.png")
        return foreign
    }

    @Test(
        "They are neither processed nor moved, whatever happens to photos, and explain says why",
        arguments: ["keep", "archive", "delete"])
    func ignored(mode: String) async throws {
        let place = Workplace(settings: Workplace.settings(#", "originals": {"mode": "\#(mode)"}"#))
        let foreign = try fill(place)
        let daemon = try await place.startAndRead()
        #expect(try await eventually { try place.index("Trip")?.stickers.count == 1 })
        #expect(try await eventually { place.folder.exists("inbox/Trip/a.png") == (mode == "keep") })
        // Events, not only the first reading.
        try place.folder.makeFolder("inbox/@Recycle")
        try place.drop(try Workplace.photo(red: 40), as: "@Recycle/late.png")
        try place.drop(try Workplace.photo(red: 30), as: "late.png.bak")
        #expect(try await eventually { place.count(.ignored) == 4 })
        #expect(try await eventually { try await place.isWhole() })
        #expect(place.count(.done) == 1 && place.count(.pending) == 0)
        for name in foreign + ["@Recycle/late.png", "late.png.bak"] {
            #expect(place.folder.exists("inbox/\(name)"), "\(name)")
            let story = try await place.command("explain", name)
            #expect(story.printed.contains("  state       ignored: the "), "\(name): \(story.printed)\(story.errors)")
            #expect(story.printed.contains(" of watch.ignore\n"))
        }
        #expect(try await place.command("explain", "Trip/@eaDir/nothing.png").end() == 1)
        let packs = try FileManager.default.contentsOfDirectory(atPath: place.folder["outbox"].string)
        #expect(
            Set(packs).isDisjoint(with: ["eaDir", "@eaDir", "#snapshot", "snapshot", "$Recycle.Bin", "Recycle.Bin"]))
        #expect(try await daemon.stop() == 0)
    }

    @Test("Commands skip them in folders, but not if they are given")
    func commands() async throws {
        let place = Workplace()
        _ = try fill(place)
        let output = place.folder["made"].string
        let make = try await place.run("make", place.folder["inbox"].string, "--output", output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).count == 1, "\(make.printed)")
        let thumbnail = place.folder["inbox/Trip/MVI_0001.THM"].string
        try await place.run("make", thumbnail, "--output", output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).count == 2)
        let none = try await place.run(
            "make", place.folder["inbox/#snapshot"].string, "--set", "watch.ignore=2025", "--output", output, exits: 0)
        #expect(none.errors == "no photos: the folders are empty, or watch.ignore excludes their files\n")
    }

    @Test(
        "Photos that the settings ignore later count as removed, and are not archived", arguments: ["keep", "withdraw"])
    func later(rule: String) async throws {
        func settings(_ patterns: String, _ more: String = "") -> String {
            Workplace.settings(#", "whenPhotoRemoved": "\#(rule)"\#(more)"#, watch: #", "ignore": [\#(patterns)]"#)
        }
        let place = Workplace(settings: settings(""))
        try place.folder.makeFolder("inbox/@eaDir")
        try place.drop(try Workplace.photo(), as: "@eaDir/a.png")
        try place.drop(try Workplace.photo(red: 100), as: "b.THM")
        try place.drop(try Workplace.photo(red: 150), as: "c.png")
        let first = try await place.start()
        #expect(try await eventually { place.count(.done) == 3 })
        #expect(try await first.stop() == 0)
        // As an update does that brings the default list.
        try place.configure(settings(#""default""#))
        let second = try await place.startAndRead()
        let end = rule == "keep" ? "stays" : "is withdrawn"
        for name in ["@eaDir/a.png", "b.THM"] {
            try await second.said("Ignored by watch.ignore from now on; its sticker \(end) photo=\(name)\n")
        }
        #expect(try await eventually { place.count(.ignored) == 1 })
        #expect(try await eventually { try place.index()?.stickers.count == (rule == "keep" ? 2 : 1) })
        #expect(try await eventually { try await place.isWhole() })
        let story = try await place.command("explain", "@eaDir/a.png")
        #expect(
            story.printed.contains(#"ignored: the folder "@eaDir" matches the ignore pattern "@eaDir" of watch.ignore"#)
        )
        if rule == "keep" { try await keepsSticker(of: "b", place) }
        // Back again, by a reload.
        try place.configure(settings(#""default", "!@eaDir", "!*.thm""#))
        second.signal(SIGHUP)
        #expect(try await eventually { place.count(.done) == 3 && place.count(.ignored) == 0 })
        #expect(try await eventually { try await place.isWhole() })
        #expect(try await second.stop() == 0)
    }

    /// `explain` and `restore` know the sticker of a photo that is ignored now.
    private func keepsSticker(of photo: String, _ place: Workplace) async throws {
        let sticker = try #require(try place.index()?.stickers.first { $0.file.hasPrefix(photo) }).file
        let story = try await place.command("explain", sticker)
        #expect(story.printed.contains("  state       ignored: the "), "\(story.printed)\(story.errors)")
        #expect(story.printed.contains("  sticker     \(sticker), "))
        #expect(try await place.command("remove", sticker).end() == 0)
        let back = try await place.command("restore", sticker, exits: 0)
        #expect(
            back.printed
                == "\(sticker): its photo is gone or ignored; the sticker will be made when the photo is back\n")
    }

    @Test("A failed photo is not moved back to where it would be ignored")
    func retried() async throws {
        let archive = #", "originals": {"mode": "archive"}"#
        let place = Workplace(settings: Workplace.settings(archive, watch: #", "ignore": []"#))
        try place.folder.makeFolder("inbox/@eaDir")
        try place.drop(Workplace.noPhoto, as: "@eaDir/a.gif")
        let daemon = try await place.startAndRead()
        #expect(try await eventually { place.count(.failed) == 1 && !place.folder.exists("inbox/@eaDir/a.gif") })
        #expect(try await daemon.stop() == 0)
        try place.configure(Workplace.settings(archive))
        let retry = try await place.command("retry", "--failed", exits: 1)
        #expect(
            retry.errors.contains(
                #"@eaDir/a.gif: is not moved back to where it would be ignored: the folder "@eaDir" matches"#))
        #expect(place.folder.exists("failed/@eaDir/a.gif"), "\(retry.errors)")
    }
}
