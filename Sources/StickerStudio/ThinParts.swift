package import PhotoRaster

/// The thin parts of a mask, such as legs, tails, masts and straps: what an opening removes from it.
///
/// In a mask of the network's usual size they are often undecided, and the matte, which averages around each pixel,
/// removes them. The network finds them in the same region at a finer scale, where the rest of its mask is worse.
/// The constants were tuned on the validation photos (Training/MODEL-CARD.md).
extension Plane {
    /// Half the width of the widest thin part, as a fraction of the mask's side.
    private static let radius = 1.0 / 32
    /// The probability of pixels that may be a thin part.
    private static let leastProbability: Float = 0.3
    /// The fraction of the subject from which thin parts are worth another pass of the network, with which a
    /// photo of 0.1 megapixels takes half as long again.
    private static let leastShare = 0.07
    /// The mean of both masks in a thin part that is taken over: below it, the network takes the part for the ground.
    private static let leastMean: Float = 0.5
    /// How much steeper than the network's mask the edges of thin parts are: decided pixels stay so in the matte.
    private static let steepness: Float = 4

    /// Whether so much of the mask may be thin parts that a pass of the network at a finer scale is worth its time.
    package var hasThinParts: Bool {
        let whole = BitPlane(of: self, atLeast: Self.leastProbability)
        let thin = whole.subtracting(whole.opened(by: thinRadius)).count
        return thin > 0 && Double(thin) >= Self.leastShare * Double(BitPlane(of: self, atLeast: 0.5).count)
    }

    /// This mask in the size of `finer`, a mask of the same region, with those thin parts of that one which are
    /// attached to a body and certain in both.
    package func addingThinParts(of finer: Plane) -> Plane {
        var result = resampled(width: finer.width, height: finer.height, kernel: .area)
        let whole = BitPlane(of: finer, atLeast: 0.5)
        let body = whole.opened(by: finer.thinRadius)
        var parts = whole.subtracting(body)
        let regions = Regions(of: parts, diagonal: true)
        let near = body.dilated(by: 2)
        var certainty = [Float](repeating: 0, count: regions.count)
        var isAttached = [Bool](repeating: false, count: regions.count)
        for run in regions.runs {
            for (column, index) in zip(run.columns, run.pixels) {
                certainty[run.region] += (result.values[index] + finer.values[index]) / 2 - Self.leastMean
                if near[column, run.row] { isAttached[run.region] = true }
            }
        }
        for run in regions.runs where certainty[run.region] < 0 || !isAttached[run.region] {
            parts.clear(run.columns, row: run.row)
        }
        // With their soft edges.
        parts = parts.dilated(by: 2)
        for y in 0..<finer.height {
            parts.forEachRun(inRow: y) { columns in
                for x in columns {
                    let steep = min(max((finer[x, y] - 0.5) * Self.steepness + 0.5, 0), 1)
                    result[x, y] = max(result[x, y], steep)
                }
            }
        }
        return result
    }

    private var thinRadius: Int { Int((Double(width) * Self.radius).rounded()) }
}
