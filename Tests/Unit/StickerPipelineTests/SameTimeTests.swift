import Foundation
import Glibc
import LinuxIO
import PhotoRule
import SystemPackage
import Testing
import TestSupport

/// utimensat(2) gives a file its former modification time after it was overwritten; its ctime still changes.
@Suite("Files with the former modification time", .timeLimit(.minutes(1)))
struct SameTimeTests {
    private let originals = OriginalsFixture()
    private var fixture: PipelineFixture { originals.pipeline }
    private let photo: [UInt8]
    private let other: [UInt8]

    init() throws {
        // Of the same length.
        let photos = try [PipelineFixture.photo(), PipelineFixture.photo(red: 90)]
        let length = photos.map(\.count).reduce(0, max)
        (photo, other) = (
            photos[0] + [UInt8](repeating: 0, count: length - photos[0].count),
            photos[1] + [UInt8](repeating: 0, count: length - photos[1].count)
        )
    }

    /// What another process does to a photo in the inbox.
    enum Change: CaseIterable {
        case permissions, link, rename

        func make(to path: FilePath) {
            let other = FilePath(path.string + ".new")
            // The strings outlive the calls.
            unsafe path.withPlatformString { path in
                unsafe other.withPlatformString { other in
                    switch self {
                    case .permissions: _ = unsafe chmod(path, 0o600)
                    case .link: _ = unsafe Glibc.link(path, other)
                    case .rename: _ = unsafe Glibc.rename(path, other)
                    }
                }
            }
        }
    }

    private static func overwrite(_ path: FilePath, with bytes: [UInt8]) throws {
        var status = stat()
        // All pointers outlive the calls.
        _ = try Errno.retry { unsafe path.withPlatformString { unsafe lstat($0, &status) } }
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.writeAll(bytes)
        var times = [status.st_atim, status.st_mtim]
        _ = try Errno.retry { unsafe futimens(file.rawValue, &times) }
        try file.close()
    }

    @Test("A photo that is overwritten after it was hashed gives no sticker to the photo that it was")
    func overwrittenInProgress() async throws {
        try await originals.drop([("a.png", photo)])
        let reader = try HookedReader { [other] path, _ in try Self.overwrite(path, with: other) }
        try await fixture.processing(reader: reader) { try await fixture.drain($0) }
        #expect(reader.opened == 1)
        #expect(try await fixture.library.stickerRecords(ofPack: "").isEmpty)
    }

    @Test("A photo that gets another link while it waits becomes a sticker, and is moved", arguments: [true, false])
    func linkedBefore(isKept: Bool) async throws {
        try await originals.drop([("a.png", photo)])
        Change.link.make(to: fixture.folder["inbox/a.png"])
        try fixture.folder.remove("inbox/a.png.new")
        try await originals.work(isKept ? .keep : .archive)
        #expect(try await fixture.count(.done) == 1)
        #expect(try originals.files(fixture.folder["inbox"]).isEmpty != isKept)
    }

    @Test("A photo whose ctime alone changes in progress becomes a sticker", arguments: Change.allCases)
    func changedInProgress(change: Change) async throws {
        try await originals.drop([("a.png", photo)])
        let reader = try HookedReader { path, _ in change.make(to: path) }
        try await fixture.processing(reader: reader) { try await fixture.drain($0) }
        #expect(try await fixture.count(.done) == 1)
    }

    @Test(
        "A finished photo that is overwritten is neither deleted nor archived",
        arguments: [OriginalsMode.delete, .archive])
    func overwrittenLater(mode: OriginalsMode) async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.process(mode)
        try Self.overwrite(fixture.folder["inbox/a.png"], with: other)
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]) == ["a.png": other])
    }

    @Test(
        "A finished photo whose ctime alone changed is moved", arguments: [OriginalsMode.delete, .archive],
        [Change.permissions, .link])
    func changedLater(mode: OriginalsMode, change: Change) async throws {
        try await originals.drop([("a.png", photo)])
        try await originals.process(mode)
        change.make(to: fixture.folder["inbox/a.png"])
        try await originals.carryOut()
        #expect(try originals.files(fixture.folder["inbox"]).keys.filter { $0 == "a.png" }.isEmpty)
    }
}
