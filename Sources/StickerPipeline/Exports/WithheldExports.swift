import LinuxIO
package import PackExports
import PhotoLibrary
package import SystemPackage
import Systemd

/// Exports of an outbox that a pack does not have, because the pack breaks a rule.
package struct WithheldExport: Sendable, Equatable {
    /// The pack's folder in the outbox; '' for the root pack.
    package let pack: String
    /// The export's name.
    package let export: String
    /// One line for a person.
    package let reason: String

    /// More folders of an outbox are not read.
    private static let maxFolders = 10_000
    /// A longer reason is cut.
    private static let maxReasonBytes = 4096

    /// Reads the reasons that the daemon wrote, which anyone with access to the outbox may have changed.
    package static func all(in outbox: FilePath, known: [any PackExport] = Exports.all) -> [WithheldExport] {
        guard let root = try? ExportFolder(at: outbox) else { return [] }
        let names = (try? root.names()) ?? []
        let folders = names.filter { $0.kind == .folder }.map { ExactName($0.name) }.sorted().prefix(maxFolders)
        return all(of: root, named: "", known)
            + folders.flatMap { name in
                ((try? root.folder(name.text)) ?? nil).map { all(of: $0, named: name.text, known) } ?? []
            }
    }

    private static func all(of pack: ExportFolder, named name: String, _ known: [any PackExport]) -> [WithheldExport] {
        guard let exports = try? pack.folder(OutboxSubfolder.exports.rawValue) else { return [] }
        return known.compactMap { export in
            guard let folder = try? exports.folder(export.name),
                let bytes = try? folder.contents(of: ExportFiles.reason, upTo: maxReasonBytes)
            else { return nil }
            let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " ")
            return WithheldExport(
                pack: name, export: export.name, reason: PlainText.escaped(line, limit: maxReasonBytes))
        }
    }
}
