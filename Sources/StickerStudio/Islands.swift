import PhotoRaster

/// The pieces of an opacity that a sticker's outline does not join: they are farther apart than twice its width.
struct Islands {
    /// The width of the outline in the reduced opacity in which islands are looked for, in pixels.
    private static let outline = 6.0
    /// An island that touches the photo's border and is lighter than this fraction of the heaviest one is a neighbor,
    /// or ground, that the photo cuts off.
    private static let leastCutOff: Float = 0.8
    /// A lighter island, as a fraction of the heaviest one, is a scrap.
    private static let least: Float = 0.1

    let count: Int
    /// For each pixel of the reduced opacity, the number of its island from 1; 0 between islands.
    private let numbers: [Int]
    private let width: Int
    /// Pixels of the reduced opacity for each pixel of the opacity.
    private let scale: SIMD2<Float>

    /// - Parameters:
    ///   - opacity: 0…1, in the photo's size.
    ///   - outline: its width in the same pixels.
    init(of opacity: Plane, outline: Double) {
        let reduction = max(outline / Self.outline, 1)
        func reduced(_ side: Int) -> Int { max(Int((Double(side) / reduction).rounded()), 1) }
        width = reduced(opacity.width)
        let small = opacity.resampled(width: width, height: reduced(opacity.height), kernel: .area)
        let reach = Float(outline / reduction)
        let distance = ContourDistance(exactAt: reach, reach: reach + 1)
            .distances(from: small, inside: BitPlane(of: small, atLeast: 0.5))
        let regions = Regions(
            of: BitPlane(width: width, height: small.height) { distance.values[$0] <= reach }, diagonal: true)
        var numbers = [Int](repeating: 0, count: small.values.count)
        for run in regions.runs { for index in run.pixels { numbers[index] = run.region + 1 } }
        self.numbers = numbers
        count = regions.count
        scale = SIMD2(Float(width) / Float(opacity.width), Float(small.height) / Float(opacity.height))
    }

    /// The number of the island that a pixel of the opacity is on, from 1; 0 for none.
    func number(x: Int, y: Int) -> Int {
        let place = (SIMD2(Float(x), Float(y)) + 0.5) * scale
        return numbers[Int(place.y) * width + Int(place.x)]
    }

    /// Makes islands transparent that are scraps, or cut off by the photo's border; whether there were any.
    func removeStrays(from opacity: inout Plane) -> Bool {
        var weights = [Float](repeating: 0, count: count + 1)
        var isCutOff = [Bool](repeating: false, count: count + 1)
        let (columns, rows) = (opacity.width, opacity.height)
        let visible = BitPlane(of: opacity, atLeast: .leastNonzeroMagnitude)
        for y in 0..<rows {
            visible.forEachRun(inRow: y) { run in
                for x in run {
                    let (number, value) = (number(x: x, y: y), opacity[x, y])
                    weights[number] += value
                    let isBorder = x == 0 || y == 0 || x == columns - 1 || y == rows - 1
                    if isBorder, value >= 0.5 { isCutOff[number] = true }
                }
            }
        }
        let heaviest = weights[1...].max() ?? 0
        let isStray = weights.indices.map { number in
            number > 0 && weights[number] < heaviest * (isCutOff[number] ? Self.leastCutOff : Self.least)
        }
        guard isStray.contains(true) else { return false }
        for y in 0..<rows {
            visible.forEachRun(inRow: y) { run in
                for x in run where isStray[number(x: x, y: y)] { opacity[x, y] = 0 }
            }
        }
        return true
    }
}
