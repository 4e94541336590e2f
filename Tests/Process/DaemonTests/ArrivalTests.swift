import Foundation
import Glibc
import LinuxIO
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite("Arrival of a photo", .timeLimit(.minutes(1)))
struct ArrivalTests {
    @Test(
        "A photo that is created empty, closed, and written later becomes one sticker, from all its bytes",
        arguments: ["keep", "archive", "delete"])
    func createdEmpty(mode: String) async throws {
        let place = try Workplace(
            settings: """
                {"workers": 1, "originals": {"mode": "\(mode)"}, "sticker": {"size": 96, "outline": {"width": 4}, "padding": 2}}
                """)
        let photo = try Workplace.photo()
        let daemon = try await place.start()
        let path = place.folder["inbox/a.png"]
        try FileDescriptor.open(path, .writeOnly, options: [.create], permissions: [.ownerReadWrite]).close()
        // When this photo is done, all earlier events have been processed.
        try place.drop(try Workplace.photo(red: 120), as: "b.png")
        #expect(try await eventually { place.count(.done) == 1 })
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.writeAll(photo.prefix(100))
        try file.writeAll(photo.dropFirst(100))
        try file.close()
        #expect(try await eventually { place.count(.done) == 2 })
        #expect(place.count(.failed) == 0)
        #expect(try await daemon.stop() == 0)
        #expect(try place.stickers().count == 2)
        #expect(!daemon.errors.contains("Cannot make a sticker"))
        if mode == "keep" {
            #expect(FileManager.default.contents(atPath: path.string) == Data(photo))
        } else {
            #expect(!FileManager.default.fileExists(atPath: path.string))
        }
    }

    @Test("An inbox that is a symbolic link to a folder is watched")
    func linkedInbox() async throws {
        let place = try Workplace(
            settings: """
                {"workers": 1, "watch": {"mode": "inotify"}, "sticker": {"size": 96, "outline": {"width": 4}, "padding": 2}}
                """)
        let (inbox, disk) = (place.folder["inbox"].string, place.folder["disk"].string)
        try FileManager.default.moveItem(atPath: inbox, toPath: disk)
        try FileManager.default.createSymbolicLink(atPath: inbox, withDestinationPath: disk)
        let daemon = try await place.startAndRead()
        try place.drop(try Workplace.photo(), as: "a.png")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(try await daemon.stop() == 0)
        #expect(!daemon.errors.contains("unmounted"), "\(daemon.errors)")
    }

    @Test("A folder that stickerd could not read is read as soon as its permissions allow it")
    func unreadableFolder() async throws {
        let place = try Workplace()
        try place.folder.write(try Workplace.photo(), to: "Trip/Day/a.png")
        func setMode(_ mode: mode_t, of name: String) throws {
            // The string outlives the call.
            _ = try Errno.retry { unsafe chmod(place.folder[name].string, mode) }
        }
        try setMode(0, of: "Trip/Day")
        try setMode(0, of: "Trip")
        let daemon = try await place.startAndRead(mayReadAll: false)
        // The strings outlive the call.
        _ = try Errno.retry { unsafe rename(place.folder["Trip"].string, place.folder["inbox/Trip"].string) }
        try await daemon.said("Cannot read a folder")
        // Wait until all work that the start or the move causes has ended.
        try await Task.sleep(for: .seconds(2))
        #expect(place.count(.done) == 0)
        try setMode(0o755, of: "inbox/Trip")
        try setMode(0o755, of: "inbox/Trip/Day")
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(try await daemon.stop() == 0)
    }
}
