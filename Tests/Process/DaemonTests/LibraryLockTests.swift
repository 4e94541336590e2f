import Foundation
import Glibc
import LinuxIO
import PackFacts
import SystemPackage
import Testing
import TestSupport

/// SQLite's locks are the process's: closing any descriptor of the file drops them all (fcntl(2)). A command then
/// believes that it is the last user, and deletes the WAL that the daemon goes on writing to.
@Suite("The daemon's lock on its Library", .timeLimit(.minutes(4)))
struct LibraryLockTests {
    /// How the daemon before ended, or what became of its Library. `DamageTests.locked` has more ways to open one.
    enum Before: CaseIterable { case none, stopped, killed, release, damaged }

    private let place = Workplace()

    private func drop(_ name: String, red: UInt8) async throws {
        try place.drop(try Workplace.photo(red: red), as: name)
        let stem = name.prefix { $0 != "." } + "-"
        #expect(try await eventually { try place.index()?.stickers.contains { $0.file.hasPrefix(stem) } == true })
    }

    private func start(after before: Before) async throws -> StickerdProcess {
        if before != .none {
            let first = try await place.start()
            try await drop("first.png", red: 90)
            if before == .stopped || before == .release {
                #expect(try await first.stop() == 0)
            } else {
                first.signal(SIGKILL)
                #expect(try await first.end() == -SIGKILL)
            }
        }
        if before == .release {
            // `PRAGMA user_version` in the file's header (https://sqlite.org/fileformat.html, 1.3).
            let file = try FileDescriptor.open(place.folder[place.library], .writeOnly)
            try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 60, [UInt8](repeating: 0, count: 4)) }
        }
        if before == .damaged { try place.folder.write("no Library", to: place.library) }
        return try await place.startAndRead()
    }

    /// Whether the daemon has SQLite's lock, and none of the Library's files was removed under it.
    private func requireLock(of daemon: StickerdProcess, after command: [String]) async throws {
        let inode = try FileStatus(of: place.folder[place.library]).identity.inode
        // A lost lock does not come back. One look may miss it: the list has the locks of all processes, is read in
        // pieces, and may change between them.
        let hasLock = try await eventually {
            try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                .contains { $0.contains("POSIX") && $0.contains(" \(daemon.id) ") && $0.contains(":\(inode) ") }
        }
        #expect(hasLock, "\(command)")
        let state = place.folder["state"].string
        let open = try ProcessTable.numbers(in: "fd", of: daemon.id).compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.id)/fd/\(descriptor)")
        }
        #expect(open.contains { $0.hasSuffix("library.sqlite-wal") }, "\(command)")
        #expect(!open.contains { $0.hasPrefix(state) && $0.hasSuffix("(deleted)") }, "\(command)")
    }

    @Test(
        "However the daemon before ended, no command takes the Library from the running one", arguments: Before.allCases
    )
    func commands(before: Before) async throws {
        let daemon = try await start(after: before)
        try await requireLock(of: daemon, after: [])
        try place.drop(Workplace.noPhoto, as: "text.jpg")
        try await drop("a.png", red: 150)
        let sticker = try #require(try place.index()?.stickers.last).file
        let commands = [
            ["status"], ["explain", "a.png"], ["verify"], ["verify", "--repair"], ["retry", "--failed"],
            ["remake", "--changed"], ["remake", "--all"], ["remove", sticker], ["restore", sticker],
        ]
        for command in commands {
            let process = try StickerdProcess(command + place.folders + place.config, in: place.folder)
            _ = try await process.end()
            try await requireLock(of: daemon, after: command)
        }
        try await drop("b.png", red: 200)
        daemon.signal(SIGKILL)
        #expect(try await daemon.end() == -SIGKILL)
        let next = try await place.startAndRead()
        #expect(try await eventually { try await place.isWhole() })
        #expect(try Set(#require(try place.index()).stickers.map { $0.file.prefix(2) }).isSuperset(of: ["a-", "b-"]))
        #expect(!next.errors.contains("damaged"))
        #expect(try await next.stop() == 0)
    }
}
