package import PhotoCodecs
import PhotoColors
import PhotoRaster
package import SubjectModel

/// Turns one photo at a time into a `ProcessedPhoto`: decoded once, then sticker and colors in parallel.
///
/// It owns the network it was made with and keeps nothing of a photo after returning.
package struct PhotoProcessor: Sendable {
    private let network: SubjectNetwork

    /// Builds the network's runtime: do this once per process.
    package init() throws(SubjectModelError) {
        network = try SubjectNetwork()
    }

    /// - Throws: `CodecError` where the photo is at fault, `SubjectModelError` where the network is.
    package func process(_ source: PhotoSource, recipe: Recipe, limits: DecodeLimits) async throws -> ProcessedPhoto {
        let clock = ContinuousClock()
        let start = clock.now
        let photo = try PhotoDecoder(limits: limits).decode(source, workingSide: recipe.workingSide)
        let decoded = clock.now

        async let colors = extractColors(of: photo.raster, count: recipe.colorCount)
        let mask = try await network.probability(of: photo.raster)
        let masked = clock.now
        let cutOut = StickerStudio(recipe: recipe.sticker).cutOut(photo: photo.raster, mask: mask)
        let cut = clock.now

        var stickers: [ProcessedPhoto.Sticker] = []
        if case .sticker(let raster, _) = cutOut {
            stickers.append(
                .init(data: try recipe.format.encode(raster), width: raster.width, height: raster.height))
        }
        let encoded = clock.now
        let (scheme, colorTime) = await colors
        return ProcessedPhoto(
            format: photo.format, width: photo.photoWidth, height: photo.photoHeight, confidence: cutOut.confidence,
            stickers: stickers, colors: scheme,
            timings: .init(
                decode: (decoded - start).microseconds, mask: (masked - decoded).microseconds,
                cutOut: (cut - masked).microseconds, encode: (encoded - cut).microseconds, colors: colorTime))
    }

    /// The soft matte before crop and outline, as an 8-bit grey PNG of the photo's full upright size.
    ///
    /// - Throws: as `process`.
    package func mask(_ source: PhotoSource, recipe: Recipe, limits: DecodeLimits) async throws -> [UInt8] {
        let photo = try PhotoDecoder(limits: limits).decode(source, workingSide: recipe.workingSide)
        let probability = try await network.probability(of: photo.raster)
        let matte = StickerStudio(recipe: recipe.sticker).matte(mask: probability, for: photo.raster)
        return try MatteImage.encode(matte, width: photo.photoWidth, height: photo.photoHeight)
    }

    @concurrent
    private func extractColors(of raster: Raster, count: Int) async -> (PhotoColorScheme, Int) {
        let clock = ContinuousClock()
        let start = clock.now
        let scheme = ColorExtractor(raster).extract(count: count)
        return (scheme, (clock.now - start).microseconds)
    }
}

extension Duration {
    /// Whole microseconds.
    package var microseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
