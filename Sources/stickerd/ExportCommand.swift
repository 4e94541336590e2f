import ArgumentParser
import DaemonSettings
import Foundation
import Glibc
import Logging
import StickerDaemon
import SystemPackage
import Workers

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a pack in the format of a messenger or server.",
        discussion: """
            Writes only files that differ, and refuses a folder that has another pack or export. With the setting \
            exports, the daemon keeps exports in the outbox up to date. Names: \
            \(PackExportRun.names.joined(separator: ", ")).
            """)

    @Argument(
        help: ArgumentHelp("The pack's folder, which has a pack.json.", valueName: "pack"), completion: .folders)
    var pack: FileArgument

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The messenger or server, one of the names above.", valueName: "name"),
        completion: .list(PackExportRun.names))
    var name: String

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("The folder to write to; created if missing, with its parents.", valueName: "folder"),
        completion: .folders)
    var output: FileArgument

    @OptionGroup var folders: FolderOptions

    func validate() throws {
        do {
            _ = try PackExportRun.export(named: name)
        } catch {
            throw ValidationError(error.description)
        }
        if output.isStandardStream { throw ValidationError("--output must be a folder.") }
    }

    func run() async throws {
        let settings = try folders.find(needsSettings: false)
        let (source, target) = (Settings.absolute(pack.path), Settings.absolute(output.path))
        try PackExportRun.requirePack(in: source)
        let isMade = try PackExportRun.make(output: target, settings)
        let run = PackExportRun(
            try PackExportRun.export(named: name, settings), settings: settings, executable: Worker.executable,
            logger: .stickerd(level: .warning, environment: ProcessInfo.processInfo.environment))
        do {
            let report = try await run.run(source, into: target)
            Output.print(report.summary)
            for note in report.notes { Output.print("note: \(note)") }
        } catch {
            // Fails if it has files. The path outlives the call.
            if isMade { _ = unsafe target.withPlatformString { unsafe rmdir($0) } }
            guard let error = error as? WorkerError else { throw error }
            Output.complain("cannot start a worker: \(error)")
            throw ExitCode(ExitStatus.failure)
        }
    }
}
