import ArgumentParser
import Foundation
import PhotoLibrary
import StickerDaemon

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how many photos are in which state, whether the daemon is running or not.")

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        do {
            let report = try StatusReport(state: folders.load().state)
            print(json ? try report.json : report.text)
        } catch let error as SettingsError {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode(ExitStatus.configuration)
        } catch let error as LibraryError {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode(ExitStatus.failure)
        }
    }
}
