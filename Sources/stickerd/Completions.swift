import ArgumentParser
import DaemonSettings

/// What shells offer for arguments. All words are the program's own: bash runs what it finds in a word list.
extension CompletionKind {
    /// Photos by the usual extensions. Shells distinguish upper and lower case, and cameras write either.
    static var photos: CompletionKind {
        .file(
            extensions: ["avif", "heic", "heif", "jpeg", "jpg", "png", "webp"].flatMap { [$0, $0.uppercased()] })
    }

    /// Files in JSON.
    static var json: CompletionKind { .file(extensions: ["json"]) }

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
