import Conditions
import Foundation
import Glibc
import LibraryCommands
import LinuxIO
import PhotoLibrary
import StickerDaemon
import SystemPackage

/// The daemon of a state folder, running or not, and what its Library says of it.
struct DaemonFacts: Sendable {
    /// Whether it is running; nil if this user cannot see that.
    var isRunning: Bool?
    /// What it wrote about itself; nil also while it starts.
    var status: DaemonStatus?
    /// Its process, if that can be told from here.
    var process: Int32?
    /// Whether that is suspended, and does nothing.
    var isSuspended = false
    /// Whether another program has its program's place since.
    var isReplaced = false
    /// Nil if the Library cannot be read.
    var library: LibraryHealth?
    /// Why not.
    var libraryError: LibraryError?
    /// The user it runs as, or would.
    var account = Account(user: geteuid())
    /// Only if the daemon belongs to it.
    var unit: UnitFacts?

    static func gather(state: FilePath, _ unit: UnitFacts?) -> DaemonFacts {
        var facts = DaemonFacts()
        do {
            let daemon = try DaemonStatus.read(of: state)
            (facts.isRunning, facts.status) = (daemon.isRunning, daemon.status)
            facts.process = facts.status.flatMap { $0.isOurs ? $0.pid : nil }
            facts.library = try LibraryHealth(of: state)
        } catch {
            facts.libraryError = error as? LibraryError
        }
        let owner = (try? state.stat())?.userID.rawValue
        let isUnits = owner.map { Ownership.name(of: $0) == unit?["User"] || unit?.owns(state) == true } ?? true
        if let unit, facts.process.map({ $0 == unit.process }) ?? isUnits {
            facts.unit = unit
            if facts.isRunning != false { facts.process = unit.process }
            facts.isRunning = facts.isRunning ?? (unit.process != nil)
        }
        let process = facts.process.flatMap { try? ProcessStatus(of: $0) }
        facts.isSuspended = process?.isSuspended == true
        facts.account =
            process.map { Account($0) }
            ?? Account(user: owner ?? facts.unit.flatMap { Account.user(named: $0["User"]) } ?? geteuid())
        facts.isReplaced = facts.process.map(isReplaced) ?? false
        if facts.libraryError == nil,
            facts.account.access(to: state.appending("library/library.sqlite"), R_OK | W_OK)
                == .refused(.permissionDenied)
        {
            facts.libraryError = .unusable(state, .permissionDenied, by: facts.account.user)
        }
        return facts
    }

    /// By /proc/PID/exe (proc_pid_exe(5)), which only root and the process's user may read.
    static func isReplaced(_ process: Int32) -> Bool {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        return program?.hasSuffix(" (deleted)") == true
    }

    /// Whether it never started.
    var isNew: Bool { isRunning == false && libraryError?.code == .missing }

    /// - Parameter flags: those that a daemon without a unit needs besides the state folder, each after a space.
    func findings(state: FilePath, flags: String = "") -> [Finding] {
        let running = runningFinding("\(flags) --state \(Ownership.shellWord(state.string))")
        return [running, replacedFinding, unit?.hidingFinding(), libraryFinding(state: state)].compactMap(\.self)
            + waitingFindings
            + failureFindings
    }

    private func runningFinding(_ flags: String) -> Finding {
        switch isRunning {
        case true? where isSuspended:
            return .fault(
                "daemon", "suspended, for example by Ctrl-Z in its terminal",
                cure: "continue it there with fg, or run: sudo kill -CONT \(process ?? 0)")
        case true?:
            let since = status.map { " since \($0.since.formatted(.iso8601))" } ?? ""
            let number = process.map { " (process \($0))" } ?? ""
            let starter = unit == nil ? "" : ", started by \(UnitFacts.name)"
            return .ok("daemon", "running\(since)\(number) as \(account.name)\(starter)")
        case false?:
            guard let unit else {
                return .fault(
                    "daemon", "not running",
                    cure: "start it: stickerd run\(flags), or your own service: systemctl --user enable --now stickerd")
            }
            if let obstacle = unit.obstacle {
                return .fault("daemon", "not running: its unit \(obstacle.reason)", cure: obstacle.cure)
            }
            guard unit.isFailed else {
                return .fault("daemon", "not running", cure: "start it: sudo systemctl enable --now stickerd")
            }
            return .fault(
                "daemon", "not running: \(unit.failure)",
                cure: "repair what sudo journalctl -u stickerd names, and run: sudo systemctl restart stickerd")
        case nil: return .hidden("daemon", "this user cannot see whether it runs")
        }
    }

    private var replacedFinding: Finding? {
        guard isReplaced else { return nil }
        return .note(
            "daemon", "it runs a program that was replaced by another one since it started",
            cure: "run: sudo systemctl restart stickerd")
    }

    private func libraryFinding(state: FilePath) -> Finding? {
        guard let libraryError else { return nil }
        switch libraryError.code {
        case .missing: return .note("library", "\(state): none yet; the first start makes it")
        case .unreadable where geteuid() != 0 && account.user != geteuid():
            return .hidden(
                "library",
                "\(libraryError.problem): rights, watches, failed photos and what the daemon waits for are not known")
        default:
            let cure = "look at its files: ls -lL \(Ownership.shellWord(state.appending("library").string))"
            return .fault("library", libraryError.problem, cure: libraryError.fix ?? cure)
        }
    }

    private var waitingFindings: [Finding] {
        guard let status else { return [] }
        return status.waiting.map { waiting in
            let text = "\(waiting.message): \(waiting.reason)"
            // Ends by itself: with the rest, or after watch.incompleteSeconds.
            let isNormal = waiting.message == Condition.incomplete(0, arrival: 0).beginning
            return isNormal ? .note("waiting", text) : .fault("waiting", text, cure: Self.cure(of: waiting))
        }
    }

    private static func cure(of waiting: DaemonStatus.Waiting) -> String {
        // Conditions with a file or a pack have reasons that say what to do.
        let cures: [Condition: String] = [
            .inboxAway: "mount its disk, or create the folder; see findmnt",
            .outboxAway:
                "mount its disk: sudo mount -a; if all of it is lost, see \"Removable disks\" in Docs/Service.md",
            .receiverAway: "mount its disk: sudo mount -a",
            .diskFull: "make room on this disk (df -h), or lower limits.minFreeBytes",
            .shortage: "see what uses memory (systemd-cgtop -m), or reduce workers",
            .library: "make room on the state folder's disk (df -h) or in its quota, or see what sudo dmesg says",
            .workers: "see what uses memory and processes: systemd-cgtop",
            .settings: "correct the settings file: stickerd check-config FILE; then sudo systemctl reload stickerd",
        ]
        return cures.first { $0.key.beginning == waiting.message }?.value
            ?? "do what the reason says; work goes on by itself: sudo journalctl -u stickerd -x"
    }

    private var failureFindings: [Finding] {
        guard let library, library.failed > 0 else { return [] }
        let more = library.failed - library.failures.count
        let rest = more > 0 ? [Finding.note("failed", "and \(more) more, in stickerd status and pack.json")] : []
        return library.failures.enumerated().map { number, failure in
            .note(
                "failed",
                "\(failure.path), \(failure.stateSince.formatted(.iso8601)): \(failure.reason ?? "unknown reason")",
                cure: number == library.failures.count - 1
                    ? "repair or remove photos that fail, or try them again: sudo stickerd retry --failed" : nil)
        } + rest
    }
}
