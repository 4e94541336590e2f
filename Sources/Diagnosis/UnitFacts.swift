import DaemonSettings
import Foundation
import LinuxIO
import SystemPackage

/// The system's unit of stickerd, as systemd has it in effect, drop-ins included.
struct UnitFacts: Sendable, Equatable {
    static let name = "stickerd.service"
    private static let properties = [
        "LoadState", "FragmentPath", "ActiveState", "Result", "ExecMainStatus", "ExecMainPID", "ExecMainStartTimestamp",
        "InvocationID", "MainPID", "User", "Environment", "StateDirectory", "ProtectHome", "ProtectSystem",
        "ReadWritePaths", "BindPaths", "BindReadOnlyPaths", "PrivateNetwork", "PrivateUsers", "PrivateIPC",
        "ProtectHostname", "MemoryMax", "MemoryHigh",
    ]
    /// systemd may hang, and any text has an end.
    private static let timeout = "5"
    private static let maxBytes = 1 << 16

    private let values: [String: String]
    /// What the journal has of the failure; empty if it has nothing, or this user may not read it.
    var lastError = ""

    /// Nil without systemd or without the unit.
    static func ask() -> UnitFacts? {
        var unit = UnitFacts(text: output(of: ["systemctl", "show", name] + properties.map { "--property=\($0)" }))
        guard unit["LoadState"] == "loaded" || unit.obstacle != nil else { return nil }
        if unit.isFailed, !unit["InvocationID"].isEmpty {
            let command = ["journalctl", "--quiet", "--lines=2", "--output=cat"]
            unit.lastError = output(of: command + unit.errorMatches)
                .replacing("\n", with: "; ")
        }
        return unit
    }

    /// For journalctl(1): why the daemon itself stopped, or systemd's errors in starting, watching or stopping it, such
    /// as a folder that cannot be bound. Until it runs the daemon, systemd's child logs them as root. journald may look
    /// up the invocation of a process that has ended meanwhile, in vain; then its number is left, which others may have
    /// had before.
    var errorMatches: [String] {
        let (invocation, start) = (self["InvocationID"], self["ExecMainStartTimestamp"])
        let matches = [
            "_SYSTEMD_INVOCATION_ID=\(invocation)", "PRIORITY=2", "+",
            "_UID=0", "INVOCATION_ID=\(invocation)", "PRIORITY=3",
        ]
        guard !start.isEmpty else { return matches }
        let process = ["+", "_PID=\(self["ExecMainPID"])", "SYSLOG_IDENTIFIER=stickerd", "PRIORITY=2"]
        return ["--since=\(start)"] + matches + process
    }

    /// Why it is not running, in one line. An error in the journal may be older than what ended the unit.
    var failure: String {
        let result = "the unit ended with the result \(self["Result"]) (ExecMainStatus=\(self["ExecMainStatus"]))"
        return lastError.isEmpty ? result : "\(lastError); \(result)"
    }

