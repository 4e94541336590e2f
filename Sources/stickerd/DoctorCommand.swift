import ArgumentParser
import Diagnosis
import StickerDaemon

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check the service and what it depends on, and print what to do; exit status 1 if something is wrong.",
        discussion: """
            Changes nothing. Starts one more worker, and makes a sticker of a drawn picture in memory. With sudo, it sees \
            more.
            """)

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Print JSON.")
    var json = false

    /// Usually, all checks take less than a second.
    private static let patience = Duration.seconds(10)

    func run() async throws {
        let notice = Task {
            try await ContinuousClock().sleep(for: Self.patience)
            Output.complain("still waiting, probably for a disk or server that hangs; see findmnt and sudo dmesg")
        }
        defer { notice.cancel() }
        let report = await folders.doctor.examine(version: "stickerd \(Stickerd.configuration.version)")
        Output.print(json ? try report.json : report.text)
        if report.hasFaults { throw ExitCode(ExitStatus.failure) }
    }
}
