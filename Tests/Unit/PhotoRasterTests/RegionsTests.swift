import Testing

import PhotoRaster
import TestSupport

@Suite("Connected regions")
struct RegionsTests {
    @Test("Labels of random, empty and full pictures match a flood fill", arguments: [true, false], [0, 3, 5, 7, 10])
    func flooding(diagonal: Bool, density: UInt64) {
        let (width, height) = (61, 47)
        var random = TestRandom(state: density + 1)
        let cells = (0..<width * height).map { _ in random.next() % 10 < density }
        let regions = Regions(of: BitPlane(width: width, height: height) { cells[$0] }, diagonal: diagonal)

        var labels = [Int?](repeating: nil, count: cells.count)
        for run in regions.runs { for index in run.pixels { labels[index] = run.region } }
        #expect(labels.map { $0 != nil } == cells)

        var expected = [Int?](repeating: nil, count: cells.count)
        var count = 0
        for start in cells.indices where cells[start] && expected[start] == nil {
            var open = [start]
            expected[start] = count
            while let index = open.popLast() {
                for (across, down) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    let (x, y) = (index % width + across, index / width + down)
                    guard diagonal || across == 0 || down == 0, 0..<width ~= x, 0..<height ~= y else { continue }
                    let next = y * width + x
                    guard cells[next], expected[next] == nil else { continue }
                    expected[next] = count
                    open.append(next)
                }
            }
            count += 1
        }
        #expect(regions.count == count)
        #expect(labels == expected)
    }
}
