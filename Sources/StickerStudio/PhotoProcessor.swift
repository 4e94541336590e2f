package import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLikeness
import PhotoRaster
package import SubjectModel

/// Turns one photo at a time into a `ProcessedPhoto`: decodes it, finds the subject (`SecondPass` says
/// when in two passes), then makes stickers and colors in parallel.
///
/// Keeps the network, and nothing of a photo after returning.
package struct PhotoProcessor: Sendable {
    /// The least longer side of a thumbnail in which the subject is sought, as a fraction of the network's input:
    /// phones' have 320 pixels.
    private static let leastThumbnail = 0.9

    private let network: SubjectNetwork

    /// Builds the network's runtime: do this once per process.
    package init() throws(SubjectModelError) {
        network = try SubjectNetwork()
    }

    /// The same with the network of a file, which may be closed afterwards.
    package init(model: SubjectModelFile) throws(SubjectModelError) {
        network = try SubjectNetwork(model)
    }

    /// Memory and arithmetic of the network.
    package var cost: NetworkCost { network.cost }

    /// The memory of a network other than the embedded one, in bytes; 0 for that one.
    package var extraMemory: Int { network.isForeign ? network.cost.memory : 0 }

    /// The size of the network's input, in pixels.
    package var inputSize: (width: Int, height: Int) { network.inputSize }

    /// - Parameters:
    ///   - hasStickers: whether stickers are made.
    ///   - hasColors: whether colors are sampled; the likeness is found only with both.
    ///   - hasCutPaths: whether stickers have the lines to cut them along.
    /// - Throws: `CodecError` for an error of the photo, `SubjectModelError` for one of the network.
    package func process(
        _ source: PhotoSource, recipe: Recipe, limits: DecodeLimits, hasStickers: Bool = true, hasColors: Bool = true,
        hasCutPaths: Bool = false
    ) async throws -> ProcessedPhoto {
        var watch = Stopwatch()
        var timings = ProcessedPhoto.Timings()
        let decoder = PhotoDecoder(limits: limits)
        let (photo, view) = try await findSubject(of: source, by: decoder, recipe: recipe, &watch, &timings)
        async let colors = hasColors ? await sampleColors(of: photo.raster) : .notSampled
        async let likeness = hasStickers && hasColors ? await likeness(of: photo.raster) : nil
        let studio = StickerStudio(recipe: recipe.sticker)
        var stickers: [ProcessedPhoto.Sticker] = []
        var subjectColors: SampledColors?
        if view.confidence.isClear {
            let subject = studio.lift(
                from: view.raster, mask: view.mask, probability: view.probability, scale: view.reduction(of: photo))
            watch.lap(&timings.matte)
            async let sample =
                hasColors ? await sampleColors(of: subject.colors, opacity: subject.opacity) : .notSampled
            if hasStickers {
                let cutOuts = studio.finish(subject, confidence: view.confidence, hasCutPaths: hasCutPaths)
                watch.lap(&timings.outline)
                stickers = try await encode(cutOuts, foundBy: view.foundBy, recipe: recipe)
                watch.lap(&timings.encode)
            }
            let colors = await sample
            subjectColors = colors.sample.entries.isEmpty ? nil : colors
            timings.colors += colors.time
        }
        var all = await colors
        if let subjectColors, all.area > 0 {
            var merging = Stopwatch()
            let share = subjectColors.area * view.scale(to: photo) / all.area
            all.sample = all.sample.emphasizing(subjectColors.sample, share: share)
            merging.lap(&timings.colors)
        }
        timings.colors += all.time
        let facts = PhotoFacts(
            format: photo.format, width: photo.photoWidth, height: photo.photoHeight,
            confidence: view.confidence.value, colors: all.sample, subjectColors: subjectColors?.sample,
            likeness: await likeness)
        return ProcessedPhoto(facts: facts, stickers: stickers, timings: timings, flaw: photo.flaw)
    }

    /// The opacity that stickers are cut with, before crop and outline, as an 8-bit gray PNG of the photo's full
    /// upright size. Also works for photos without a clear subject.
    ///
    /// - Throws: as `process`.
    package func mask(_ source: PhotoSource, recipe: Recipe, limits: DecodeLimits) async throws -> [UInt8] {
        var watch = Stopwatch()
        var timings = ProcessedPhoto.Timings()
        let decoder = PhotoDecoder(limits: limits)
        let (photo, view) = try await findSubject(
            of: source, by: decoder, recipe: recipe, evenIfUnclear: true, &watch, &timings)
        let opacity = StickerStudio(recipe: recipe.sticker).opacity(
            mask: view.mask, for: view.raster, scale: view.reduction(of: photo))
        return try MatteImage.encode(opacity, of: view.region, width: photo.photoWidth, height: photo.photoHeight)
    }

    /// A finished sticker's picture as a file.
    ///
    /// - Parameters:
    ///   - source: the sticker's file, a PNG or WebP.
    ///   - form: of the picture.
    ///   - limits: for the file.
    /// - Throws: for another file, for one without visible pixels, and if the picture cannot be made small enough.
    package func picture(
        of source: PhotoSource, as form: PictureForm, limits: DecodeLimits
    ) throws(CodecError) -> [UInt8] {
        guard [.png, .webp].contains(try source.format()) else {
            throw CodecError(
                .unsupportedFormat, "No sticker's file: it is neither PNG nor WebP; make the sticker again")
        }
        // A sticker of less than twice this size is decoded at its own; larger ones have pixels to spare, and a forged
        // one does not take more memory.
        let sticker = try PhotoDecoder(limits: limits).decode(source, workingSide: 2 * PictureForm.maxSide).raster
        return try StickerPicture(of: sticker, as: form).encode()
    }

    /// A view of a photo: all of it, or the region around its subject.
    private struct View {
        var raster: Raster
        /// The network's probabilities for `raster`, stretched if the network requires it; nil if the raster's own
        /// alpha is the matte.
        var mask: Plane?
        /// The same, not stretched. Confidence uses it: stretching makes some spot of any photo certain.
        var probability: Plane?
        /// Where `raster` lies in the photo, in full-size pixels; nil for all of it.
        var region: PixelRect?
        var foundBy = SubjectFinder.alpha
        /// The confidence from the first pass.
        var confidence = SubjectConfidence.certain

        /// The pixels of `photo.raster` that one pixel of `raster` covers.
        func scale(to photo: DecodedPhoto) -> Double {
            guard let region else { return 1 }
            let (width, height) = (Double(photo.photoWidth), Double(photo.photoHeight))
            let covered = Double(region.width) * Double(region.height) / (width * height)
            return covered * Double(photo.raster.width * photo.raster.height) / Double(raster.width * raster.height)
        }

        /// The pixels of the full-size photo for each pixel of `raster`, along a side.
        func reduction(of photo: DecodedPhoto) -> Double {
            (region?.width ?? Double(photo.photoWidth)) / Double(raster.width)
        }
    }

    private struct SampledColors {
        static let notSampled = SampledColors(sample: .empty, area: 0, time: 0)

        var sample: PhotoColorSample
        /// As in `ColorExtractor`.
        let area: Double
        /// How long it took, in microseconds.
        let time: Int
    }

    /// Decodes the photo and finds its subject: in its thumbnail, or, if it has none or that does not suffice, in the
    /// photo.
    ///
    /// - Parameter evenIfUnclear: whether to take a second pass without a clear subject in the first, too.
    private func findSubject(
        of source: PhotoSource, by decoder: PhotoDecoder, recipe: Recipe, evenIfUnclear: Bool = false,
        _ watch: inout Stopwatch, _ timings: inout ProcessedPhoto.Timings
    ) async throws -> (photo: DecodedPhoto, view: View) {
        let side = workingSide(recipe)
        for thumbnailSide in [Int(Self.leastThumbnail * Double(network.side)), 0] {
            var photo = try decoder.decode(source, workingSide: side, thumbnailSide: thumbnailSide)
            photo.raster = photo.raster.reduced(to: side)
            watch.lap(&timings.decode)
            let view = try await findSubject(
                at: photo, of: source, by: decoder, recipe: recipe, evenIfUnclear: evenIfUnclear, &watch, &timings)
            if let view { return (photo, view) }
        }
        preconditionFailure("Only a thumbnail does not suffice")
    }

    /// Finds the subject: in the whole photo, then, if `SecondPass` says so, in the mirror image of the region around
    /// it. Returns nil if `photo` is a thumbnail in which the subject is not certain, or which is another picture.
    private func findSubject(
        at photo: DecodedPhoto, of source: PhotoSource, by decoder: PhotoDecoder, recipe: Recipe,
        evenIfUnclear: Bool, _ watch: inout Stopwatch, _ timings: inout ProcessedPhoto.Timings
    ) async throws -> View? {
        var view = View(raster: photo.raster)
        if photo.hasAlpha && photo.raster.isCutOut { return view }
        let studio = StickerStudio(recipe: recipe.sticker)
        let first = try await network.probability(of: photo.raster)
        timings.passes += 1
        view.probability = first
        view.mask = network.stretches ? first.stretched() : first
        view.confidence = SubjectConfidence(of: first)
        view.foundBy = .network
        let drawing = view.confidence.isSure ? nil : BackgroundSubtraction(in: photo.raster)
        // A thumbnail may lack thin lines.
        if photo.isThumbnail && (drawing != nil || !view.confidence.isClear) {
            watch.lap(&timings.mask)
            return nil
        }
        if let drawing, drawing.isLineDrawing || !view.confidence.isClear {
            view.mask = drawing.mask
            view.probability = drawing.mask
            view.confidence = SubjectConfidence(of: drawing)
            view.foundBy = .background
            watch.lap(&timings.mask)
            return view
        }
        watch.lap(&timings.mask)
        guard evenIfUnclear || view.confidence.isClear, let whole = view.mask else { return view }
        guard
            let next = studio.secondPass(
                mask: whole, at: photo.raster, photoWidth: photo.photoWidth, photoHeight: photo.photoHeight)
        else { return photo.isThumbnail ? nil : try await addingThinParts(to: view, &watch, &timings) }
        let region: PixelRect
        var decoded: DecodedPhoto?
        if let bounds = next.bounds, !photo.isThumbnail {
            view.raster = photo.raster.cropped(to: bounds)
            region = next.region
        } else {
            let backdrop = photo.isThumbnail ? Backdrop(photo.raster, mask: whole) : nil
            let side = workingSide(recipe)
            let closerSide =
                backdrop == nil ? side : Backdrop.workingSide(for: next.region, of: photo, whole: side)
            var closer = try decoder.decode(
                source, workingSide: closerSide, region: next.region, needed: backdrop?.needed)
            closer.raster = closer.raster.reduced(to: closerSide)
            watch.lap(&timings.decode)
            guard let raster = backdrop.map({ $0.completed(closer) }) ?? closer.raster else { return nil }
            view.raster = raster
            region = closer.region
            decoded = closer
        }
        watch.lap(&timings.decode)
        let second = try await network.probability(of: view.raster, mirrored: true)
        timings.passes += 1
        func merged(_ first: Plane, _ second: Plane) -> Plane {
            studio.mask(
                first: first, second: second, region: region, photoWidth: photo.photoWidth,
                photoHeight: photo.photoHeight)
        }
        view.probability = merged(first, second)
        view.mask = network.stretches ? merged(whole, second.stretched()) : view.probability
        view.region = region
        watch.lap(&timings.mask)
        if photo.isThumbnail, let decoded, let mask = view.mask, !Backdrop.isShown(by: mask, in: decoded) { return nil }
        return try await addingThinParts(to: view, &watch, &timings)
    }

    /// The same view, with thin parts from a pass at a finer scale if its mask may have some.
    private func addingThinParts(
        to view: View, _ watch: inout Stopwatch, _ timings: inout ProcessedPhoto.Timings
    ) async throws -> View {
        guard let mask = view.mask, mask.hasThinParts, let finer = try await network.finerProbability(of: view.raster)
        else { return view }
        var view = view
        view.mask = mask.addingThinParts(of: finer)
        timings.passes += 1
        watch.lap(&timings.mask)
        return view
    }

    /// The longer side to decode a photo to, in pixels. A JPEG's may be a sixth below, and still fills the network's
    /// input. Codecs have few sizes to choose from, so what they leave much larger is reduced.
    private func workingSide(_ recipe: Recipe) -> Int { max(network.side * 6 / 5, recipe.workingSide) }

    /// The thumbnails beside the stickers.
    private func encode(
        _ stickers: [CutOut], foundBy: SubjectFinder, recipe: Recipe
    ) async throws -> [ProcessedPhoto.Sticker] {
        async let thumbnails = thumbnails(of: stickers)
        let encoded = try stickers.map { try recipe.format.encode($0.raster, maxBytes: recipe.maxBytes) }
        return zip(zip(stickers, encoded), try await thumbnails).map { sticker, thumbnail in
            let (cutOut, data) = sticker
            let facts = StickerFacts(
                width: cutOut.raster.width, height: cutOut.raster.height, confidence: cutOut.confidence,
                foundBy: foundBy)
            return ProcessedPhoto.Sticker(facts: facts, data: data, thumbnail: thumbnail, cutPath: cutOut.cutPath)
        }
    }

    @concurrent
    private func thumbnails(of stickers: [CutOut]) async throws -> [[UInt8]] {
        try stickers.map { try Thumbnail.encode($0.raster) }
    }

    @concurrent
    private func sampleColors(of raster: Raster, opacity: Plane? = nil) async -> SampledColors {
        var watch = Stopwatch()
        var time = 0
        let extractor = ColorExtractor(raster, opacity: opacity)
        let area = extractor.area
        let sample = extractor.sample()
        watch.lap(&time)
        return SampledColors(sample: sample, area: area, time: time)
    }

    @concurrent
    private func likeness(of raster: Raster) async -> PerceptualHash? {
        PerceptualHash(of: raster)
    }
}
