import Foundation
import Glibc
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Commands for a Library's maintenance", .timeLimit(.minutes(2)))
struct CareTests {
    /// Two finished photos, a copy and a file that is not a photo; the daemon has exited.
    func filledPlace(_ more: String = "") async throws -> Workplace {
        let place = Workplace(settings: Workplace.settings(more))
        let photo = try Workplace.photo()
        try await place.fill([
            ("a.png", photo), ("copy.png", photo), ("b.png", try Workplace.photo(red: 150)),
            ("text.jpg", Workplace.noPhoto),
        ])
        #expect(place.count(.done) == 2 && place.count(.duplicate) == 1 && place.count(.failed) == 1)
        return place
    }

    @Test("retry retries failed photos, with the daemon running and without")
    func retry() async throws {
        let place = Workplace(settings: Workplace.settings(#", "limits": {"maxFileBytes": 100}"#))
        try await place.fill([("a.png", try Workplace.photo()), ("b.png", try Workplace.photo(red: 150))])
        #expect(place.count(.failed) == 2)
        try place.configure(Workplace.settings())
        let offline = try await place.command("retry", place.folder["inbox/a.png"].string, exits: 0)
        #expect(offline.printed == "1 photo will be retried at the next start\n")
        let second = try await place.start()
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(place.count(.failed) == 1)

        let online = try await place.command("retry", "--failed")
        #expect(online.printed == "1 photo will be retried\n")
        #expect(try await eventually { place.count(.done) == 2 })
        let useless = try await place.command("retry", "a.png", "nothing.png", exits: 1)
        #expect(useless.errors.contains("a.png: its state is done"))
        #expect(useless.errors.contains("nothing.png: unknown photo; give its path, or its path in the inbox"))
        #expect(try await place.command("retry").end() == 64)
        #expect(try await second.stop() == 0)
    }

    @Test("A photo whose name is taken in the inbox stays with the failed ones, and its name is printed escaped")
    func retryTaken() async throws {
        let tight = #", "originals": {"mode": "delete"}, "limits": {"maxFileBytes": 100}"#
        let place = Workplace(settings: Workplace.settings(tight))
        let daemon = try await place.start()
        let name = "a\u{1b}]0;x\u{7}.png"
        try place.drop(try Workplace.photo(), as: name)
        #expect(try await eventually { (try? place.contents(of: "failed").count) == 2 })
        #expect(try await daemon.stop() == 0)
        try place.drop(try Workplace.photo(red: 150), as: name)
        let retry = try await place.command("retry", "--failed", exits: 1)
        #expect(retry.errors.contains("File exists; another file has its name in the inbox; rename that one"))
        #expect(!retry.errors.contains("\u{1b}") && !retry.errors.contains("\u{7}"))
    }

    @Test("Failed photos that shared a name are retried together")
    func retryShared() async throws {
        let tight = #", "originals": {"mode": "delete"}, "limits": {"maxFileBytes": 100}"#
        let place = Workplace(settings: Workplace.settings(tight))
        let daemon = try await place.start()
        for (red, files) in [(150, 2), (180, 4)] as [(UInt8, Int)] {
            try place.drop(try Workplace.photo(red: red), as: "a.png")
            #expect(try await eventually { (try? place.contents(of: "failed").count) == files })
        }
        #expect(try await daemon.stop() == 0)
        try place.configure(Workplace.settings())
        let retry = try await place.command("retry", "--failed", exits: 0)
        #expect(retry.printed == "2 photos will be retried at the next start\n")
        let second = try await place.start()
        #expect(try await eventually { place.count(.done) == 2 && place.count(.failed) == 0 })
        #expect(try await second.stop() == 0)
    }

    @Test("verify reports a missing photo whose sticker should have been withdrawn, and no new hard link")
    func verifyRemoved() async throws {
        let place = try await filledPlace(#", "whenPhotoRemoved": "withdraw""#)
        let photo = place.folder["inbox/a.png"].string
        try FileManager.default.linkItem(atPath: photo, toPath: place.folder["copy.png"].string)
        try await place.command("verify", exits: 0)
        try place.folder.remove("inbox/a.png")
        let verify = try await place.command("verify", exits: 1)
        #expect(verify.printed == "a.png: is done in the Library but no longer in the inbox\n")
    }

    @Test("verify does not miss photos in subfolders that the settings leave out since")
    func verifyNotRecursive() async throws {
        let more = #", "whenPhotoRemoved": "withdraw""#
        let place = Workplace(settings: Workplace.settings(more))
        try place.folder.makeFolder("inbox/Trip")
        try await place.fill([("Trip/a.png", try Workplace.photo()), ("Trip/b.jpg", Workplace.noPhoto)])
        try place.configure(Workplace.settings(more, watch: #", "recursive": false"#))
        try await place.command("verify", exits: 0)
    }

    @Test("verify reports an unreadable subfolder and continues")
    func verifyUnreadable() async throws {
        let place = Workplace(settings: Workplace.settings(#", "whenPhotoRemoved": "withdraw""#))
        try place.folder.makeFolder("inbox/closed")
        try await place.fill([("closed/a.png", try Workplace.photo())])
        try place.folder.setMode(0, of: "inbox/closed")
        try place.drop(try Workplace.photo(red: 99), as: "new.png")
        let verify = try await place.command("verify", mayReadAll: false, exits: 1)
        #expect(
            Set(verify.printed.split(separator: "\n").map(String.init)) == [
                "closed: cannot be read: Permission denied", "new.png: is not in the Library yet",
            ])
    }

    @Test("verify reports an unavailable inbox and checks the rest")
    func verifyInboxAway() async throws {
        let place = try await filledPlace()
        try place.folder.rename("inbox", to: "disk")
        let sticker = try #require(try place.index()).stickers[0].file
        try FileManager.default.removeItem(atPath: place.folder["outbox"].appending(sticker).string)
        let verify = try await place.command("verify", exits: 1)
        let lines = verify.printed.split(separator: "\n")
        #expect(lines.contains("\(place.folder["inbox"]): the inbox cannot be read: No such file or directory"))
        #expect(lines.contains { $0.contains(sticker) })
        #expect(!verify.printed.contains("no longer in the inbox"))
    }

    /// Removes one sticker and another's thumbnail, changes that other sticker, and damages the index and the page.
    /// Returns the original stickers.
    private func damage(_ place: Workplace) throws -> [String: Data] {
        let outbox = try finished(place)
        let names = try #require(try place.index()).stickers.map(\.file)
        try FileManager.default.removeItem(atPath: place.folder["outbox"].appending(names[0]).string)
        var bytes = [UInt8](try #require(outbox[names[1]]))
        bytes[60] ^= 1
        try place.folder.write(bytes, to: "outbox/\(names[1])")
        let index = try #require(try place.contents(of: "outbox")["pack.json"])
        let changed = String(decoding: index, as: UTF8.self).replacing("\"\(names[1])\"", with: "\"other.png\"")
        try place.folder.write(changed, to: "outbox/pack.json")
        try place.folder.write([1], to: "outbox/index.html")
        try FileManager.default.removeItem(atPath: place.folder["outbox"].appending(thumbnail(of: names[1])).string)
        return outbox
    }

    @Test("verify reports agreement, or every difference")
    func verify() async throws {
        let place = try await filledPlace()
        let good = try await place.command("verify", exits: 0)
        #expect(good.printed == "4 photos and 2 stickers: no differences\n")

        let names = try #require(try place.index()).stickers.map(\.file)
        _ = try damage(place)
        try place.folder.write([1], to: "outbox/.stickerd-1f.tmp")
        try place.drop(try Workplace.photo(red: 99), as: "new.png")
        try place.folder.remove("inbox/text.jpg")
        let bad = try await place.command("verify", exits: 1)
        let outbox = place.folder["outbox"].string
        let expected: Set<String> = [
            "\(outbox)/\(names[0]): is missing",
            "\(outbox)/\(names[1]): differs from the sticker that stickerd wrote",
            "\(outbox)/pack.json: its entry for other.png does not match the Library",
            "\(outbox)/pack.json: does not list \(names[1])",
            "\(outbox)/index.html: differs from what stickerd wrote",
            "\(outbox)/\(thumbnail(of: names[1])): is missing",
            "\(outbox)/.stickerd-1f.tmp: is a leftover temporary file",
            "new.png: is not in the Library yet", "text.jpg: is failed in the Library but no longer in the inbox",
        ]
        #expect(Set(bad.printed.split(separator: "\n").map(String.init)) == expected)
    }

    @Test(
        "verify --repair restores derived files, byte for byte, with the daemon running and without",
        arguments: [false, true])
    func repair(isRunning: Bool) async throws {
        let place = try await filledPlace()
        let daemon = isRunning ? try await place.startAndRead() : nil
        let names = try #require(try place.index()).stickers.map(\.file)
        let before = try damage(place)
        try await place.command("verify", "--repair", exits: 0)
        // A running daemon notices deleted stickers itself, and may still be listing them again.
        #expect(
            try await eventually {
                try finished(place) == before && place.index()?.stickers.map(\.file) == names
            })
        #expect(try await eventually { try await place.isWhole() })
        if let daemon { #expect(try await daemon.stop() == 0) }
    }

    /// The owners of all files and folders in these folders.
    private func owners(_ place: Workplace, below names: [String]) throws -> Set<UInt32> {
        Set(
            try names.flatMap { name in
                let root = place.folder[name].string
                let below = try FileManager.default.subpathsOfDirectory(atPath: root).map { "\(root)/\($0)" }
                return try ([root] + below).compactMap {
                    try FileManager.default.attributesOfItem(atPath: $0)[.ownerAccountID] as? NSNumber
                }.map(\.uint32Value)
            })
    }

    @Test("Files written by root's verify --repair, retry or remake belong to the state folder's owner")
    func repairAsRoot() async throws {
        let place = try await filledPlace()
        let folders = ["inbox", "outbox", "state"]
        // A user ID without a name. Users other than root already own the files.
        let owner = geteuid() == 0 ? 54_321 : geteuid()
        if geteuid() == 0 {
            for name in folders {
                // The Library treats a photo with another owner as changed.
                let isInbox = name == "inbox"
                let below = try FileManager.default.subpathsOfDirectory(atPath: place.folder[name].string)
                for path in [""] + (isInbox ? [] : below) {
                    // The string outlives the call.
                    #expect(unsafe chown(place.folder[name].appending(path).string, owner, owner) == 0)
                }
            }
        }
        let before = try damage(place)
        try place.folder.remove("outbox/thumbnails")
        try await place.command("verify", "--repair", exits: 0)
        #expect(try finished(place) == before)
        #expect(try owners(place, below: ["outbox", "state"]) == [owner])
        #expect(try await place.command("remake", "--all").end() == 0)
        #expect(try await place.command("retry", "--failed").end() == 0)
        #expect(try await place.command("verify", exits: 0).printed.hasSuffix(": no differences; photos are pending\n"))
        #expect(try owners(place, below: ["outbox", "state"]) == [owner])
        guard geteuid() == 0 else { return }
        for arguments in [["verify", "--repair"], ["remake"], ["retry", "--failed"]] {
            let refused = try StickerdProcess(
                arguments + place.folders + place.config, in: place.folder, mayReadAll: false)
            #expect(try await refused.end() == 1)
            #expect(refused.errors.contains("belongs to user \(owner)"))
        }
        #expect(try owners(place, below: ["outbox", "state"]) == [owner])
    }

    /// Excludes the temporary file of an index that a running daemon may be writing.
    private func finished(_ place: Workplace) throws -> [String: Data] {
        try place.stickers().filter { $0.key.hasSuffix(".png") }
    }

    private func thumbnail(of name: String) -> String {
        "thumbnails/\(name.split(separator: ".").first ?? "").webp"
    }
}
