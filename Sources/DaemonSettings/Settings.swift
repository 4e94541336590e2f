import FoundationEssentials
package import Inbox
package import Logging
package import PackExports
import PackFacts
package import Packs
import PhotoCodecs
package import PhotoRule
package import Processing
package import StickerStudio
package import SystemPackage

/// All settings, validated: every value is within the range of its key.
///
/// Most are in the values that the modules below take. Some of those depend on several settings or on the model:
/// `recipe`, `processing`, `packs`, `inboxRules` and `originals` complete them. Two settings are equal if every key has
/// the same value, regardless of the sources.
package struct Settings: Sendable {
    /// Absolute, with symbolic links unresolved; neither inside `outbox` nor around it.
    package internal(set) var inbox: FilePath
    /// Absolute, symbolic links unresolved.
    package internal(set) var outbox: FilePath
    /// Absolute, symbolic links unresolved; never inside `inbox` or `outbox`.
    package internal(set) var state: FilePath
    /// A network to use instead of the embedded one; absolute.
    package internal(set) var model: FilePath?
    /// Without the gallery.
    package internal(set) var pack: PackSettings
    package internal(set) var hasGallery: Bool
    package internal(set) var gallery: PackSettings.Gallery
    /// The messengers and servers that each pack is written for.
    package internal(set) var exports: [ExportName]
    package internal(set) var imessageSize: IMessageSize
    /// Without outline width and shadow.
    package internal(set) var sticker: StickerRecipe
    /// In pixels of the finished sticker; nil for the usual fraction of its size.
    package internal(set) var outlineWidth: Int?
    /// 0 for no shadow.
    package internal(set) var shadowOpacity: Double
    /// In pixels of the finished sticker; nil for the usual fractions of its size.
    package internal(set) var shadowRadius: Int?
    package internal(set) var shadowOffset: Int?
    package internal(set) var format: StickerFormat
    /// Of a WebP sticker; 0 for no limit.
    package internal(set) var maxBytes: Int
    /// Without the recipe.
    package internal(set) var processing: ProcessorSettings
    /// Without the folders that are never read.
    package internal(set) var watch: InboxRules
    /// For finished photos, used only in the mode `archive`; absolute, with symbolic links unresolved.
    package internal(set) var archive: FilePath
    /// For failed photos, used in every mode except `keep`; as `archive`.
    package internal(set) var failed: FilePath
    package internal(set) var whenPhotoRemoved: WhenPhotoRemoved
    /// How long the attempts and moves of photos that left the inbox are kept; 0 for forever.
    package internal(set) var historyDays: Int
    /// Number of worker processes; 0 means one per core.
    package internal(set) var workers: Int
    package internal(set) var logLevel: Logger.Level
    /// For Prometheus; absolute, `.prom` at the end; nil for none.
    package internal(set) var metricsFile: FilePath?

    /// The settings file, if one was read.
    package internal(set) var file: FilePath?
    /// The source of each key's value; keys that are missing here have their defaults.
    package internal(set) var sources: [String: SettingsSource] = [:]

    init(folders: DefaultFolders) {
        (inbox, outbox, state) = (folders.inbox, folders.outbox, folders.state)
        (archive, failed) = (folders.inbox, folders.inbox)
        // Every value is replaced by its key's default.
        pack = PackSettings(name: "", identifier: "", publisher: "", colorCount: 0)
        (hasGallery, gallery) = (false, PackSettings.Gallery(maxArchiveBytes: 0))
        (exports, imessageSize) = ([], .regular)
        (sticker, shadowOpacity, format, maxBytes) = (StickerRecipe(), 0, .png, 0)
        processing = ProcessorSettings(
            recipe: Recipe(sticker: sticker, format: format), limits: DecodeLimits(), timePerPhoto: .zero,
            keepStem: false)
        watch = InboxRules(recursive: false, settleSeconds: 0, rescanSeconds: 0, ignorePatterns: [])
        (whenPhotoRemoved, historyDays, workers, logLevel) = (.keep, 0, 0, .info)
        for key in SettingKey.all { key.reset(&self) }
        placeOriginals()
    }

    /// The bytes to keep free on the disks of outbox and state; with less, no photo is claimed and no pack written.
    package internal(set) var minFreeBytes: Int {
        get { processing.minFreeBytes }
        set { (processing.minFreeBytes, pack.minFreeBytes) = (newValue, newValue) }
    }

    /// Sets the folders for originals to their defaults next to the inbox, unless they are set.
    mutating func placeOriginals() {
        let parent = inbox.removingLastComponent()
        if sources["originals.archive"] == nil { archive = parent.appending("archive") }
        if sources["originals.failed"] == nil { failed = parent.appending("failed") }
    }
}

