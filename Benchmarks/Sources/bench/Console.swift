import Foundation

/// Standard output, at once: `print` holds lines back where it is no terminal, and a measurement takes minutes.
enum Console {
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
