import Outbox
import OutboxLayout
import PackFacts
import PackLedger
import PhotoLibrary

/// The list of packs, which all pages load: one small file for the whole outbox, so that no pack's page changes when
/// another pack does. It is a script, because a page opened as a file can read no other file.
struct NavigationFile {
    let library: Library
    let publisher: Publisher
    let settings: PackSettings

    /// Writes it if it has changed. Without a gallery, the root pack's next write removes it.
    ///
    /// - Throws: as `Publisher.publish`.
    func write() async throws {
        let plan = settings.gallery == nil ? [] : [try PlannedFile(OutboxFile.packs, try await script())]
        let changes = try await publisher.publish([(.packs, plan)], inPack: "")
        try await library.record(changes, ofPack: "", isWhole: true)
    }

    /// The script: sets one global variable, to an object literal that is JSON. Folders and covers are relative to the
    /// outbox.
    private func script() async throws -> [UInt8] {
        let packs = try await library.links().map { link -> OrderedJSON in
            // A page finds itself by the identifier.
            let description = settings.description(ofPack: link.name, folder: link.folder)
            let cover = link.cover.map { link.folder.isEmpty ? $0 : "\(link.folder)/\($0)" }
            return [
                "name": .string(description.name), "identifier": .string(description.identifier),
                "folder": .string(link.folder), "stickers": .number(link.stickers), "cover": cover.map { .string($0) },
            ]
        }
        let list: OrderedJSON = ["packs": .lines(packs)]
        return Array("globalThis.stickerdPacks = ".utf8) + list.bytes() + Array(";\n".utf8)
    }
}
