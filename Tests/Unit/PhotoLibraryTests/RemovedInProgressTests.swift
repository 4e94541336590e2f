import PhotoLibrary
import TestSupport
import Testing

@Suite("Photos removed from the inbox while they are in progress")
struct RemovedInProgressTests {
    private let fixture: LibraryFixture
    private let path = LibraryFixture.path("a")

    init() throws {
        fixture = try LibraryFixture()
        fixture.library.adopt(.withdraw)
    }

    private func claim() async throws -> Claim {
        try await fixture.arrive("a")
        return try #require(try await fixture.claimOne())
    }

    @Test("They are reported as unfinished until the sticker is made, which is then withdrawn")
    func made() async throws {
        let claim = try await claim()
        #expect(try await fixture.library.forget([path]) == [path])
        #expect(try await fixture.library.forget([path], isLogged: true) == [path])
        try await fixture.makeSticker(claim, photo: "p")
        #expect(try await fixture.library.forget([path], isLogged: true) == [])
        #expect(try await fixture.library.stickerRecords(ofPack: "").isEmpty)
        #expect(try await fixture.library.known(inFolder: nil).isEmpty)
    }

    @Test("A photo without a sticker is forgotten")
    func failed() async throws {
        let claim = try await claim()
        #expect(try await fixture.library.forget([path]) == [path])
        try await fixture.library.finish(claim, as: .failed(reason: "damaged"))
        #expect(try await fixture.library.forget([path], isLogged: true) == [])
        #expect(try await fixture.library.status().photos.values.reduce(0, +) == 0)
    }
}
