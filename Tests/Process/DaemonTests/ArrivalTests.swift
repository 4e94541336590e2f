import Foundation
import Glibc
import LinuxIO
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Arrival of a photo", .timeLimit(.minutes(1)))
struct ArrivalTests {
    @Test("An inbox that is a symbolic link to a folder is watched")
    func linkedInbox() async throws {
        let place = Workplace(settings: Workplace.settings(watch: #", "mode": "inotify""#))
        try place.folder.rename("inbox", to: "disk")
        try place.folder.link("inbox", to: place.folder["disk"])
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(try await daemon.stop() == 0)
        #expect(!daemon.errors.contains("unmounted"), "\(daemon.errors)")
    }

    @Test("A folder that stickerd could not read is read as soon as its permissions allow it")
    func unreadableFolder() async throws {
        let place = Workplace()
        try place.folder.write(try Workplace.photo(), to: "Trip/Day/a.png")
        // Without write permission, only root could move it.
        try place.folder.setMode(0o300, of: "Trip/Day")
        try place.folder.setMode(0o300, of: "Trip")
        let daemon = try await place.startAndRead(mayReadAll: false)
        try place.folder.rename("Trip", to: "inbox/Trip")
        try await daemon.said("Cannot read a folder")
        let line = "Cannot read folders inside the inbox; rescans retry them: Trip: Permission denied; make it readable"
        #expect(try await eventually { try await place.command("status").printed.contains(line) })
        // The first may be recorded before a rescan that the move causes; the second is recorded after it.
        for (number, name) in ["b.gif", "c.gif"].enumerated() {
            try place.drop(Array("GIF89a \(name)".utf8), as: name)
            #expect(try await eventually { place.count(.failed) == number + 1 })
        }
        #expect(place.count(.done) == 0)
        try place.folder.setMode(0o755, of: "inbox/Trip")
        try place.folder.setMode(0o755, of: "inbox/Trip/Day")
        #expect(try await eventually { place.count(.done) == 1 })
        try await daemon.said("All folders inside the inbox can be read")
        // One that is known already is named when it is closed, as rsync -a does last.
        try place.folder.setMode(0, of: "inbox/Trip/Day")
        try await daemon.said("Cannot read a folder; rescans retry it folder=Trip/Day reason=")
        for (former, name) in [("Day", "Night"), ("Night", "Day")] {
            try place.folder.rename("inbox/Trip/\(former)", to: "inbox/Trip/\(name)")
            #expect(try await eventually { try await place.command("status").printed.contains(": Trip/\(name): Perm") })
        }
        try place.folder.write(try Workplace.photo(red: 150), to: "inbox/Trip/Day/b.png")
        let explain = try await place.command("explain", "Trip/Day/b.png", mayReadAll: false, exits: 1)
        #expect(explain.errors.contains(": its folder is not read: Permission denied; make it readable"))
        let folder = try await place.command("explain", "Trip/Day", mayReadAll: false, exits: 1)
        #expect(folder.errors.contains(": this folder is not read: Permission denied; make it readable"))
        try place.folder.setMode(0o755, of: "inbox/Trip/Day")
        #expect(try await eventually { place.count(.done) == 2 })
        #expect(try await daemon.stop() == 0)
    }

    @Test(
        "An inbox that may be listed, but not searched, is unavailable: that is said once, and fails no photo",
        arguments: [(1, "Inbox unavailable"), (3600, "Cannot read the inbox")])
    func closedInbox(rescanSeconds: Int, message: String) async throws {
        let place = Workplace(settings: Workplace.settings(watch: #", "rescanSeconds": \#(rescanSeconds)"#))
        let daemon = try await place.startAndRead(mayReadAll: false)
        // The photo waits.
        try place.folder.setMode(0o555, of: "outbox")
        try place.drop(try Workplace.photo(), as: "a.png")
        try await daemon.said("Cannot write to a pack's folder")
        try await daemon.said("cannot be written (Permission denied); give the user that stickerd runs as access to it")
        // What can be said of a photo that no sticker is made of does not end that.
        try place.drop(Workplace.noPhoto, as: "b.gif")
        #expect(try await eventually { place.count(.failed) == 1 })
        try place.folder.setMode(0o644, of: "inbox")
        try await daemon.said(message)
        try place.folder.setMode(0o755, of: "outbox")
        // It is looked for every two seconds.
        try await Task.sleep(for: .seconds(3))
        #expect(place.count(.pending) == 1 && place.count(.failed) == 1)
        #expect(daemon.errors.split(separator: "\n").count { $0.contains(message) } == 1, "\(daemon.errors)")
        #expect(!daemon.errors.contains("folder can be written again"))
        try place.folder.setMode(0o755, of: "inbox")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(daemon.errors.contains("A pack's folder can be written again"))
        #expect(try await daemon.stop() == 0)
    }
}
