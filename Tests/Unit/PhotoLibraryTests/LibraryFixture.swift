import FileNames
import Foundation
import LibraryCommands
import LinuxIO
import OutboxLayout
import PackLedger
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import PhotoLikeness
import PhotoRaster
import PhotoRule
import SystemPackage
import TestSupport
import Testing

/// A Library in its own folder, with functions to fill it.
struct LibraryFixture {
    let folder: TemporaryFolder
    let library: Library

    /// In a folder of its own.
    init() {
        // A stored property of the suites: if this threw, each of them would need an initializer.
        do { try self.init(in: TemporaryFolder()) } catch { fatalError("no Library: \(error)") }
    }

    init(in folder: TemporaryFolder, outbox: String = "/outbox") throws {
        self.folder = folder
        library = try Library(in: folder.path, outbox: outbox)
    }

    static func path(_ text: String) -> InboxPath { InboxPath(bytes: Array(text.utf8)) }

    static func identity(_ version: Int64 = 1) -> FileIdentity {
        FileIdentity(device: 1, inode: 7, size: 100, modified: version, changed: version)
    }

    /// A file that is recognized by its inode under another name.
    static func arrival(_ name: String, inode: UInt64 = 7, changed: Int64 = 1) -> Arrival {
        let identity = FileIdentity(device: 1, inode: inode, size: 100, modified: 1, changed: changed)
        return Arrival(path: path(name), identity: identity, verdict: .ready)
    }

    @discardableResult
    func arrive(_ names: String..., version: Int64 = 1) async throws -> Int {
        try await library.record(
            names.map { Arrival(path: Self.path($0), identity: Self.identity(version), verdict: .ready) })
    }

    /// Gives a file another name, as the Inbox does. Returns how many files are to be read.
    @discardableResult
    func rename(_ former: String, to name: String, inode: UInt64 = 7, changed: Int64 = 2) async throws -> Int {
        let arrival = Self.arrival(name, inode: inode, changed: changed)
        let recorded = try await library.record([arrival], renamed: [arrival.path: Self.path(former)])
        try await forget(former)
        return recorded
    }

    func forget(_ names: String...) async throws { try await library.forget(names.map(Self.path)) }

    func claimOne() async throws -> Claim? { try await library.claim(limit: 1).first }

    func next() async throws -> Claim { try #require(try await claimOne()) }

    /// Records the claimed photo, as the Processor does, and returns what to do.
    func begin(_ claim: Claim, photo: String) async throws -> Resolution.Kind {
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: claim.pack, candidates: [claim.pack])
        return try await library.resolve(claim, photo: photo).kind
    }

    /// Records each file with its photo, and makes its sticker, if it has none.
    func make(_ photos: KeyValuePairs<String, String>, originals: OriginalsMode = .keep) async throws {
        for (name, photo) in photos {
            try await arrive(name)
            try await makeSticker(next(), photo: photo, originals: originals)
        }
    }

    /// The first file that is to be moved or removed.
    func dueOriginal() async throws -> Original {
        try #require(try await library.dueOriginals(in: .max, limit: 1).first)
    }

    /// Moves the next file that is due to the archive, under its own name if none is given.
    func archive(as name: String? = nil) async throws {
        let original = try await dueOriginal()
        #expect(try await library.recordTarget(FilePath("/archive/\(name ?? "\(original.path)")"), for: original))
        #expect(try await library.conclude(original, as: .moved))
    }

    /// Ends a new file as a photo without a subject, or as failed; without `photo`, before it was hashed.
    func end(
        _ name: String, photo: String?, as state: FileState = .noSubject, originals: OriginalsMode = .keep
    ) async throws {
        try await arrive(name)
        let claim = try await next()
        if let photo { _ = try await begin(claim, photo: photo) }
        let ending =
            state == .failed ? .failed(reason: "broken") : Ending.noSubject(result(photo: photo ?? ""), stems: ["n"])
        try await library.finish(claim, as: ending, originals: originals)
    }