    /// Of a program of systemd; empty if it cannot be run.
    private static func output(of command: [String]) -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = [timeout] + command
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let text = output.fileHandleForReading.readData(ofLength: maxBytes)
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// - Parameter text: what `systemctl show` prints. Of a masked unit it does not print what the unit would set:
    ///   here, it has the user and the state folder of the unit as installed.
    init(text: String) {
        let values = Dictionary(
            text.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }, uniquingKeysWith: { $1 })
        let isMasked = values["LoadState"] == "masked"
        self.values = isMasked ? values.merging(["User": "stickerd", "StateDirectory": "stickerd"]) { $1 } : values
    }

    subscript(_ property: String) -> String { values[property] ?? "" }

    /// The daemon's process; nil if none runs.
    var process: Int32? { Int32(self["MainPID"]).flatMap { $0 > 0 ? $0 : nil } }

    var isFailed: Bool { self["ActiveState"] == "failed" || self["Result"] != "success" }

    /// Why systemd cannot start it, whatever the program does, and the cure; nil if it can.
    var obstacle: (reason: String, cure: String)? {
        // EXIT_STATE_DIRECTORY.
        if self["ExecMainStatus"] == "238", let folder = stateFolder, let target = folder.resolved, target != folder {
            return (
                "has a link to \(target) in place of \(folder), which systemd refuses",
                "replace the link by a folder and bind-mount \(target) there, in /etc/fstab: "
                    + "\(target) \(folder) none bind"
            )
        }
        return switch self["LoadState"] {
        case "masked":
            ("is masked", "run: sudo systemctl unmask stickerd && sudo systemctl enable --now stickerd")
        case "bad-setting":
            (
                "has a bad setting",
                "see which: systemd-analyze verify \(Self.name); correct it with sudo systemctl edit stickerd, "
                    + "and run: sudo systemctl restart stickerd"
            )
        default: nil
        }
    }

    /// Whether a state folder is the unit's own, whomever it belongs to.
    func owns(_ state: FilePath) -> Bool { stateFolder.map(state.starts(with:)) == true }

    /// A fault if the unit of `make install` is in effect and one of a package is there, too.
    ///
    /// - Parameter exists: whether there is such a file.
    func hidingFinding(exists: (FilePath) -> Bool = OwnedDescriptor.exists) -> Finding? {
        let (path, hidden) = (self["FragmentPath"], ["/usr/lib", "/lib"].map { "\($0)/systemd/system/\(Self.name)" })
        guard path.hasPrefix("/usr/local/"), hidden.contains(where: { exists(FilePath($0)) }) else { return nil }
        return .fault(
            "unit", "\(path), which make install wrote, is used instead of the package's unit and program",
            cure: "run sudo make uninstall in the sources, and then: sudo systemctl enable --now stickerd")
    }

    private var stateFolder: FilePath? {
        Self.words(self["StateDirectory"]).first.map { "/var/lib/" + $0 }.map { FilePath($0) }
    }

    /// What the unit gives the daemon, for `Settings.load`.
    var environment: [String: String] {
        var values = ["CONFIGURATION_DIRECTORY": "/etc/stickerd", "STATE_DIRECTORY": stateFolder?.string ?? ""]
        for word in Self.words(self["Environment"]) {
            guard let equals = word.firstIndex(of: "=") else { continue }
            values[String(word[..<equals])] = String(word[word.index(after: equals)...])
        }
        return values
    }

    /// Whether the unit's protection lets the daemon see a folder, and write to it (systemd.exec(5)).
    func view(of folder: FilePath) -> FolderFacts.View {
        let folder = folder.resolved ?? folder
        if binds("BindPaths").contains(where: { folder.starts(with: $0.target) }) { return .same }
        if binds("BindReadOnlyPaths").contains(where: { folder.starts(with: $0.target) }) { return .readOnly }
        let isWritable = Self.words(self["ReadWritePaths"]).contains {
            // Both are flags.
            folder.starts(with: FilePath(String($0.drop { $0 == "-" || $0 == "+" })))
        }
        if ServiceFolders.homes.contains(where: folder.starts(with:)) {
            if ["yes", "tmpfs"].contains(self["ProtectHome"]) { return .hidden }
            if self["ProtectHome"] == "read-only", !isWritable { return .readOnly }
        }
        let own = stateFolder.map { $0.resolved ?? $0 }
        let isOpen = self["ProtectSystem"] != "strict" || own.map(folder.starts(with:)) == true
        return isOpen || isWritable ? .same : .readOnly
    }

    /// The folder that the service sees at a path: another one if the unit binds that there.
    func source(of path: FilePath) -> FilePath {
        var folder = path.resolved ?? path
        let bind = ["BindPaths", "BindReadOnlyPaths"].flatMap(binds)
            .filter { folder.starts(with: $0.target) }
            .max { $0.target.components.count < $1.target.components.count }
        guard let bind, bind.source != bind.target, folder.removePrefix(bind.target) else { return path }
        return bind.source.pushing(folder)
    }

    /// What is bound, and where. systemctl prints `SOURCE:TARGET:rbind` or `SOURCE:TARGET`, after a "-" that is a flag,
    /// and quotes nothing: names may have spaces.
    private func binds(_ property: String) -> [(source: FilePath, target: FilePath)] {
        " \(self[property])".replacing(" -/", with: " /").components(separatedBy: " /").dropFirst().map { bind in
            let ends = (bind.hasSuffix(":rbind") ? bind.dropLast(6) : bind[...]).components(separatedBy: ":/")
            return (FilePath("/" + ends[0]), FilePath("/" + ends[ends.count - 1]))
        }
    }

    /// At spaces, except within double quotes. There, systemctl puts a backslash before some characters. Scalars,
    /// because a quote with a combining mark is another character.
    private static func words(_ text: String) -> [String] {
        var (words, isQuoted, isEscaped) = ([""], false, false)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\" where isQuoted && !isEscaped: isEscaped = true
            case "\"" where !isEscaped: isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default:
                words[words.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
