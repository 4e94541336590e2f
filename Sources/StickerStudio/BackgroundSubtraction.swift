import PhotoRaster

/// The one thing on a flat, light and nearly gray background, such as a drawing on paper: for photos in which the
/// network finds no clear subject, or is not sure of a drawing.
///
/// Background subtraction: what differs from the background, with gaps closed and holes filled; its largest component.
/// The constants were tuned on drawings and on pictures without a subject (Docs/Quality.md).
struct BackgroundSubtraction {
    /// The longer side of the reduced photo in which the subject is found, in pixels.
    private static let side = 512
    private static let leastBrightness: Float = 95
    private static let mostChroma: Float = 40
    /// Smaller differences are noise.
    private static let leastDifference: Float = 14
    /// The threshold as a fraction of Otsu's, which lies between background and ink: strokes have soft edges.
    private static let thresholdShare: Float = 0.8
    /// Gaps up to about this fraction of the longer side are closed, wider ones between thick strokes.
    private static let closing = 1.0 / 64
    /// A pixel of a flat background differs from it by less than this fraction of the threshold.
    private static let flatness: Float = 1.0 / 3
    /// The minimum fraction of the background's pixels that are flat.
    private static let leastFlat = 0.93
    /// Soft edges of this many pixels do not count as background.
    private static let edge = 3
    /// The subject's fraction of the photo.
    private static let areas = 0.03...0.7
    /// The subject's minimum fraction of all components.
    private static let leastMain = 0.55
    /// The maximum fraction of the photo's border that is subject.
    private static let mostBorder = 0.05
    /// A stroke is at least this long, as a fraction of the subject; letters of a text are shorter.
    private static let stroke = 0.25
    /// The minimum fraction of ink that is in strokes.
    private static let leastInStrokes = 0.6
    /// A drawing in lines has less ink, as a fraction of its pixels; the rest is paper inside it.
    private static let mostInkOfLines = 0.5

    /// 1 in the subject, 0 elsewhere, for all of the photo at a reduced size.
    let mask: Plane
    /// The subject's fraction of all components, at least 0.55: what to report as confidence.
    let confidence: Double
    /// Whether it is a drawing in lines: the network finds parts of these.
    let isLineDrawing: Bool

    /// Nil if the background is not flat, light and gray, or if there is not one subject on it.
    init?(in photo: Raster) {
        let background = LocalBackground(of: photo)
        guard background.brightness > Self.leastBrightness, background.chroma < Self.mostChroma else { return nil }
        let scale = min(Double(Self.side) / Double(max(photo.width, photo.height)), 1)
        let (width, height) = (
            max(Int((Double(photo.width) * scale).rounded()), 1), max(Int((Double(photo.height) * scale).rounded()), 1)
        )
        let difference = background.difference(of: photo.resampled(width: width, height: height, kernel: .area))
        let threshold = max(difference.otsuThreshold * Self.thresholdShare, Self.leastDifference)

        let reach = max(Int((Double(max(width, height)) * Self.closing).rounded()), 1)
        // Closing needs room beyond the border; and in it, all that is outside is one region.
        let margin = reach + 1
        var ink = BitPlane(width: width + 2 * margin, height: height + 2 * margin)
        let dark = BitPlane(of: difference, atLeast: threshold.nextUp)
        for y in 0..<height {
            dark.forEachRun(inRow: y) { ink.insert($0.lowerBound + margin..<$0.upperBound + margin, row: y + margin) }
        }
        // The complement of the closing. Its region 0 is that of the upper left corner: the others are holes.
        let open = ink.dilated(by: reach).inverted().dilated(by: reach)
        let filled = Regions(of: open, diagonal: true).bits(of: 0).inverted()
        let components = Regions(of: filled, diagonal: false)
        let extents = components.extents
        guard let main = extents.indices.max(by: { extents[$0].size < extents[$1].size }) else { return nil }
        confidence = Double(extents[main].size) / Double(extents.reduce(0) { $0 + $1.size })
        let subject = components.bits(of: main)
        guard Self.areas ~= Double(extents[main].size) / Double(width * height), confidence >= Self.leastMain else {
            return nil
        }
        let pieces = Regions(of: ink, diagonal: true).extents.filter { subject[$0.first.x, $0.first.y] }
        let leastLength = Double(extents[main].longerSide) * Self.stroke
        let inStrokes = pieces.reduce(0) { $0 + (Double($1.longerSide) >= leastLength ? $1.size : 0) }
        let inked = pieces.reduce(0) { $0 + $1.size }
        // Else it is a page of text.
        guard Double(inStrokes) >= Self.leastInStrokes * Double(inked) else { return nil }
        isLineDrawing = Double(inked) < Self.mostInkOfLines * Double(extents[main].size)

        let surroundings = filled.dilated(by: Self.edge)
        var mask = Plane(width: width, height: height)
        var (border, outside, flat) = (0, 0, 0)
        for y in 0..<height {
            for x in 0..<width {
                if subject[x + margin, y + margin] {
                    mask[x, y] = 1
                    if x == 0 || y == 0 || x == width - 1 || y == height - 1 { border += 1 }
                } else if !surroundings[x + margin, y + margin] {
                    outside += 1
                    if difference[x, y] < threshold * Self.flatness { flat += 1 }
                }
            }
        }
        guard Double(border) <= Self.mostBorder * Double(2 * (width + height)), outside > 0,
            Double(flat) >= Self.leastFlat * Double(outside)
        else { return nil }
        self.mask = mask
    }
}
