/// The colors of one photo, largest weight first; for equal weights the smaller hex first. Empty if nothing is visible.
package struct PhotoColorScheme: Codable, Hashable, Sendable {
    package let colors: [SchemeColor]

    package init(colors: [SchemeColor]) {
        self.colors = colors
    }
}
