import CNetworkLoops
import Glibc
import Testing

@Suite("Probabilities from the network's numbers")
struct ProbabilityTests {
    /// The plane in a buffer next to memory that cannot be accessed. All kernels give the same bits.
    private func probabilities(_ plane: [Float], width: Int, _ fence: Fence = .behind) throws -> [Float] {
        let results = try Kernels.available.map { kernels in
            let memory = FencedMemory(fence)
            let output = unsafe try memory.buffer(repeating: 7 as Float, count: 4 * plane.count)
            unsafe try kernels.functions.probability(memory.buffer(plane), width, plane.count / width, output)
            return unsafe memory.elements(output, 4 * plane.count)
        }
        #expect(Set(results.map { $0.map(\.bitPattern) }).count == 1)
        return results[0]
    }

    @Test("Planes are doubled before the logistic function", arguments: [(8, 1), (8, 2), (24, 5)], Fence.allCases)
    func doubled(size: (width: Int, height: Int), fence: Fence) throws {
        let (width, height) = size
        let plane = Reference.bytes(width * height, seed: 4).map { (Float($0) - 128) / 16 }
        let result = try probabilities(plane, width: width, fence)
        for y in 0..<2 * height {
            for x in 0..<2 * width {
                let (rows, columns) = (Reference.doubled(y, height), Reference.doubled(x, width))
                func mixed(_ x: Int) -> Double {
                    0.75 * Double(plane[rows.0 * width + x]) + 0.25 * Double(plane[rows.1 * width + x])
                }
                let value = 0.75 * mixed(columns.0) + 0.25 * mixed(columns.1)
                #expect(abs(Double(result[y * 2 * width + x]) - 1 / (1 + exp(-value))) < 1e-6)
            }
        }
    }

    @Test("The error of the logistic function is below 1e-6")
    func error() throws {
        // Rows of equal numbers stay as they are, except next to other rows.
        let values = (0...6000).map { -30 + 60 * Float($0) / 6000 }
        let plane = values.flatMap { [Float](repeating: $0, count: 8 * 3) }
        let result = try probabilities(plane, width: 8)
        let errors = values.enumerated().map { index, value in
            abs(Double(result[(index * 3 + 1) * 2 * 16]) - 1 / (1 + exp(-Double(value))))
        }
        #expect((errors.max() ?? 1) < 1e-6)
    }

    @Test("Equal numbers give equal probabilities", arguments: [-31, -7.3, -1e-9, 0, 0.1, 2.5, 19.99, 1e30] as [Float])
    func equal(value: Float) throws {
        let result = try probabilities([Float](repeating: value, count: 16 * 3), width: 16)
        #expect(Set(result).count == 1)
    }

    @Test("Numbers beyond all bounds give 0 or 1, and NaN nearly 0")
    func unbounded() throws {
        func probability(_ value: Float) throws -> Float {
            try probabilities([Float](repeating: value, count: 8), width: 8)[0]
        }
        #expect(try probability(.infinity) == 1)
        #expect(try probability(-.infinity) < 1e-8)
        #expect(try probability(.nan) < 1e-8)
        #expect(try probability(0) == 0.5)
    }
}
