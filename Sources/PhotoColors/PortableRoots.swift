/// Roots made of additions, multiplications and divisions alone, which IEEE 754 rounds the same everywhere. The system's
/// `pow` and `cbrt` differ between C libraries and browsers in the last bit; with these the gallery's script
/// (`CGalleryAssets/colors.js`) finds the very bits that the daemon finds.
enum PortableRoots {
    /// - Parameter value: 0…1 and little beyond.
    static func cube(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var rest = value
        var scale = 1.0
        while rest < 0.125 {
            rest *= 8
            scale *= 0.5
        }
        var root = 0.43 + 0.57 * rest
        // Halley's method triples the right digits each time: three times are enough for all 53 bits.
        for _ in 0..<3 {
            let cubed = root * root * root
            root = root * (cubed + rest + rest) / (cubed + cubed + rest)
        }
        return root * scale
    }

    /// - Parameter value: 0.001…1.
    static func fifth(_ value: Double) -> Double {
        var root = 1.0
        // Newton's method, from above.
        for _ in 0..<16 {
            let squared = root * root
            root = (4 * root + value / (squared * squared)) / 5
        }
        return root
    }
}
