import FileNames
import Foundation
import Glibc
import Inbox
import LibraryCommands
import LinuxIO
import PhotoLibrary
import PhotoRule
import Synchronization
import SystemPackage
import Testing
import TestSupport

@Suite("Reading the whole inbox", .timeLimit(.minutes(1)))
struct RescanTests {
    private let fixture = InboxFixture()

    @Test("The watchdog is answered after every folder")
    func folders() async throws {
        let folders = 30
        for number in 1...folders {
            try fixture.folder.makeFolder("inbox/\(number)")
        }
        let watchdog = Watchdog()
        let inbox = try await fixture.inbox(observer: InboxObserver { watchdog.ask() })
        watchdog.watch(inbox)
        try await fixture.run(inbox) { watchdog.answers.count > folders }
        // The Inbox owns the observer that calls the watchdog: a cycle that would leak all three.
        watchdog.watch(nil)
        #expect(watchdog.answers.prefix(folders + 1).allSatisfy { $0 })
    }

    @Test(
        "Folders that stickerd writes to are not read, whatever their path, and do not count as another inbox's photos")
    func ownFolders() async throws {
        for name in ["a/photo.jpg", "out/sticker.png", "a/old/sticker.png"] { try fixture.write([1], to: name) }
        // The setting has another path than the inbox: a link stands for a mount, which needs root.
        try fixture.folder.link("outbox link", to: fixture.folder["inbox/out"])
        var rules = InboxFixture.rules
        rules.ownFolders = [
            OwnFolder(name: "outbox", path: fixture.folder["outbox link"]),
            OwnFolder(name: "state", path: fixture.folder["inbox/a/old"]),
            OwnFolder(name: "originals.failed", path: fixture.folder["missing"]),
        ]
        try await fixture.running(try await fixture.inbox(rules)) {
            #expect(try await fixture.eventually { try await fixture.count(.pending) == 1 })
            try fixture.write([1], to: "out/new/sticker.png")
            try fixture.write([1], to: "b/photo.jpg")
            #expect(try await fixture.eventually { try await fixture.count(.pending) == 2 })
        }
        #expect(try await fixture.library.known(inFolder: InboxFixture.path("out")).isEmpty)
        #expect(try await fixture.library.known(inFolder: InboxFixture.path("out/new")).isEmpty)
        #expect(fixture.log.said.count { $0.contains("Ignoring a folder inside the inbox") } == 2)
    }

    @Test("Folders that are too deep, and paths that are too long for the kernel, are left out with a reason")
    func deep() async throws {
        let top = fixture.folder["inbox"]
        let limit = 4095 - top.string.utf8.count - 1
        let long = [String](repeating: String(repeating: "n", count: 100), count: limit / 101 - 1)
            .joined(separator: "/")
        // So that one file's path has the longest possible length, and another's one byte more.
        let rest = limit - long.utf8.count - 1
        let tooLong = String(repeating: "e", count: rest + 1)
        for (path, name) in [
            ("deep" + String(repeating: "/d", count: 63), "a"), ("deeper" + String(repeating: "/d", count: 64), "b"),
            (long, String(repeating: "c", count: rest)), (long, tooLong),
        ] {
            let folder = try FolderTree.make(Array(path.utf8), below: top)
            let file = try OwnedDescriptor(opening: Array(name.utf8), in: folder.raw, .writeOnly, options: .create)
            try file.write([1])
        }
        try await fixture.run(try await fixture.inbox()) {
            let photos = try await fixture.library.status().photos
            return photos[.pending] == 2 && photos[.ignored] == 1
        }
        #expect(fixture.log.said.contains { $0.contains("more than 64 levels deep") })
        let story = try PhotoStory.read(of: "\(long)/\(tooLong)", in: fixture.folder["state"])
        #expect(story?.file.reason == "its path is longer than 4095 bytes; shorten it")
        try AtomicFile.remove([tooLong], in: try FolderTree.make(Array(long.utf8), below: top))
        try await fixture.run(try await fixture.inbox()) { try await fixture.count(.ignored) == 0 }
    }

    @Test("A photo that arrives while many folders are read does not wait for them")
    func meanwhile() async throws {
        for number in 1...20 { try fixture.write([1], to: "\(number)/photo.jpg") }
        let calls = Atomic(0)
        let observer = InboxObserver { [fixture] in
            // While the second folder is read.
            if calls.wrappingAdd(1, ordering: .relaxed).newValue == 2 { try? fixture.write([1], to: "late.jpg") }
        }
        try await fixture.run(try await fixture.inbox(observer: observer)) { try await fixture.count(.pending) == 21 }
        #expect(try await fixture.library.claim(limit: 1).first?.path.description == "late.jpg")
    }

    @Test("Before the start is complete, no folder is read; files in folders that are not known are found afterwards")
    func start() async throws {
        for name in ["known", "new"] { try fixture.write([1], to: "\(name)/photo.jpg") }
        try await fixture.arrive(["known/photo.jpg"])
        let reads = try Inotify()
        // Reading a folder is an access to it (inotify(7)).
        for name in ["inbox", "inbox/known", "inbox/new"] {
            _ = try reads.watch(fixture.folder[name], for: InotifyEvent.Mask(rawValue: UInt32(IN_ACCESS)))
        }
        let inbox = try await fixture.inbox()
        #expect(try reads.next(timeout: .zero).isEmpty)
        try await fixture.run(inbox) { try await fixture.count(.pending) == 2 }
    }

    @Test("Before the start is complete, folders are watched for names only, then for all changes before one is read")
    func names() async throws {
        try fixture.write([1], to: "known/photo.jpg")
        try await fixture.arrive(["known/photo.jpg"])
        let folders = ["inbox", "inbox/known"].map { fixture.folder[$0] }
        let changes = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
        let whenReading = Mutex<[UInt32]?>(nil)
        let observer = InboxObserver {
            // The scan asks for a folder's known files before it reads the folder.
            whenReading.withLock {
                if $0 == nil { $0 = try? folders.map { try ProcessTable.watchedEvents(of: $0, by: getpid()) } }
            }
        }
        let inbox = try await fixture.inbox(observer: observer)
        for folder in folders {
            let mask = try ProcessTable.watchedEvents(of: folder, by: getpid())
            #expect(mask & changes == 0)
            #expect(mask & UInt32(IN_CREATE) != 0 && mask & UInt32(IN_MOVED_TO) != 0)
        }
        // Its close event is not reported.
        try fixture.write([2], to: "known/late.jpg")
        try await fixture.run(inbox) { try await fixture.count(.pending) == 2 }
        let masks = whenReading.withLock { $0 } ?? []
        #expect(masks.count == folders.count && masks.allSatisfy { $0 & changes == changes })
    }

    /// Checks whether an Inbox responds.
    private final class Watchdog: Sendable {
        private let state = Mutex<(inbox: InboxWatcher?, answers: [Bool])>((nil, []))

        func watch(_ inbox: InboxWatcher?) { state.withLock { $0.inbox = inbox } }

        func ask() {
            guard let inbox = state.withLock(\.inbox) else { return }
            let answer = inbox.isResponsive()
            state.withLock { $0.answers.append(answer) }
        }

        var answers: [Bool] { state.withLock(\.answers) }
    }
}
