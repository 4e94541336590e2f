import PhotoRaster

/// The pieces of an opacity that a sticker's outline does not join: they are farther apart than twice its width, and
/// none encloses another.
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
        let width = reduced(opacity.width)
        var small = Plane(width: width, height: reduced(opacity.height))
        let scale = SIMD2(Float(width) / Float(opacity.width), Float(small.height) / Float(opacity.height))
        // Every pixel counts: the mean over a stroke one pixel wide would be too low.
        let visible = BitPlane(of: opacity, atLeast: 0.5)
        for y in 0..<opacity.height {
            visible.forEachRun(inRow: y) { run in
                for x in run { small.values[Self.index(x: x, y: y, scale, width)] = 1 }
            }
        }
        let reach = Float(outline / reduction)
        let distance = ContourDistance(exactAt: reach, reach: reach + 1)
            .distances(from: small, inside: BitPlane(of: small, atLeast: 0.5))
        var band = BitPlane(width: width, height: small.height) { distance.values[$0] <= reach }
        let gaps = Regions(of: band.inverted(), diagonal: false)
        let isEnclosed = gaps.areEnclosed
        for run in gaps.runs where isEnclosed[run.region] { band.insert(run.columns, row: run.row) }
        let regions = Regions(of: band, diagonal: true)
        var numbers = [Int](repeating: 0, count: small.values.count)
        for run in regions.runs { for index in run.pixels { numbers[index] = run.region + 1 } }
        (self.numbers, self.width, self.scale) = (numbers, width, scale)
        count = regions.count
    }

    /// The number of the island that a pixel of the opacity is on, from 1; 0 for none.
    func number(x: Int, y: Int) -> Int { numbers[Self.index(x: x, y: y, scale, width)] }

    /// The place of a pixel of the opacity in the reduced one.
    private static func index(x: Int, y: Int, _ scale: SIMD2<Float>, _ width: Int) -> Int {
        let place = (SIMD2(Float(x), Float(y)) + 0.5) * scale
        return Int(place.y) * width + Int(place.x)
    }

    /// What an island has of an opacity.
    struct Measure {
        /// The sum of its opacity.
        var weight: Float = 0
        /// The horizontal center of its weight, in pixels.
        var center: Double { weight > 0 ? moment / Double(weight) : 0 }
        /// Whether the photo's border cuts it off.
        var isCutOff = false
        fileprivate var moment = 0.0
    }

    /// Those of all islands, in the order of their numbers.
    func measures(of opacity: Plane) -> [Measure] {
        var found = [Measure](repeating: Measure(), count: count + 1)
        for y in 0..<opacity.height {
            for x in 0..<opacity.width where opacity[x, y] > 0 {
                let (number, value) = (number(x: x, y: y), opacity[x, y])
                found[number].weight += value
                found[number].moment += Double(value) * Double(x)
                let isBorder = x == 0 || y == 0 || x == opacity.width - 1 || y == opacity.height - 1
                if isBorder, value >= 0.5 { found[number].isCutOff = true }
            }
        }
        return Array(found.dropFirst())
    }

    /// Makes islands transparent that are scraps, or cut off by the photo's border; whether there were any.
    func removeStrays(from opacity: inout Plane) -> Bool {
        let found = measures(of: opacity)
        let heaviest = found.map(\.weight).max() ?? 0
        let isStray = [false] + found.map { $0.weight < heaviest * ($0.isCutOff ? Self.leastCutOff : Self.least) }
        guard isStray.contains(true) else { return false }
        for y in 0..<opacity.height {
            for x in 0..<opacity.width where opacity[x, y] > 0 && isStray[number(x: x, y: y)] { opacity[x, y] = 0 }
        }
        return true
    }
}
