import Foundation
import Glibc
import LinuxIO
import PackFacts
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Moving originals out of the inbox", .timeLimit(.minutes(1)))
struct OriginalsTests {
    private func settings(_ more: String) -> String { Workplace.settings(", \(more)") }

    private func files(_ place: Workplace, _ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: place.folder[folder].string).filter { $0.contains(".") }
    }

    /// The permissions of all folders and files of `name`, itself included, and whether they are folders.
    private func modes(_ place: Workplace, _ name: String) throws -> [String: UInt32] {
        let top = place.folder[name]
        var modes: [String: UInt32] = [:]
        for path in try [""] + FileManager.default.subpathsOfDirectory(atPath: top.string) {
            var status = stat()
            // Both arguments outlive the call.
            guard unsafe lstat(top.appending(path).string, &status) == 0 else { throw Errno(rawValue: errno) }
            modes[path] = status.st_mode & 0o7777
        }
        return modes
    }

    @Test("Only the group can read archived and failed photos, including those of an older release")
    func privacy() async throws {
        let place = Workplace(settings: settings(#""originals": {"mode": "archive"}"#))
        for name in ["archive/2020/01/01/old.png", "failed/Cats/old.jpg", "failed/Cats/old.jpg.reason.txt"] {
            try place.folder.write([1], to: name)
        }
        let daemon = try await place.start()
        try place.drop(try Workplace.photo(), as: "a.png")
        try place.drop(Workplace.noPhoto, as: "x.jpg")
        #expect(try await eventually { try files(place, "inbox").isEmpty })
        #expect(try await daemon.stop() == 0)
        for name in ["archive", "failed"] {
            for (path, mode) in try modes(place, name) {
                #expect(mode == (path.contains(".") ? 0o640 : 0o2750), "\(name)/\(path): \(String(mode, radix: 8))")
            }
        }
        #expect(try modes(place, "failed").count == 6)
    }

    @Test(
        "A folder that stickerd cannot write to is logged once, and does not keep other photos in the inbox",
        .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func closedFolder() async throws {
        let place = Workplace(settings: settings(#""originals": {"mode": "archive"}"#))
        try place.folder.write([], to: "inbox/Holiday/.keep")
        for number in 1...5 {
            try place.drop(try Workplace.photo(red: UInt8(90 + 8 * number)), as: "Holiday/\(number).png")
        }
        // The string outlives the call.
        _ = try Errno.retry { unsafe chown(place.folder["inbox/Holiday"].string, 65534, 65534) }
        let daemon = try await place.start(mayReadAll: false)
        #expect(try await eventually { place.count(.done) == 5 })
        try place.drop(try Workplace.photo(red: 80), as: "a.png")
        #expect(try await eventually { try !files(place, "inbox").contains("a.png") && place.count(.done) == 6 })
        #expect(try await daemon.stop() == 0)
        #expect(try files(place, "inbox").count == 6)
        let complaints = daemon.errors.split(separator: "\n").filter { $0.contains("cannot be moved out of the inbox") }
        #expect(complaints.count == 1, "\(daemon.errors)")
        #expect(complaints.first?.contains("Holiday") == true && complaints.first?.contains("chmod g+w") == true)
    }

    @Test("A sticker is withdrawn with its photo, from the index first, also if a reload enabled it")
    func withdrawn() async throws {
        let place = Workplace(settings: settings(#""whenPhotoRemoved": "keep""#))
        let daemon = try await place.startAndRead()
        for (index, name) in ["a.png", "b.png", "c.png"].enumerated() {
            try place.drop(try Workplace.photo(red: UInt8(150 + 30 * index)), as: name)
        }
        #expect(try await eventually { try place.index()?.stickers.count == 3 })
        let replaced = try place.index()?.stickers.last?.id
        try place.folder.remove("inbox/a.png")
        // It would be withdrawn under the new settings.
        try await daemon.said("Removed from the inbox; its sticker stays photo=a.png\n")
        try place.configure(settings(#""whenPhotoRemoved": "withdraw""#))
        daemon.signal(SIGHUP)
        try await daemon.said("Settings reloaded: whenPhotoRemoved\n")
        try place.folder.remove("inbox/b.png")
        try place.drop(try Workplace.photo(red: 250), as: "c.png")
        #expect(
            try await eventually {
                let stickers = try place.index()?.stickers ?? []
                return try stickers.map { $0.file.prefix(1) } == ["a", "c"] && stickers.last?.id != replaced
                    && place.stickers().count == 2
            })
        #expect(try await daemon.stop() == 0)
    }
}
