import Foundation
import LinuxIO
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("stickerd doctor", .timeLimit(.minutes(2)))
struct DoctorTests {
    private let place = Workplace()

    private func doctor(_ arguments: String..., mayReadAll: Bool = true) async throws -> (status: Int32, text: String) {
        let process = try StickerdProcess(
            ["doctor", "--state", place.folder["state"].string] + arguments, in: place.folder, mayReadAll: mayReadAll)
        return (try await process.end(), process.printed)
    }

    /// What stands after a subject, of the first line with this level.
    private func line(_ level: String, _ subject: String, in text: String) -> Substring? {
        text.split(separator: "\n").first {
            $0.split(separator: " ").prefix(2).elementsEqual([level[...], subject[...]])
        }
    }

    @Test(
        "A healthy daemon has no faults, its failed photo is a note, and nothing is changed",
        .enabled(if: Confinement.isWhole, "doctor reports a sanitizer build"))
    func healthy() async throws {
        let daemon = try await place.start()
        try place.drop(try Workplace.photo(), as: "a.png")
        try place.drop(Workplace.noPhoto, as: "b\u{1B}.gif")
        #expect(try await eventually { place.count(.done) == 1 && place.count(.failed) == 1 })
        // The last files that the daemon writes.
        #expect(
            try await eventually {
                ["packs.js", "stickers.zip"].allSatisfy { OwnedDescriptor.exists(place.folder["outbox/\($0)"]) }
            })
        let before = try names()
        let (status, text) = try await doctor()
        #expect(status == 0 && text.hasSuffix("\nno faults\n"), "\(text)")
        #expect(line("ok", "daemon", in: text)?.contains("(process \(daemon.id))") == true)
        #expect(line("ok", "worker", in: text)?.contains("starts in ") == true)
        #expect(line("ok", "watches", in: text)?.contains(" folders are watched; ") == true)
        #expect(line("note", "failed", in: text)?.contains(#" b\x1b.gif, "#) == true)
        for folder in ["inbox", "outbox", "state"] {
            #expect(line("ok", folder, in: text)?.contains(place.folder[folder].string) == true)
        }
        #expect(try names() == before)
        let json = try await doctor("--json")
        let parsed = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
        #expect(json.status == 0 && parsed?["faults"] as? Int == 0)
        #expect(try await daemon.stop() == 0)
        let stopped = try await doctor()
        #expect(stopped.status == 1 && line("fault", "daemon", in: stopped.text)?.hasSuffix(" not running") == true)
        // With the state folder alone, it would be started with the default inbox and outbox.
        let folders = ["inbox", "outbox", "state"].map { "--\($0) \(place.folder[$0])" }.joined(separator: " ")
        #expect(stopped.text.contains(" \(folders), or your own service"), "\(stopped.text)")
    }

    /// All files but those of the state folder, where the daemon's own come and go.
    private func names() throws -> [String] {
        try ["inbox", "outbox", "home"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: place.folder[folder].string).map { "\(folder)/\($0)" }
        }.sorted()
    }

    @Test("Without the rights to read the Library it says so, and shows the rest")
    func denied() async throws {
        let daemon = try await place.start()
        try place.folder.setMode(0, of: "state/library")
        let (_, text) = try await doctor(mayReadAll: false)
        #expect(line("fault", "library", in: text)?.contains("Permission denied") == true, "\(text)")
        #expect(line("ok", "worker", in: text) != nil && line("ok", "memory", in: text) != nil)
        try place.folder.setMode(0o700, of: "state/library")
        #expect(try await daemon.stop() == 0)
    }

    @Test("A settings file that became invalid, and a clock that was set back, are faults with a cure")
    func faults() async throws {
        let daemon = try await place.start()
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(try await daemon.stop() == 0)
        try place.configure(#"{"sticker": {"sise": 96}}"#)
        let tomorrow = Date().addingTimeInterval(86_400)
        try FileManager.default.setAttributes(
            [.modificationDate: tomorrow], ofItemAtPath: place.folder["outbox/pack.json"].string)
        let (status, text) = try await doctor()
        #expect(status == 1)
        #expect(line("fault", "settings", in: text)?.contains(#"did you mean "sticker.size"?"#) == true, "\(text)")
        #expect(line("fault", "clock", in: text)?.contains("the index in the outbox is from ") == true)
        #expect(text.hasSuffix("\n\(Confinement.isWhole ? 3 : 4) faults\n"))
    }
}
