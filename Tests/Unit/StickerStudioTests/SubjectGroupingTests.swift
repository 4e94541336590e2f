import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("One sticker per subject")
struct SubjectGroupingTests {
    private func plane(_ rows: [String]) -> Plane {
        Plane(width: rows[0].count, height: rows.count, values: rows.joined().map { ["#": 1, "+": 0.3][$0] ?? 0 })
    }

    private func opacities(_ parts: SubjectParts) -> [Plane] { (0..<parts.count).map(parts.opacity) }

    @Test("Subjects that do not touch are separated, from left to right, each with its soft edge")
    func separated() {
        let parts = SubjectParts(
            of: plane([
                "..........",
                ".....+###.",
                ".##+..+##.",
                ".##+......",
            ]))
        #expect(
            opacities(parts) == [
                plane(["..........", "..........", ".##+......", ".##+......"]),
                plane(["..........", ".....+###.", "......+##.", ".........."]),
            ])
    }

    @Test("Haze between two subjects is divided between them, and crumbs belong to neither")
    func haze() {
        let parts = SubjectParts(
            of: plane([
                "####++++####",
                "####....####",
                "####..#.####",
            ]))
        #expect(
            opacities(parts) == [
                plane(["####++......", "####........", "####........"]),
                plane(["......++####", "........####", "........####"]),
            ])
    }

    @Test(
        "A single subject stays unchanged",
        arguments: [["....", ".##.", ".#+."], ["####"], ["...."], ["#.......", "....####"]])
    func single(rows: [String]) {
        let plane = plane(rows)
        let parts = SubjectParts(of: plane)
        #expect(parts.count == (rows.count == 2 ? 2 : 1))
        #expect(rows.count == 2 || parts.opacity(of: 0) == plane)
    }

    /// What becomes of two discs in a photo of 300 × 200.
    private func stickers(
        radius: Double = 0.12, otherX: Double, otherY: Double = 0.5, otherRadius: Double = 0.12,
        _ subjects: SubjectGrouping = .auto
    ) -> [Raster] {
        let mask = DrawnMask.disc(x: 0.2, y: 0.5, radius: radius).plane
            .joined(with: DrawnMask.disc(x: otherX, y: otherY, radius: otherRadius).plane)
        let photo = DrawnPicture.flat(width: 300, height: 200, 240, 240, 240)
        return StickerStudio(recipe: StickerRecipe(subjects: subjects)).cutOut(photo: photo, mask: mask).stickers
            .map(\.raster)
    }

    @Test("By default, subjects that the outline does not join are two stickers, and near ones are one")
    func usual() {
        #expect(stickers(otherX: 0.8).count == 2)
        #expect(stickers(otherX: 0.4).count == 1)
    }

    @Test("An island at the photo's border goes if it is clearly smaller, and a scrap goes anywhere")
    func strays() {
        let alone = stickers(otherX: 0.2)
        #expect(stickers(otherX: 0.8, otherY: 1, otherRadius: 0.11) == alone)
        #expect(stickers(otherX: 0.8, otherRadius: 0.035) == alone)
        #expect(stickers(otherX: 0.8, otherRadius: 0.055).count == 1)
        #expect(stickers(otherX: 0.8, otherRadius: 0.055) != alone)
        #expect(stickers(otherX: 0.8, otherY: 1, otherRadius: 0.17).count == 2)
    }

    @Test("A sticker has one outer contour, whatever it shows", arguments: [0.5, 0.8])
    func oneContour(otherX: Double) {
        let together = stickers(otherX: otherX, .together)
        #expect(together.count == 1)
        for sticker in together {
            let visible = BitPlane(width: sticker.width, height: sticker.height) { sticker.pixels[$0 * 4 + 3] > 127 }
            #expect(Regions(of: visible, diagonal: false).count == 1)
        }
    }

    /// The stickers of a picture with its own alpha, 400 × 400, which is where `isVisible`.
    private func stickers(
        _ recipe: StickerRecipe = StickerRecipe(), where isVisible: (_ x: Double, _ y: Double) -> Bool
    ) -> [Raster] {
        let picture = Raster(width: 400, height: 400) { x, y in
            [240, 240, 240, isVisible(Double(x), Double(y)) ? 255 : 0]
        }
        return StickerStudio(recipe: recipe).cutOut(photo: picture, mask: nil).stickers.map(\.raster)
    }

    private func isNear(_ x: Double, _ y: Double, _ center: (x: Double, y: Double), _ radius: Double) -> Bool {
        (x - center.x) * (x - center.x) + (y - center.y) * (y - center.y) <= radius * radius
    }

    @Test("What another island encloses belongs to it, and nothing is lost among many or thin ones")
    func together() {
        let target = stickers { x, y in
            isNear(x, y, (200, 200), 20) || isNear(x, y, (200, 200), 180) && !isNear(x, y, (200, 200), 160)
        }
        #expect(target.count == 1)
        let nine = stickers { x, y in
            isNear(x, y, (Double(Int(x) / 133) * 133 + 66, Double(Int(y) / 133) * 133 + 66), 20)
        }
        #expect(nine.count == 1)
        let stroke = stickers { x, y in isNear(x, y, (330, 330), 40) || y == 100 && 20..<380 ~= x }
        #expect(stroke.count == 1)
        #expect(stroke.first.map { $0.width > 390 } == true)
    }

    @Test("A bridge stays within the picture, with its outline", arguments: [1, 4, 15, 40])
    func bridge(outlineWidth: Int) {
        let recipe = StickerRecipe(outlineWidth: outlineWidth, padding: 2, subjects: .together)
        let pair = stickers(recipe) { x, y in isNear(x, y, (30, 30), 3) || isNear(x, y, (370, 30), 3) || y == 300 }
        #expect(pair.count == 1)
        for sticker in pair {
            let visible = BitPlane(width: sticker.width, height: sticker.height) { sticker.pixels[$0 * 4 + 3] > 127 }
            #expect(Regions(of: visible, diagonal: true).count == 1)
            let border = (0..<sticker.width * sticker.height).filter { index in
                let (x, y) = (index % sticker.width, index / sticker.width)
                return x == 0 || y == 0 || x == sticker.width - 1 || y == sticker.height - 1
            }
            #expect(border.allSatisfy { sticker.pixels[$0 * 4 + 3] == 0 })
        }
    }

    @Test("Separate subjects have their own stickers and confidences; a group shares one")
    func stickers() throws {
        let photo = Raster(width: 300, height: 200) { x, _ in [x < 150 ? 10 : 240, 240, 240, 255] }
        let mask = DrawnMask.disc(x: 0.25, y: 0.6, radius: 0.15).plane
            .joined(with: DrawnMask.disc(x: 0.75, y: 0.4, radius: 0.2).plane)

        let separate = StickerStudio(recipe: StickerRecipe(size: 100, subjects: .separate))
            .cutOut(photo: photo, mask: mask)
        #expect(separate.stickers.count == 2)
        // The middle's color identifies the subject.
        let reds = separate.stickers.map(\.raster).map { $0[$0.width / 2, $0.height / 2][0] }
        #expect(reds == [10, 240])
        #expect(separate.stickers.allSatisfy { max($0.raster.width, $0.raster.height) == 100 })
        #expect(separate.stickers.allSatisfy { 0.5...1 ~= $0.confidence })

        let together = StickerStudio(recipe: StickerRecipe(size: 200, subjects: .together))
            .cutOut(photo: photo, mask: mask)
        #expect(together.stickers.map(\.confidence) == [together.confidence])
    }
}
