import Foundation

/// Unbuffered standard output: unless it is a terminal, `print` buffers lines, and a measurement takes minutes.
enum Console {
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