extension Settings: Equatable {
    package static func == (left: Settings, right: Settings) -> Bool {
        SettingKey.all.allSatisfy { $0.isSame(left, right) }
    }
}

extension Settings {
    /// Reads and checks all settings; creates nothing. Precedence: flag > environment > file > systemd's directories >
    /// XDG's > defaults.
    ///
    /// - Parameter environment: the variables that are named like keys, and systemd's and XDG's, are read.
    /// - Parameter configFile: must exist if given; otherwise `config.json` in systemd's `CONFIGURATION_DIRECTORY` or
    ///   XDG's configuration folder is read if it exists.
    /// - Parameter hasDefaultFile: false to read none without `configFile`.
    ///
    /// Relative folders start at the settings file's folder if they are set there, otherwise at the working directory;
    /// `~/` is the user's home.
    package static func load(
        arguments: SettingsOverrides, environment: [String: String], configFile: FilePath?, hasDefaultFile: Bool = true
    ) throws(SettingsError) -> Settings {
        let defaults = DefaultFolders(environment: environment)
        var loading = Loading(settings: Settings(folders: defaults), home: defaults.home)

        let path = workingFolder.pushing(configFile ?? defaults.configFile)
        if configFile != nil || hasDefaultFile, let file = try SettingsFile.read(path, mustExist: configFile != nil) {
            loading.settings.file = path
            loading.problems += file.problems
            for entry in file.entries {
                let source = SettingsSource.file(path, line: entry.line)
                loading.take(entry.value, for: entry.key, from: source, base: path.removingLastComponent())
            }
        }

        // Foundation replaces what is not UTF-8 in a variable, which would then lead to another folder.
        loading.problems += environment.keys.sorted().filter {
            (DefaultFolders.variables.contains($0) || $0.hasPrefix(SettingKey.environmentPrefix))
                && environment[$0]?.contains("\u{FFFD}") == true
        }.map { .init(key: nil, source: .environment($0), reason: "must be UTF-8") }
        let keys = Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.environmentName, $0) })
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(SettingKey.environmentPrefix) {
            guard let key = keys[name] else { continue }
            loading.take(key.shape.value(of: text), for: key.name, from: .environment(name), base: workingFolder)
        }

        for (key, text) in arguments.values {
            loading.take(.text(text), for: key, from: .flag("--\(key)"), base: workingFolder)
        }
        for assignment in arguments.assignments { loading.take(assignment, base: workingFolder) }
        loading.settings.placeOriginals()
        loading.problems +=
            loading.settings.roomProblems + loading.settings.folderProblems + loading.settings.metricsProblems
        guard loading.problems.isEmpty else { throw SettingsError(problems: loading.problems) }
        return loading.settings
    }

    /// The variables that begin like settings but are none, which have no effect. No errors: Kubernetes sets
    /// `STICKERD_PORT` and others if a service is called stickerd.
    package static func unknownVariables(in environment: [String: String]) -> [SettingsProblem] {
        let known = SettingKey.all.map(\.environmentName)
        return environment.keys.sorted().filter { $0.hasPrefix(SettingKey.environmentPrefix) && !known.contains($0) }
            .map { name in
                .init(
                    key: nil, source: .environment(name), reason: "unknown setting; it has no effect",
                    suggestion: NearestName.of(name, among: known))
            }
    }

    /// Outline, shadow and padding are part of `sticker.size`; at least half of it must remain for the subject.
    private var roomProblems: [SettingsProblem] {
        guard !recipe(nil).sticker.leavesRoom else { return [] }
        // Report a key that was set, not a default.
        let keys = SettingKey.all.map(\.name).filter { $0.hasPrefix("sticker.") && sources[$0] != nil }
        let key = keys.last { $0 != "sticker.keepStem" && $0 != "sticker.format" } ?? "sticker.size"
        let reason = """
            sticker.outline.width, sticker.shadow and sticker.padding together leave less than half of sticker.size, \
            which is \(sticker.size)
            """
        return [.init(key: key, source: sources[key] ?? .builtIn, reason: reason)]
    }
}

