import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct InotifyTests {
    private let folder = TemporaryFolder()
    private let inotify: Inotify

    init() throws {
        inotify = try Inotify()
    }

    @Test("Events of a watched folder arrive in order, with names as bytes")
    func events() throws {
        let watch = try inotify.watch(folder.path, for: [.created, .closedAfterWriting, .movedIn, .deleted])
        let strange: [UInt8] = [0xC3, 0x28, 0x0A]
        let root = try OwnedDescriptor(opening: folder.path)
        do { _ = try OwnedDescriptor(opening: strange, in: root.raw, .writeOnly, options: .create) }
        try folder.makeFolder("sub")
        try folder.rename("sub", to: "other")
        try folder.remove("other")
        let events = try inotify.next(timeout: .seconds(30))
        #expect(
            events.map(\.mask) == [
                .created, .closedAfterWriting, [.created, .isFolder], [.movedIn, .isFolder], [.deleted, .isFolder],
            ])
        #expect(events.map(\.name) == [strange, strange, Array("sub".utf8), Array("other".utf8), Array("other".utf8)])
        #expect(events.allSatisfy { $0.watch == watch })
        #expect(events[3].cookie != 0)
    }

    @Test("A wake-up, even an earlier one, ends one wait; the next ends at its timeout")
    func wake() throws {
        inotify.wake()
        inotify.wake()
        #expect(try inotify.next(timeout: nil).isEmpty)
        let start = ContinuousClock.now
        #expect(try inotify.next(timeout: .milliseconds(30)).isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(30))
    }

    @Test("The kernel confirms the end of a watch")
    func unwatch() throws {
        let watch = try inotify.watch(folder.path, for: .created)
        inotify.unwatch(watch)
        let events = try inotify.next(timeout: .seconds(30))
        #expect(events.map(\.mask) == [.watchEnded])
    }

    @Test("Neither a file nor a link to a folder can be watched")
    func refused() throws {
        try folder.write([1], to: "file")
        try folder.link("link", to: ".")
        #expect(throws: Errno.notDirectory) { try inotify.watch(folder["file"], for: .created) }
        #expect(throws: Errno.self) { try inotify.watch(folder["link"], for: .created) }
    }
}
