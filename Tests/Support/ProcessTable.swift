import Foundation
#if canImport(Glibc)
import Glibc
#endif
import LinuxIO
package import SystemPackage

/// The kernel's information about processes (proc(5)).
package enum ProcessTable {
    /// Whether the process is alive, not a zombie.
    package static func isRunning(_ process: Int32) -> Bool {
        guard let state = status(of: process)?.state else { return false }
        return state != "Z" && state != "X"
    }

    package static func children(of parent: Int32) throws -> [Int32] {
        try all(below: parent).filter { isRunning($0) }
    }

    /// Includes zombies.
    package static func all(below parent: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
            .filter { status(of: $0)?.parent == parent }.sorted()
    }

    package static func signal(_ process: Int32, _ signal: Int32) {
        precondition(process > 0)
        kill(process, signal)
    }

    /// The value of a key in `/proc/PID/status`; `thread` is one of the process's threads.
    package static func status(of process: Int32, thread: Int32? = nil, _ key: String) -> Substring? {
        let path = thread.map { "/proc/\(process)/task/\($0)/status" } ?? "/proc/\(process)/status"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(key):") }
        return line?.dropFirst(key.count + 1).drop { $0 == "\t" || $0 == " " }
    }

    /// The events for which a process watches a folder: the masks in fdinfo (proc_pid_fdinfo(5)); 0 if it does not.
    package static func watchedEvents(of folder: FilePath, by process: Int32) throws -> UInt32 {
        let inode = "ino:" + String(try FileStatus(of: folder).identity.inode, radix: 16)
        return try numbers(in: "fdinfo", of: process).reduce(0) { events, descriptor in
            // Descriptors of other tests may be closed meanwhile.
            let text = try? String(contentsOfFile: "/proc/\(process)/fdinfo/\(descriptor)", encoding: .utf8)
            let lines = (text ?? "").split(separator: "\n").map { $0.split(separator: " ") }
            return lines.filter { $0.first == "inotify" && $0.contains(Substring(inode)) }
                .compactMap { line in line.first { $0.hasPrefix("mask:") } }
                .reduce(events) { $0 | (UInt32($1.dropFirst(5), radix: 16) ?? 0) }
        }
    }

    /// The numbers in one of the folders of `/proc/PID`, such as `fd` and `task`.
    package static func numbers(in folder: String, of process: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/\(folder)").compactMap { Int32($0) }
            .sorted()
    }

    /// What the process has used so far.
    package static func processorSeconds(of process: Int32) -> Double? {
        guard let words = stat(of: process), words.count > 13, let user = Double(words[12]),
            let system = Double(words[13])
        else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func status(of process: Int32) -> (state: Substring, parent: Int32)? {
        guard let words = stat(of: process), words.count > 2, let parent = Int32(words[2]) else { return nil }
        return (words[1], parent)
    }

    /// The words of `/proc/PID/stat` that follow the process's name.
    private static func stat(of process: Int32) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
        // The name, in parentheses, may contain any byte.
        return text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    }
}