/// The settings while sources are being read, and the problems so far.
private struct Loading {
    var settings: Settings
    let home: FilePath?
    var problems: [SettingsProblem] = []

    mutating func take(_ value: JSONValue, for name: String, from source: SettingsSource, base: FilePath) {
        guard let key = SettingKey.named[name] else {
            let nearest = NearestName.of(name, among: SettingKey.all.map(\.name))
            problems.append(.init(key: name, source: source, reason: "unknown key \(name.quoted)", suggestion: nearest))
            return
        }
        guard let value = absolute(value, key.shape, base) else {
            let reason = "\(name) is relative to \(base), whose name must be UTF-8; give an absolute path"
            problems.append(.init(key: name, source: source, reason: reason))
            return
        }
        guard key.assign(value, &settings) else {
            let nearest = key.shape.nearest(to: value)
            var reason = "\(name) must be \(key.shape), not \(key.shape.invalidPart(of: value))"
            let isFile = if case .file = source { true } else { false }
            if !isFile, nearest == nil, value.list?.first?.text?.contains(where: { ",;[ ".contains($0) }) == true {
                reason += "; separate items with colons, without brackets or quotes"
            }
            problems.append(.init(key: name, source: source, reason: reason, suggestion: nearest))
            return
        }
        settings.sources[name] = source
    }

    /// Takes `key=value` from the command line.
    mutating func take(_ assignment: String, base: FilePath) {
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let flag = SettingsSource.flag("--set \(parts[0])")
        guard parts.count == 2 else {
            problems.append(
                .init(key: nil, source: .flag("--set"), reason: "expected KEY=VALUE, not \(assignment.quoted)"))
            return
        }
        let value = SettingKey.named[parts[0]].map { $0.shape.value(of: parts[1]) }
        take(value ?? .text(parts[1]), for: parts[0], from: flag, base: base)
    }

    /// Nil if the path is not UTF-8: the names in settings are text.
    private func absolute(_ value: JSONValue, _ shape: SettingShape, _ base: FilePath) -> JSONValue? {
        guard shape == .folder || shape == .file, shape.admits(value), let text = value.text, !text.isEmpty else {
            return value
        }
        if let home, text == "~" || text.hasPrefix("~/") { return .text(home.string + text.dropFirst()) }
        return String(validating: base.pushing(FilePath(text))).map { .text($0) }
    }
}

/// Settings from the command line; nil if not given. Relative folders start at the working directory.
package struct SettingsOverrides: Sendable, Equatable {
    package var inbox: String?
    package var outbox: String?
    package var state: String?
    package var model: String?
    /// `key=value` each, such as `sticker.size=300`; values are written as in the environment. They override the flags.
    package var assignments: [String]

    package init(
        inbox: String? = nil, outbox: String? = nil, state: String? = nil, model: String? = nil,
        assignments: [String] = []
    ) {
        self.assignments = assignments
        self.model = model
        self.inbox = inbox
        self.outbox = outbox
        self.state = state
    }

    /// Key and value of each given flag; a flag has its key's name.
    var values: [(key: String, text: String)] {
        [("inbox", inbox), ("outbox", outbox), ("state", state), ("model", model)].compactMap { key, text in
            text.map { (key, $0) }
        }
    }
}
