import FileNames
import LinuxIO
import OutboxLayout

/// The path of a file of an export, relative to the export's folder, checked: it leads nowhere else.
struct ExportPath: Hashable, Sendable {
    /// The most names in a path.
    static let maxNames = 3
    /// NAME_MAX.
    private static let maxNameBytes = 255

    let text: String

    /// Why an export is withheld.
    static let reason = ExportPath(unchecked: ExportFiles.reason)

    private init(unchecked text: String) { self.text = text }

    /// nil unless it is one to three plain names that stickerd does not use itself.
    init?(_ text: String) {
        guard Self.isRelative(text), text.utf8.contains(Self.slash) || !Self.reserved.contains(FoldedName(text))
        else { return nil }
        self.text = text
    }

    var folders: [String] { Self.names(in: text).dropLast() }
    var name: String { Self.names(in: text).last ?? text }

    static func == (left: ExportPath, right: ExportPath) -> Bool { left.text.isExactly(right.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(ExactName(text)) }

    private static let slash = UInt8(ascii: "/")

    /// Not by characters: a slash and a combining mark behind it are one.
    private static func names(in text: String) -> [String] {
        text.utf8.split(separator: slash, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Whether it is one to three plain names.
    static func isRelative(_ text: String) -> Bool {
        let names = names(in: text)
        return (1...maxNames).contains(names.count) && names.allSatisfy { isPlain($0) }
    }

    /// Whether it can be the name of a file: no dots alone, nothing that a terminal or another system misreads.
    static func isPlain(_ name: some StringProtocol) -> Bool {
        (1...maxNameBytes).contains(name.utf8.count) && name != "." && name != ".."
            && !name.unicodeScalars.contains {
                $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control
            }
            && !AtomicFile.isTemporary(Array(name.utf8))
    }

    /// The names of the files about exports, and of their folders.
    private static let reserved = Set(
        [ExportFiles.list, ExportFiles.owner, ExportFiles.names, ExportFiles.script, ExportFiles.pictures]
            .map { FoldedName($0) })
}
