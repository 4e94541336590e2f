import Foundation
import LinuxIO
import PackExports
import PhotoLibrary
import StickerStudio
import SystemPackage
import TestSupport
import Testing

@testable import StickerPipeline

/// What others changed among the exports.
extension ExportKeeperTests {
    @Test("A picture that a program wrote to, through its hard link, is made again at the next recheck")
    func overwritten() async throws {
        try await arrive("a.png")
        try await keeping { (keeper: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("exports.js") != nil })
            let picture = try #require(contents("fake/pictures/c0.png"))
            let file = try #require(
                FileHandle(forWritingAtPath: fixture.folder["outbox/exports/fake/pictures/c0.png"].string))
            try file.write(contentsOf: Data("!".utf8))
            try file.close()
            #expect(contents("fake/pictures/c0.png") != picture)
            keeper.recheck()
            #expect(try await fixture.eventually { contents("fake/pictures/c0.png") == picture })
        }
    }

    @Test("Exports that others removed are written again after the next change in the outbox")
    func gone() async throws {
        try await arrive("a.png")
        try await keeping { (keeper: ExportKeeper) async throws in
            try await untilIdle()
            try FileManager.default.removeItem(atPath: fixture.folder["outbox/exports"].string)
            keeper.wake()
            #expect(try await fixture.eventually { contents("exports.js") != nil && contents("fake/list.txt") != nil })
        }
    }

    @Test("Files that others deleted among the exports return without a change in the outbox")
    func deleted() async throws {
        try await arrive("a.png")
        try await keeping { (_: ExportKeeper) async throws in
            try await untilIdle()
            try FileManager.default.removeItem(atPath: fixture.folder["outbox/exports/fake/all.zip"].string)
            fixture.clock.advance(by: .seconds(600))
            #expect(try await eventually { contents("fake/all.zip") != nil })
        }
    }

    @Test("A crash's temporary files are removed")
    func leftovers() async throws {
        try await arrive("a.png")
        for place in [".pictures", "fake", "fake/pictures"] {
            try fixture.folder.write([1], to: "outbox/exports/\(place)/.stickerd-1.tmp")
        }
        try await keeping { (_: ExportKeeper) async throws in
            #expect(try await fixture.eventually { contents("fake/list.txt") != nil })
        }
        #expect(try files().keys.filter { $0.contains(".stickerd-") }.isEmpty)
    }

    // MARK: The outbox
}
