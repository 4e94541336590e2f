extension SubjectNetwork {
    /// Identifies the embedded weights: 16 hex digits, the 64-bit FNV-1a of the file. Computed once.
    package static let weightsDigest: String = {
        let file = EmbeddedWeights()
        var hash: UInt64 = 0
        file.read(0..<file.byteCount) { hash = fingerprint(of: $0) }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }()

    /// 64-bit FNV-1a (Fowler, Noll, Vo): identifies, but does not protect.
    package static func fingerprint(of bytes: RawSpan) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for offset in 0..<bytes.byteCount { hash = (hash ^ UInt64(bytes.byte(at: offset))) &* 0x100_0000_01b3 }
        return hash
    }
}
