import Foundation
import PackExports
import PhotoCodecs
import PhotoColors
import StickerStudio
import SystemPackage
import TestSupport
import Testing

@testable import StickerPipeline

/// When a sticker is enlarged instead of being made from its photo.
extension LargerStickersTests {
    @Test("A sticker is enlarged if its photo is gone, replaced by another, written to, or a link", arguments: 0..<4)
    func fallback(_ kind: Int) async throws {
        try await arrive()
        let place = fixture.folder["inbox/a.png"]
        switch kind {
        case 0: try FileManager.default.removeItem(atPath: place.string)
        case 1:
            try FileManager.default.removeItem(atPath: place.string)
            try fixture.write(try PipelineFixture.photo(red: 40, width: 640), to: "a.png")
        case 2:
            let file = try #require(FileHandle(forWritingAtPath: place.string))
            try file.write(contentsOf: Data([0]))
        default:
            try FileManager.default.moveItem(atPath: place.string, toPath: fixture.folder["b.png"].string)
            try FileManager.default.createSymbolicLink(
                atPath: place.string, withDestinationPath: fixture.folder["b.png"].string)
        }
        try await drawing { maker in
            let store = try store(maker)
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(maker.photos == 0)
            #expect(try store.contents(of: picture) == enlarged(picture))
            #expect(store.stored[picture]?.name.contains("photo") == false)
            #expect(store.enlarged == [picture.sticker.file])
        }
    }

    @Test("A photo that came back gives the picture in the next pass, and the enlarged one is removed")
    func back() async throws {
        try await arrive()
        let (place, other) = (fixture.folder["inbox/a.png"].string, fixture.folder["b.png"].string)
        try FileManager.default.moveItem(atPath: place, toPath: other)
        try await drawing { maker in
            let picture = try await picture()
            let first = try store(maker)
            _ = try await first.make([picture])
            try FileManager.default.moveItem(atPath: other, toPath: place)
            let second = try store(maker)
            _ = try await second.make([picture])
            try second.removeUnused()
            let name = try #require(second.stored[picture]?.name)
            #expect(name != first.stored[picture]?.name)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder["store"].string) == [name])
        }
    }

    @Test("A sticker whose file is not the Library's is enlarged")
    func foreign() async throws {
        try await arrive()
        try await drawing { maker in
            let picture = try await picture()
            try fixture.folder.write(
                try PNGEncoder.encode(DrawnPicture.disc(width: 90, height: 90, red: 9)),
                to: "outbox/\(picture.sticker.file)")
            let store = try store(maker)
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(maker.photos == 0)
            #expect(try store.contents(of: picture) == enlarged(picture))
        }
    }

    @Test("A sticker of another release or model is enlarged")
    func otherWeights() async throws {
        try await arrive()
        try await drawing { maker in
            let store = try store(maker, weights: "others")
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(maker.photos == 0)
        }
    }

    @Test("If the photo cannot be processed, the sticker is enlarged, and that is not tried again")
    func refused() async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { _, _ throws(PictureFailure) in throw .refused("it is broken") }
            let picture = try await picture()
            let memory = PictureMemory()
            for _ in 0..<2 {
                let store = try store(maker, memory: memory)
                #expect(try await store.make([picture]).refused.isEmpty)
                #expect(try store.contents(of: picture) == enlarged(picture))
            }
            #expect(maker.photos == 1)
        }
    }

    @Test(
        "If workers die at the photo, the same pass enlarges the sticker, and after some passes the photo is left alone",
        arguments: [PictureFailure.died("it was killed"), .unreadable("I/O error")])
    func died(_ failure: PictureFailure) async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { _, _ throws(PictureFailure) in throw failure }
            let (picture, memory) = (try await picture(), PictureMemory())
            for _ in 0..<PictureMemory.maxTries + 2 {
                let store = try store(maker, memory: memory)
                let missing = try await store.make([picture])
                #expect(missing.refused.isEmpty && !missing.isTemporary)
                #expect(try store.contents(of: picture) == enlarged(picture))
            }
            #expect(maker.photos == PictureMemory.maxTries)
        }
    }

    @Test("A sticker is enlarged if the larger ones are of other subjects, whatever their size", arguments: [0, 2, 3])
    func otherSubjects(_ count: Int) async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { workers, request async throws(PictureFailure) in
                guard let sticker = try await workers(request).first else { return [] }
                return Array(repeating: sticker, count: count)
            }
            let store = try store(maker)
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(try store.contents(of: picture) == enlarged(picture))
        }
    }

    @Test("A sticker is enlarged if the larger one has the same shape but shows something else")
    func otherCut() async throws {
        try await arrive()
        try await drawing { maker in
            maker.setReply { workers, request async throws(PictureFailure) in
                let usual = request.sticker
                let black = StickerRecipe(
                    size: usual.size, outlineWidth: usual.outlineWidth,
                    outlineColor: HexColor(red: 0, green: 0, blue: 0), shadow: usual.shadow, padding: usual.padding,
                    subjects: usual.subjects)
                return try await workers(Recipe(sticker: black, format: request.format, model: request.weights))
            }
            let store = try store(maker)
            let picture = try await picture()
            #expect(try await store.make([picture]).refused.isEmpty)
            #expect(try store.contents(of: picture) == enlarged(picture))
        }
    }
}
