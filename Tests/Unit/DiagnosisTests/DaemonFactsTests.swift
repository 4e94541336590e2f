import Conditions
import DaemonSettings
import FileNames
import Foundation
import Glibc
import LinuxIO
import Logging
import PhotoLibrary
import StickerDaemon
import SystemPackage
import TestSupport
import Testing

@testable import Diagnosis
@testable import LibraryCommands

@Suite("The daemon's diagnosis")
struct DaemonFactsTests {
    private func findings(_ facts: DaemonFacts) -> [Finding] { facts.findings(state: "/srv/my state") }

    @Test("A daemon that does not run is a fault, with the command that starts it")
    func stopped() {
        var facts = DaemonFacts(isRunning: false)
        #expect(findings(facts).first?.cure?.contains("stickerd run --state '/srv/my state'") == true)
        facts.unit = UnitFacts(text: "ActiveState=inactive\nResult=success")
        #expect(
            findings(facts) == [.fault("daemon", "not running", cure: "start it: sudo systemctl enable --now stickerd")]
        )
        facts.unit = UnitFacts(text: "ActiveState=failed\nResult=exit-code\nExecMainStatus=226")
        #expect(
            findings(facts).first?.text == "not running: the unit ended with the result exit-code (ExecMainStatus=226)")
        #expect(findings(facts).first?.cure?.contains("sudo journalctl -u stickerd") == true)
        facts.unit?.lastError = "Failed to set up mount namespacing: /srv"
        #expect(
            findings(facts).first?.text.hasPrefix("not running: Failed to set up mount namespacing: /srv; the") == true)
    }

    @Test("A daemon whose program was replaced since it started is worth a restart, and no fault")
    func replaced() throws {
        let (folder, process) = (TemporaryFolder(), Process())
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: folder["daemon"].string)
        (process.executableURL, process.arguments) = (URL(fileURLWithPath: folder["daemon"].string), ["60"])
        try process.run()
        defer { process.terminate() }
        #expect(!DaemonFacts.isReplaced(process.processIdentifier))
        try FileManager.default.removeItem(atPath: folder["daemon"].string)
        #expect(DaemonFacts.isReplaced(process.processIdentifier))
        let findings = findings(DaemonFacts(isRunning: true, isReplaced: true))
        #expect(findings.map(\.level) == [.ok, .note] && findings[1].cure?.contains("restart") == true)
    }

    @Test("A daemon that is suspended is a fault")
    func suspended() async throws {
        let process = Process()
        (process.executableURL, process.arguments) = (URL(fileURLWithPath: "/bin/sleep"), ["60"])
        try process.run()
        let number = process.processIdentifier
        defer { kill(number, SIGKILL) }
        #expect(try !ProcessStatus(of: number).isSuspended)
        kill(number, SIGSTOP)
        #expect(try await eventually { try ProcessStatus(of: number).isSuspended })
        let findings = findings(DaemonFacts(isRunning: true, process: number, isSuspended: true))
        #expect(findings.map(\.level) == [.fault] && findings[0].cure?.hasSuffix("kill -CONT \(number)") == true)
    }

    @Test("Without the rights to look, nothing is called a fault")
    func unknown() {
        let findings = findings(DaemonFacts())
        #expect(findings.map(\.level) == [.note] && findings[0].cure == "run the same command with sudo")
    }

    @Test("Each condition that the daemon waits for is a fault, with what to do about it, unless it ends by itself")
    func waiting() throws {
        let conditions = CurrentConditions(logger: Logger(label: "test") { _ in RecordedLog() })
        conditions.begin(.diskFull, because: "/srv: only 31 MiB are free")
        conditions.begin(.pack("Trip"), because: "Trip: cannot be written")
        conditions.begin(.incomplete(3, arrival: 5), because: "a.jpg: the file ends early")
        let status = try DaemonStatus(ProcessIdentity.current(), since: Date(), conditions)
        #expect(status.isOurs)
        let findings = findings(DaemonFacts(isRunning: true, status: status))
        #expect(findings.map(\.level) == [.ok, .fault, .fault, .note])
        #expect(findings[1].text.hasSuffix("paused until there is room: /srv: only 31 MiB are free"))
        #expect(findings[1].cure?.contains("limits.minFreeBytes") == true)
        #expect(findings[2].cure?.contains("sudo journalctl -u stickerd -x") == true)
        #expect(findings[3].text.hasSuffix(": a.jpg: the file ends early") && findings[3].cure == nil)
    }

    @Test("Failed photos are listed with their reasons and one cure, and are no fault of the service")
    func failed() {
        let failure = LibraryHealth.Failure(path: "a.gif", reason: "GIF is not supported", stateSince: Date())
        let facts = DaemonFacts(
            isRunning: true, library: LibraryHealth(failed: 5, failures: [failure, failure]))
        let findings = findings(facts).dropFirst()
        #expect(findings.map(\.level) == [.note, .note, .note])
        #expect(findings.map { $0.cure != nil } == [false, true, false])
        #expect(findings.last?.text == "and 3 more, in stickerd status and pack.json")
    }

    @Test("A Library that is damaged is a fault, and none yet is not")
    func library() throws {
        let folder = TemporaryFolder()
        let none = DaemonFacts.gather(state: folder["state"], nil)
        #expect(none.isNew && findings(none).last?.level == .note)
        try Library(in: folder["state"], outbox: folder["outbox"].string).close()
        let whole = DaemonFacts.gather(state: folder["state"], nil)
        #expect(whole.libraryError == nil && whole.library?.failed == 0 && whole.isRunning == false)
        try folder.write("no database at all", to: "state/library/library.sqlite")
        let damaged = DaemonFacts.gather(state: folder["state"], nil)
        #expect(findings(damaged).last?.level == .fault)
        #expect(findings(damaged).last?.cure?.contains("stickerd verify --repair") == true)
    }

    @Test("So are a Library and a settings file that only root may use", .enabled(if: geteuid() == 0))
    func closed() throws {
        let (folder, nobody) = (TemporaryFolder(), try #require(Account.user(named: "nobody")))
        try Library(in: folder["state"], outbox: folder["outbox"].string).close()
        try FileManager.default.setAttributes([.ownerAccountID: nobody], ofItemAtPath: folder["state"].string)
        let facts = DaemonFacts.gather(state: folder["state"], nil)
        #expect(facts.findings(state: folder["state"]).last?.level == .fault)
        #expect(
            facts.libraryError?.fix?.contains("/library belongs to root, and stickerd runs as nobody; run: ") == true)
        try folder.write("{}", to: "closed/config.json")
        let settings = try Settings.load(
            arguments: SettingsOverrides(), environment: [:], configFile: folder["closed/config.json"])
        func cure() -> String? { Doctor.closedFiles(settings, to: facts.account, nil).first?.cure }
        #expect(cure() == nil)
        try folder.setMode(0o600, of: "closed/config.json")
        #expect(cure() == "run: sudo setfacl -m u:nobody:r \(folder["closed/config.json"])")
        try folder.setMode(0o700, of: "closed")
        #expect(cure() == "run: sudo setfacl -m u:nobody:x \(folder["closed"])")
    }

    @Test("So is a network in a home that the unit hides")
    func hidden() throws {
        let settings = try Settings.load(
            arguments: SettingsOverrides(model: "/home/me/a.safetensors"), environment: [:], configFile: nil)
        func findings(_ unit: String) -> [Finding] {
            Doctor.closedFiles(settings, to: Account(user: geteuid()), UnitFacts(text: "ProtectHome=\(unit)"))
        }
        #expect(findings("tmpfs").first?.cure?.hasSuffix(": BindReadOnlyPaths=/home/me") == true)
        #expect(findings("tmpfs\nBindReadOnlyPaths=/home/me:/home/me:rbind").isEmpty && findings("no").isEmpty)
    }
}
