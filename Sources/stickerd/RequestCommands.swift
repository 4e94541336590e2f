import ArgumentParser
import DaemonSettings
import StickerDaemon

struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Retry failed photos.",
        discussion: """
            Give photos by their path, or by their path in the inbox. A photo that was moved to the folder of failed \
            photos returns to the inbox. A running daemon begins at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Retry all failed photos.")
    var failed = false

    @Argument(help: ArgumentHelp("The photos.", valueName: "file"), completion: .file())
    var files: [FileArgument] = []

    func validate() throws {
        if failed == !files.isEmpty { throw ValidationError("Give at least one photo, or --failed, but not both.") }
    }

    func run() throws { try folders.request { try RetryRequest.send(failed ? nil : files.map(\.path), settings: $0) } }
}

struct Remake: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remake stickers whose settings or weights changed.",
        discussion: """
            Photos are read from the inbox, or from the folder they were moved to; those that are gone are skipped. \
            Each old sticker stays until the new one is ready. The pack keeps its order, and its names unless settings that \
            name files changed. A running daemon reloads its settings and begins at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions
    @OptionGroup var network: ModelOption

    @Flag(exclusivity: .exclusive)
    var scope = Scope.changed

    enum Scope: String, EnumerableFlag {
        case changed, all

        static func help(for scope: Scope) -> ArgumentHelp? {
            switch scope {
            case .changed: "Remake only stickers made with other settings or weights."
            case .all: "Remake all stickers."
            }
        }
    }

    func run() throws {
        try folders.request(model: network.model) { try RemakeRequest.send(all: scope == .all, settings: $0) }
    }
}

struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove stickers, or all stickers of photos, for good.",
        discussion: """
            Give stickers by their path, or by their path in the outbox; photos by their path, or by their path in the inbox. A \
            photo's stickers are those in its own pack; one without a sticker leaves the list of those that failed or have no \
            clear subject. The photos stay, and their stickers are not made again until they are restored. A running daemon \
            removes the files at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions

    @Argument(help: ArgumentHelp("The stickers and photos.", valueName: "file"), completion: .file())
    var files: [FileArgument]

    func run() throws { try folders.request { try RemovalRequest.remove(files.map(\.path), settings: $0) } }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make removed stickers again.",
        discussion: """
            Give stickers by the path they had, or by that path in the outbox; pack.json lists them. Or give their photos. A \
            running daemon makes them at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions

    @Argument(help: ArgumentHelp("The removed stickers, or their photos.", valueName: "file"), completion: .file())
    var files: [FileArgument]

    func run() throws { try folders.request { try RemovalRequest.restore(files.map(\.path), settings: $0) } }
}

extension FolderOptions {
    /// Sends a request to the daemon of these flags, running or not, and prints what becomes of it. A part that was
    /// refused is a failure.
    fileprivate func request(model: String? = nil, _ send: (Settings) throws -> RequestOutcome) throws {
        let settings = try find(model: model)
        try StateOwner.become(for: settings)
        let outcome = try send(settings)
        for line in outcome.lines { Output.print(line) }
        guard !outcome.complaints.isEmpty else { return }
        Output.complain(outcome.complaints.joined(separator: "\n"))
        throw ExitCode(ExitStatus.failure)
    }
}
