/// Finding likenesses without comparing all of them: multi-index hashing (Norouzi, Punjani & Fleet, "Fast Search in
/// Hamming Space with Multi-Index Hashing", CVPR 2012).
///
/// Two likenesses that differ in few bits have at least one of 16 bands in common, except for at most one bit.
extension Likeness {
    package static let bandCount = 16
    static let bandBits = bitCount / bandCount

    /// The key of each band, below 2^20: the band's number above its 16 bits. The lowest frequencies come first; they
    /// are the last to change.
    package var bandKeys: [Int] {
        (0..<Self.bandCount).map { band in
            let bits = words[band / 4] >> UInt64(band % 4 * Self.bandBits)
            return band << Self.bandBits | Int(bits & 0xffff)
        }
    }

    /// The keys of all bands that differ from this likeness's in at most one bit, the identical ones first.
    ///
    /// Every likeness within 31 bits has one of them (the pigeonhole principle). Beyond that it is not certain; the
    /// recall up to `alike` was measured.
    package var nearBandKeys: [Int] {
        let keys = bandKeys
        return keys + keys.flatMap { key in (0..<Self.bandBits).map { key ^ 1 << $0 } }
    }
}
