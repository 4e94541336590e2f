import ArgumentParser
import DaemonSettings
import Foundation
import Glibc
import LinuxIO
import PackFacts
import PhotoCodecs
import PhotoLibrary
import StickerDaemon
import Workers

@main
struct Stickerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd",
        abstract: "Turns photos dropped into a folder into die-cut stickers.",
        version: "\(Release.version)\n\(JPEGLibrary.report)",
        subcommands: [
            Run.self, Make.self, Mask.self, Palette.self, Export.self, Status.self, Remake.self, Retry.self,
            Remove.self, Restore.self, Explain.self, Verify.self, DoctorCommand.self, CheckConfig.self,
            SettingsCommand.self, Worker.self,
        ])

    /// Starts a worker here, on the main thread: the parser would already have moved to one of libdispatch's threads.
    @MainActor static func main() async {
        let arguments = RawArguments.all
        if arguments.first == Worker._commandName {
            Worker.main(Array(arguments.dropFirst()))
        } else {
            Output.prepare()
            do {
                if let first = arguments.first(where: { $0 != "help" }) { try requireCommand(first) }
                try requireNoFile(among: arguments)
                var command = try parseAsRoot(arguments)
                guard OwnedDescriptor.exists(Worker.executable) else {
                    Output.complain("stickerd needs /proc, which is not mounted here (mount -t proc proc /proc)")
                    Glibc.exit(ExitStatus.failure)
                }
                if !(command is Run) {
                    for problem in Settings.unknownVariables(in: ProcessInfo.processInfo.environment) {
                        Output.complain("warning: \(problem)")
                    }
                }
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch {
                end(on: error)
            }
        }
    }

    /// Answers a mistyped command with the nearest one. The parser does this only for the options of a command.
    private static func requireCommand(_ name: String) throws {
        let isOption = name.hasPrefix("-")
        let commands = configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let known = isOption ? ["--help", "-help", "--version"] : commands + ["help"]
        let nearest = NearestName.of(name, among: known).map { "did you mean \($0.quoted)?" }
        if known.contains(name) || isOption && nearest == nil { return }
        Output.complain(
            "stickerd: unknown \(isOption ? "option" : "command") \"\(FileArgument(name))\"; "
                + (nearest ?? "\"stickerd --help\" lists all"))
        throw ExitCode(ExitStatus.usage)
    }

    /// The name of a file that begins with a dash, as the shell's `*` may give it, would be read as options: with an
    /// `h` in it, as a request for help.
    private static func requireNoFile(among arguments: [String]) throws {
        let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0.contains(".") }
        let files = options.map { FileArgument($0) }
        guard let file = files.first(where: { OwnedDescriptor.exists($0.path) }) else { return }
        Output.complain("stickerd: \(file) is a file; write ./\(file), or put -- before the files, after all options")
        throw ExitCode(ExitStatus.usage)
    }

    /// The parser throws help and version as errors, and would print them itself without checking the write.
    private static func end(on error: any Error) -> Never {
        if let status = ownStatus(of: error) {
            Output.complain("\(error)")
            Glibc.exit(status)
        }
        let status = exitCode(for: error).rawValue
        let message = fullMessage(for: error)
        if !message.isEmpty {
            if status == ExitStatus.success { Output.print(message) } else { Output.complain(message) }
        }
        Glibc.exit(status)
    }

    /// The exit status for an error that says in one line what a person can do about it; nil for any other.
    private static func ownStatus(of error: any Error) -> Int32? {
        switch error {
        case is SettingsError: ExitStatus.configuration
        case is LibraryError, is CommandFailure: ExitStatus.failure
        case is WorkerError: Daemon.exitStatus(for: error)
        default: nil
        }
    }
}
