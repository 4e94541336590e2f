package import PhotoLibrary
package import SystemPackage

/// Where one pack's stickers came from: the Library's answers.
package struct StickerSources: Sendable {
    /// All recipes that any sticker was made with, as JSON.
    var recipes: @Sendable () async throws -> [String]
    /// For names of stickers; without those that the Library does not have.
    var origins: @Sendable ([String]) async throws -> [StickerOrigin]
    /// For a photo's SHA-256.
    var places: @Sendable (String) async throws -> [PhotoPlace]

    /// From this process's Library.
    package init(_ library: PhotoLibrary, pack: String) {
        recipes = { try await library.recipes() }
        origins = { try await library.origins(ofStickers: $0, inPack: pack) }
        places = { try await library.places(ofPhoto: $0) }
    }

    /// From the Library of a daemon that may be running. Its calls block.
    ///
    /// - Parameters:
    ///   - state: the state folder.
    ///   - packFolder: relative to the outbox; "" for the root pack.
    package init(libraryIn state: FilePath, packFolder: String) {
        recipes = { try PhotoLibrary.recipes(in: state) }
        origins = { try PhotoLibrary.origins(in: state, ofStickers: $0, inPackFolder: packFolder) }
        places = { try PhotoLibrary.places(in: state, ofPhoto: $0) }
    }
}
