import Gallery
import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import PhotoLibrary

/// The list of packs, which all pages load: one small file for the whole outbox, so that no pack's page changes when
/// another pack does.
struct NavigationFile {
    let library: Library
    let publisher: Publisher
    let settings: PackSettings

    /// Writes it if it has changed. Without a gallery, the root pack's next write removes it.
    ///
    /// - Throws: as `Publisher.publish`.
    func write() async throws {
        let plan = settings.gallery == nil ? [] : [try PlannedFile(OutboxFile.packs, try await list().bytes)]
        let changes = try await publisher.publish([(.packs, plan)], inPack: "")
        try await library.record(changes, ofPack: "", isWhole: true)
    }

    private func list() async throws -> PackNavigation {
        PackNavigation(
            try await library.links().map { link in
                let description = settings.description(ofPack: link.name, folder: link.folder)
                return .init(
                    name: description.name, identifier: description.identifier, folder: link.folder,
                    stickers: link.stickers,
                    cover: link.cover.map { link.folder.isEmpty ? $0 : "\(link.folder)/\($0)" })
            })
    }
}
