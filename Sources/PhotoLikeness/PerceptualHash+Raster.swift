package import PhotoRaster

extension PerceptualHash {
    /// How many of the 256 frequencies must be strong enough that noise does not change their sign. Photos have 225 and
    /// more; a wall or a gradient with a sensor's noise has 88 at most.
    private static let minStrong = 128

    /// The likeness of an image as displayed: upright, transparent parts on white.
    ///
    /// All arithmetic is on integers, so that the same pixels give the same bits on every machine.
    ///
    /// - Returns: nil if the image has too little content to distinguish it from others.
    package init?(of raster: Raster) {
        let spectrum = Spectrum(of: LuminanceGrid(raster))
        var words = SIMD4<UInt64>()
        var strong = 0
        for (index, coefficient) in spectrum.lowest.enumerated() {
            if coefficient > 0 { words[index / 64] |= 1 << UInt64(index % 64) }
            if abs(coefficient) >= Spectrum.strong { strong += 1 }
        }
        guard strong >= Self.minStrong else { return nil }
        self.init(words: words)
    }
}