    /// The photos of a pack's stickers, in their order.
    func stickers(_ pack: String = "") async throws -> [String] {
        try await library.stickerRecords(ofPack: pack).map(\.photo)
    }

    /// The files to remove from a pack.
    func withdrawn(_ pack: String = "") async throws -> [String] {
        try await library.summary(ofPack: pack, listed: 0).withdrawn
    }

    func count(_ state: FileState) async throws -> Int { try await library.status().photos[state, default: 0] }

    /// Requests a remake of all photos, or of those with another recipe. Returns how many files are read again.
    @discardableResult
    func remake(otherThan recipe: String? = nil) throws -> Int {
        try Library.requestRemake(in: folder.path, otherThan: recipe).photos
    }

    /// - Parameter added: when the sticker came into its pack.
    func makeSticker(
        _ claim: Claim, photo: String, added: Date = Date(timeIntervalSince1970: 1), originals: OriginalsMode = .keep
    ) async throws {
        let made = Ending.made(
            [record(photo: photo, pack: claim.pack, added: added)], result: result(photo: photo), stems: [photo])
        let ending = try await begin(claim, photo: photo) == .upToDate ? .upToDate() : made
        try await library.finish(claim, as: ending, originals: originals)
        try await list()
    }

    /// Records that the packs' indexes list all stickers.
    func list() async throws {
        for pack in try await library.packNames() {
            let summary = try await library.summary(ofPack: pack.text, listed: 0)
            try await library.record(index: summary.revision, removed: [], listed: summary.unlisted, ofPack: pack.text)
        }
    }

    /// Pure red.
    static let colors = ColorExtractor(Raster(width: 1, height: 1, pixels: [255, 0, 0, 255])).sample()

    func result(photo: String, confidence: Double = 0.9, likeness: PerceptualHash? = nil) -> Ending.Result {
        .init(
            photo: photo,
            facts: PhotoFacts(
                format: .jpeg, width: 4, height: 3, confidence: confidence, colors: Self.colors, likeness: likeness),
            recipe: "r")
    }

    func record(
        photo: String, pack: String = "", ordinal: Int = 0, added: Date = Date(timeIntervalSince1970: 1)
    ) -> StickerRecord {
        StickerRecord(
            StickerFacts(width: 512, height: 300, confidence: 0.9), pack: pack, photo: photo, ordinal: ordinal,
            file: ordinal == 0 ? "\(photo).png" : "\(photo)-\(ordinal).png", bytes: 5, sha256: "s", recipe: "r",
            added: added)
    }
}

extension Resolution {
    enum Kind { case work, copy, upToDate }

    var kind: Kind {
        switch self {
        case .work: .work
        case .copy: .copy
        case .upToDate: .upToDate
        }
    }
}

extension Library {
    /// Records all pages of a pack that are due as written.
    @discardableResult
    func writeDuePages(ofPack pack: String) async throws -> [DuePage] {
        var due: [DuePage] = []
        while let next = try await nextDuePage(ofPack: pack, after: due.last?.page) { due.append(next) }
        try await recordWritten(due.map(\.page), ofPack: pack)
        return due
    }

    func recordWritten(_ pages: [PackPage], ofPack pack: String) async throws {
        let files = pages.map { (LedgerPart.page($0.name.number), [LedgerEntry(file: $0.name.file(.index), key: "")]) }
        try await record(pages, ofPack: pack, with: Dictionary(uniqueKeysWithValues: files))
    }

    /// All stickers of a pack in order of arrival.
    func stickerRecords(ofPack pack: String) async throws -> [StickerRecord] {
        try await stickers(ofPack: pack, limit: .max).map(\.sticker)
    }
}

extension Library.RemovalName {
    /// A name without a folder above, which may be a sticker's or a photo's.
    init(_ name: String, isPhoto: Bool = false) { self.init(sticker: name, photo: name, isPhoto: isPhoto) }
}
