import Foundation
import PhotoRaster
import TestSupport
import Testing

import StickerStudio

@Suite("Colors along the subject's edge")
struct EdgeColorsTests {
    /// The background's fraction in the colors of the subject's outermost two pixels.
    private struct Rim {
        /// For each visible pixel, nearly, the background's share 0…1 beyond the subject's own color, around the
        /// subject.
        var shares: [Float] = []

        init(of picture: Raster, cutWith opacity: Plane, drawn: DrawnSubject) {
            var places: [(angle: Float, share: Float)] = []
            for index in opacity.values.indices where Self.isOnRim(index, of: opacity) {
                let (x, y) = (index % opacity.width, index / opacity.width)
                let color = SIMD3(picture[x, y].prefix(3).map { Float($0) })
                let step = drawn.behind[index] - drawn.colors[index]
                let share = ((color - drawn.colors[index]) * step).sum() / (step * step).sum()
                let angle = atan2(Float(y) - Float(opacity.height) / 2, Float(x) - Float(opacity.width) / 2)
                places.append((angle, share))
            }
            shares = places.sorted { $0.angle < $1.angle }.map { max($0.share, 0) }
        }

        /// Whether a pixel of the subject is at most 2.5 pixels away from one outside.
        private static func isOnRim(_ index: Int, of opacity: Plane) -> Bool {
            guard opacity.values[index] >= 0.5 else { return false }
            let (x, y) = (index % opacity.width, index / opacity.width)
            return (max(y - 2, 0)...min(y + 2, opacity.height - 1)).contains { row in
                (max(x - 2, 0)...min(x + 2, opacity.width - 1)).contains { column in
                    opacity[column, row] < 0.5 && (row - y) * (row - y) + (column - x) * (column - x) <= 6
                }
            }
        }

        var mean: Float { shares.reduce(0, +) / Float(shares.count) }
        /// The fraction that 5 % of the pixels exceed.
        var worst: Float { shares.sorted()[shares.count * 19 / 20] }
        /// The difference between neighboring six-pixel segments of the edge.
        var combing: Float {
            let stretches = stride(from: 0, to: shares.count - 6, by: 6).map { shares[$0..<$0 + 6].reduce(0, +) / 6 }
            return zip(stretches, stretches.dropFirst()).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(stretches.count)
        }
    }

    @Test(
        "The last two pixels of a softly photographed subject have its own colors, without combs of background",
        arguments: DrawnSubject.Background.harsh, [Float(2), 5])
    private func rim(background: DrawnSubject.Background, softness: Float) {
        let drawn = DrawnSubject(softness: softness, hairs: 0, background: background)
        let photo = drawn.photo.compressed
        let matte = Matte(mask: drawn.mask, photo: photo)
        let opacity = StickerStudio(recipe: StickerRecipe()).opacity(mask: drawn.mask, for: photo)
        let rim = Rim(of: matte.subject(of: photo, cutWith: opacity), cutWith: opacity, drawn: drawn)
        // The bars are finer than the edge's softness, so only the mean behind a pixel is known.
        #expect(rim.mean < (background == .barred ? 0.087 : 0.05))
        #expect(rim.worst < 0.2)
        #expect(rim.combing < 0.03)
    }
}
