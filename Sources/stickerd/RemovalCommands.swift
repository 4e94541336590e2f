import ArgumentParser
import DaemonSettings
import StickerDaemon

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

    func run() throws {
        try RemovalOutput.run(folders) { settings in
            let outcome = try RemovalRequest.remove(files.map(\.path), settings: settings)
            let stickers = outcome.stickers == 1 ? "1 sticker" : "\(outcome.stickers) stickers"
            let photos = RemovalOutput.photos(outcome) + " without a sticker"
            let both = outcome.photos == 0 ? stickers : outcome.stickers == 0 ? photos : "\(stickers) and \(photos)"
            RemovalOutput.print(outcome, "\(both) will be removed")
            return outcome
        }
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make removed stickers again.",
        discussion: """
            Give stickers by the path they had, or by that path in the outbox; pack.json lists them. Or give their photos. A \
            running daemon makes them at once; otherwise the next start does.
            """)

    @OptionGroup var folders: FolderOptions

    @Argument(help: ArgumentHelp("The removed stickers, or their photos.", valueName: "file"))
    var files: [FileArgument]

    func run() throws {
        try RemovalOutput.run(folders) { settings in
            let outcome = try RemovalRequest.restore(files.map(\.path), settings: settings)
            RemovalOutput.print(outcome, "\(RemovalOutput.photos(outcome)) will be processed again")
            return outcome
        }
    }
}

/// What both commands print, and their exit status.
private enum RemovalOutput {
    static func run(_ folders: FolderOptions, _ request: (Settings) throws -> RemovalRequest.Outcome) throws {
        do {
            let settings = try folders.find()
            try StateOwner.become(for: settings)
            let outcome = try request(settings)
            let complaints = outcome.refused + (outcome.needsReload ? [DaemonWaking.refusal] : [])
            guard !complaints.isEmpty else { return }
            Output.complain(complaints.joined(separator: "\n"))
            throw ExitCode(ExitStatus.failure)
        } catch {
            throw complaint(about: error)
        }
    }

    static func photos(_ outcome: RemovalRequest.Outcome) -> String {
        outcome.photos == 1 ? "1 photo" : "\(outcome.photos) photos"
    }

    static func print(_ outcome: RemovalRequest.Outcome, _ sum: String) {
        if outcome.stickers + outcome.photos > 0 {
            Output.print(sum + (outcome.isUnderWay ? "" : " at the next start"))
        }
        for line in outcome.postponed { Output.print(line) }
    }
}
