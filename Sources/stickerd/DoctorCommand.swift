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

    func run() async throws {
        let report = await folders.doctor.examine(version: "stickerd \(Stickerd.configuration.version)")
        Output.print(json ? try report.json : report.text)
        if report.hasFaults { throw ExitCode(ExitStatus.failure) }
    }
}
