package import SystemPackage

/// What every user may read of a process in /proc/PID/status (proc_pid_status(5)).
package struct ProcessStatus: Sendable, Equatable {
    package let id: Int32
    package let parent: Int32
    /// The effective user.
    package let user: UInt32
    /// The effective group, then the supplementary ones.
    package let groups: [UInt32]
    /// How many system call filters it has; nil before Linux 5.9, which does not say.
    package let filters: Int?
    /// Whether a signal has suspended it, such as that of Ctrl-Z in its terminal.
    package let isSuspended: Bool

    /// The text is longer only if the process is in thousands of groups.
    private static let maxBytes = 1 << 16

    /// - Throws: `noSuchFileOrDirectory` if there is no such process, or none that this one may see.
    package init(of id: Int32) throws(Errno) {
        let text = try OwnedDescriptor(opening: FilePath("/proc/\(id)/status")).read(upTo: Self.maxBytes)
        self.init(id: id, text: String(decoding: text, as: UTF8.self))
    }

    init(id: Int32, text: String) {
        var numbers: [Substring: [UInt32]] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            numbers[line[..<colon]] = line[line.index(after: colon)...].split { $0 == "\t" || $0 == " " }
                .compactMap { UInt32($0) }
        }
        self.id = id
        parent = Int32(clamping: numbers["PPid"]?.first ?? 0)
        // Real, effective, saved, and that for files.
        user = numbers["Uid"]?.dropFirst().first ?? 0
        groups = Array(numbers["Gid"]?.dropFirst().prefix(1) ?? []) + (numbers["Groups"] ?? [])
        filters = numbers["Seccomp_filters"]?.first.map { Int($0) }
        isSuspended = text.contains("\nState:\tT ")
    }

    /// All processes that this one can see.
    package static var all: [ProcessStatus] { numbers(in: "/proc").compactMap { try? ProcessStatus(of: $0) } }

    /// The entries of a folder in /proc whose names are numbers; none without the right to read it.
    package static func numbers(in folder: FilePath) -> [Int32] {
        guard let open = try? OwnedDescriptor(opening: folder, options: .directory),
            let entries = try? DirectoryScan.entries(of: open.raw)
        else { return [] }
        return entries.compactMap { Int32(String(decoding: $0.name, as: UTF8.self)) }
    }
}
