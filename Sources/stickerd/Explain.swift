import ArgumentParser
import StickerDaemon

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a photo's history: its arrival, attempts and results.",
        discussion: "The photo is named by its path, or by its path in the inbox. Times are UTC.")

    @OptionGroup var folders: FolderOptions

    @Argument(help: ArgumentHelp("The photo.", valueName: "file"), completion: .file())
    var file: FileArgument

    func run() throws {
        do {
            guard let explanation = try Explanation(of: file.path, settings: folders.load()) else {
                Output.complain("\(file): no such photo has come in")
                throw ExitCode(ExitStatus.failure)
            }
            Output.print(explanation.text)
        } catch {
            throw complaint(about: error)
        }
    }
}
