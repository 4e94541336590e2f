import TestSupport

/// JPEG files of random coefficients, with Huffman codes of all lengths: every run and every size of a coefficient
/// occurs. The quantizers are 1.
struct CodedJPEG {
    /// The numbers of the blocks of each component, along both sides; the first may have twice as many as the others.
    let blocks: [(across: Int, down: Int)]
    /// For each component, for each block in the order of rows: 64 numbers in zigzag order.
    private let coefficients: [[[Int]]]
    private let codes: [UInt8: (code: Int, length: Int)]
    private let table: [UInt8]

    /// - Parameters:
    ///   - factor: how many of the first component's blocks, along each side, one block of the others covers.
    ///   - share: the share of coefficients that are not zero.
    ///   - seed: not zero.
    init(across: Int, down: Int, factor: Int, share: Double, seed: UInt64) {
        var random = TestRandom(state: seed)
        blocks = [(across * factor, down * factor), (across, down), (across, down)]
        coefficients = blocks.map { size in
            (0..<size.across * size.down).map { _ in
                (0..<64).map { position in
                    if position > 0, Double(random.next() % 1000) >= share * 1000 { return 0 }
                    let magnitude = Int(random.next() % (1 << (1 + random.next() % (position == 0 ? 8 : 10))))
                    return random.next() % 2 == 0 ? magnitude : -magnitude
                }
            }
        }
        // Symbols in any order: the first eleven have codes of different lengths, 2 to 12 bits; all others have 16.
        var symbols = (0...255).map(UInt8.init).filter { $0 & 15 <= 10 }
        symbols.shuffle(using: &random)
        // The size of a DC difference may be 11.
        symbols.append(11)
        var counts = [UInt8](repeating: 0, count: 16)
        for length in 2...12 { counts[length - 1] = 1 }
        counts[15] = UInt8(symbols.count - 11)
        table = counts + symbols
        var codes: [UInt8: (code: Int, length: Int)] = [:]
        var (code, next) = (0, symbols.makeIterator())
        for length in 1...16 {
            for _ in 0..<counts[length - 1] {
                if let symbol = next.next() { codes[symbol] = (code, length) }
                code += 1
            }
            code <<= 1
        }
        self.codes = codes
    }

    /// The file with all components in one scan.
    ///
    /// - Parameter restartInterval: in MCUs; 0 for no restarts.
    func inOneScan(restartInterval: Int = 0) -> [UInt8] {
        let factor = blocks[0].across / blocks[1].across
        var units: [[(component: Int, block: Int)]] = []
        for y in 0..<blocks[1].down {
            for x in 0..<blocks[1].across {
                let first = (0..<factor * factor).map { part in
                    (0, (y * factor + part / factor) * blocks[0].across + x * factor + part % factor)
                }
                units.append(first + [1, 2].map { ($0, y * blocks[1].across + x) })
            }
        }
        return file([scan([0, 1, 2], units, restartInterval)], restartInterval: restartInterval)
    }

    /// The same with a scan for each component.
    func inThreeScans() -> [UInt8] {
        file([0, 1, 2].map { scan([$0], blocksInOrder(of: $0), 0) })
    }

    /// The same as a progressive file: for each component, a scan of the means and one of all other coefficients.
    func progressive(restartInterval: Int = 0) -> [UInt8] {
        file(
            [0...0, 1...63].flatMap { spectrum in
                [0, 1, 2].map { scan([$0], blocksInOrder(of: $0), restartInterval, spectrum: spectrum) }
            },
            restartInterval: restartInterval, isProgressive: true)
    }

    private func blocksInOrder(of component: Int) -> [[(component: Int, block: Int)]] {
        coefficients[component].indices.map { [(component, $0)] }
    }

    private func file(_ scans: [[UInt8]], restartInterval: Int = 0, isProgressive: Bool = false) -> [UInt8] {
        let (width, height) = (blocks[0].across * 8, blocks[0].down * 8)
        let factor = UInt8(blocks[0].across / blocks[1].across)
        var file: [UInt8] = [0xFF, 0xD8]
        file += jpegSegment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file += jpegSegment(
            isProgressive ? 0xC2 : 0xC0,
            [8] + bigEndian(height, 2) + bigEndian(width, 2) + [3, 1, factor << 4 | factor, 0, 2, 0x11, 0, 3, 0x11, 0])
        let sizes = [UInt8](repeating: 0, count: 3) + [12] + [UInt8](repeating: 0, count: 12) + Array(0...11)
        file += jpegSegment(0xC4, [0x00] + sizes) + jpegSegment(0xC4, [0x10] + table)
        if restartInterval > 0 { file += jpegSegment(0xDD, bigEndian(restartInterval, 2)) }
        return file + scans.flatMap { $0 } + [0xFF, 0xD9]
    }

    private func scan(
        _ components: [Int], _ units: [[(component: Int, block: Int)]], _ restartInterval: Int,
        spectrum: ClosedRange<Int> = 0...63
    ) -> [UInt8] {
        var output = jpegSegment(
            0xDA,
            [UInt8(components.count)] + components.flatMap { [UInt8($0 + 1), 0x00] }
                + [UInt8(spectrum.lowerBound), UInt8(spectrum.upperBound), 0])
        var bits = BitWriter()
        var previous = [0, 0, 0]
        for (index, unit) in units.enumerated() {
            if restartInterval > 0, index > 0, index % restartInterval == 0 {
                output += bits.finished() + [0xFF, 0xD0 + UInt8((index / restartInterval - 1) % 8)]
                bits = BitWriter()
                previous = [0, 0, 0]
            }
            for (component, block) in unit {
                let numbers = coefficients[component][block]
                if spectrum.contains(0) {
                    let difference = numbers[0] - previous[component]
                    previous[component] = numbers[0]
                    bits.append(Self.size(of: difference), count: 4)
                    bits.append(number: difference)
                }
                if spectrum.contains(63) { appendRuns(of: numbers, to: &bits) }
            }
        }
        return output + bits.finished()
    }

    private func appendRuns(of numbers: [Int], to bits: inout BitWriter) {
        var run = 0
        for number in numbers.dropFirst() {
            if number == 0 {
                run += 1
                continue
            }
            while run > 15 {
                append(0xF0, to: &bits)
                run -= 16
            }
            append(UInt8(run << 4 | Self.size(of: number)), to: &bits)
            bits.append(number: number)
            run = 0
        }
        if run > 0 { append(0, to: &bits) }
    }

    private func append(_ symbol: UInt8, to bits: inout BitWriter) {
        guard let (code, length) = codes[symbol] else { return }
        bits.append(code, count: length)
    }

    static func size(of number: Int) -> Int { Int.bitWidth - number.magnitude.leadingZeroBitCount }
}

/// Bits as bytes, with a zero after each 255.
struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    mutating func append(_ value: Int, count added: Int) {
        for bit in (0..<added).reversed() {
            pending = pending << 1 | (value >> bit & 1)
            count += 1
            guard count == 8 else { continue }
            bytes += pending == 0xFF ? [0xFF, 0] : [UInt8(pending)]
            (pending, count) = (0, 0)
        }
    }

    /// The bits of a coefficient (ITU-T T.81, table F.1).
    mutating func append(number: Int) {
        append(number < 0 ? number - 1 : number, count: CodedJPEG.size(of: number))
    }

    /// All bytes; the last is padded with ones.
    func finished() -> [UInt8] {
        var copy = self
        copy.append(0xFF, count: (8 - count) % 8)
        return copy.bytes
    }
}
