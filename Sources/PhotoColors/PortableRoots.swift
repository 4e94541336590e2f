/// Roots computed only by addition, multiplication and division, which IEEE 754 rounds the same on every machine. The
/// system's `pow` and `cbrt` differ between C libraries and browsers in the last bit; with these, the gallery's script
/// (`CGalleryAssets/colors.js`) computes the same bits as the daemon.
enum PortableRoots {
    /// - Parameter value: 0…1 or slightly beyond.
    static func cube(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var rest = value
        var scale = 1.0
        while rest < 0.125 {
            rest *= 8
            scale *= 0.5
        }
        var root = 0.43 + 0.57 * rest
        // Halley's method triples the number of correct digits: three rounds are enough for all 53 bits.
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
