import FileNames
import FoundationEssentials
import Glibc
import LinuxIO
import SystemPackage
import TestSupport

extension InboxScenarioRunner {
    func path(_ word: String, _ step: InboxScenario.Step) throws -> InboxPath {
        guard let path = InboxPath(escaped: word) else { throw Mistake(step: step) }
        return path
    }

    /// `write`, `open`, `append`, `close`, `truncate`, `age`, `rename`, `exchange`, `link`, `symlink`, `fifo`, `chmod`,
    /// `mkdir`, `delete`, `flood`.
    func touchFiles(_ step: InboxScenario.Step) throws {
        let words = step.words
        let place = words.count > 1 ? try place(words[1], step) : folder["inbox"]
        switch (words[0], words.count) {
        case ("write", 2...3):
            let file = try FileDescriptor.open(place, .writeOnly, options: [.create, .truncate], permissions: .photo)
            try file.closeAfter { _ = try file.writeAll((words.count > 2 ? words[2] : words[1]).utf8) }
        case ("open", 2):
            openFiles[words[1]] = try FileDescriptor.open(
                place, .writeOnly, options: [.create, .append], permissions: .photo)
        case ("append", 3): _ = try openFiles[words[1]]?.writeAll(words[2].utf8)
        case ("close", 2): try openFiles.removeValue(forKey: words[1])?.close()
        case ("age", 3): try age(place, seconds: Double(words[2]) ?? 0)
        case ("rename", 3):
            let target = try self.place(words[2], step)
            // The strings outlive the call.
            _ = try Errno.retry { unsafe rename(place.string, target.string) }
        case ("exchange", 3):
            let target = try self.place(words[2], step)
            // RENAME_EXCHANGE. The strings outlive the call.
            _ = try Errno.retry { unsafe Self.renameat2(AT_FDCWD, place.string, AT_FDCWD, target.string, 2) }
        case ("link", 3):
            let target = try self.place(words[2], step)
            // The strings outlive the call.
            _ = try Errno.retry { unsafe link(place.string, target.string) }
        case ("symlink", 3):
            // The strings outlive the call.
            _ = try Errno.retry { unsafe symlink(words[2], place.string) }
        case ("fifo", 2):
            // The string outlives the call.
            _ = try Errno.retry { unsafe mkfifo(place.string, 0o600) }
        case ("chmod", 3):
            // The string outlives the call.
            _ = try Errno.retry { unsafe chmod(place.string, mode_t(words[2], radix: 8) ?? 0) }
        case ("truncate", 3):
            // The string outlives the call.
            _ = try Errno.retry { unsafe truncate(place.string, Int(words[2]) ?? 0) }
        case ("mkdir", 2): try makeFolder(place)
        case ("delete", 2): try FileManager.default.removeItem(atPath: place.string)
        case ("flood", 1): try flood()
        default: throw Mistake(step: step)
        }
    }

    /// Glibc's module lacks it.
    private static let renameat2 = unsafe unsafeBitCast(
        dlsym(nil, "renameat2"),
        to: (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32).self)

    /// Causes more events than the kernel queues.
    private func flood() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let events = Int(limit.filter(\.isNumber)) ?? 16384
        let eventsOfOne = 3
        for _ in 0...(events / eventsOfOne) {
            let file = folder["inbox/.flood"]
            try FileDescriptor.open(file, .writeOnly, options: [.create], permissions: .photo).close()
            try FileManager.default.removeItem(atPath: file.string)
        }
    }

    nonisolated func makeFolder(_ path: FilePath) throws {
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    private func place(_ word: String, _ step: InboxScenario.Step) throws -> FilePath {
        let isOutside = word.hasPrefix("@")
        let path = try path(isOutside ? String(word.dropFirst()) : word, step)
        return folder[isOutside ? "outside" : "inbox"].appending(bytes: path.bytes)
    }

    private func age(_ path: FilePath, seconds: Double) throws {
        let date = Date(timeIntervalSinceNow: -seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path.string)
    }
}

extension FilePermissions {
    static let photo = FilePermissions(rawValue: 0o644)
}
