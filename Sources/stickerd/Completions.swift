import ArgumentParser
import DaemonSettings

/// What shells offer for arguments. All words are the program's own: bash runs what it finds in a word list.
extension CompletionKind {
    /// Photos by the usual extensions. Shells distinguish upper and lower case, and cameras write either.
    static var photos: CompletionKind {
        files(["avif", "heic", "heif", "jpeg", "jpg", "png", "webp"].flatMap { [$0, $0.uppercased()] })
    }

    /// Files with one of these extensions, and folders; in fish, all files. What the parser writes for extensions in
    /// fish finds nothing below `~`, nor after a blank.
    static func files(_ extensions: [String]) -> CompletionKind {
        CompletionShell.requesting == .fish ? .file() : .file(extensions: extensions)
    }

    /// Folders: as above, the parser's own way for fish finds too few.
    static var folders: CompletionKind {
        CompletionShell.requesting == .fish ? .shellCommand("__fish_complete_directories") : .directory
    }

    /// `key=` of each setting, or `key=value` of those with few values.
    static var assignments: CompletionKind {
        .list(
            SettingKey.all.flatMap { key in
                let values =
                    switch key.shape {
                    case .flag: ["true", "false"]
                    case .choice(let choices), .choices(let choices): choices
                    default: [""]
                    }
                return values.map { "\(key.name)=\($0)" }
            })
    }
}
