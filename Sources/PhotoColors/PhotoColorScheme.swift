/// The colors of one photo, heaviest first; of equal weights the smaller hex first. Empty where nothing is visible.
package struct PhotoColorScheme: Codable, Hashable, Sendable {
    package let colors: [SchemeColor]

    package init(colors: [SchemeColor]) {
        self.colors = colors
    }
}
