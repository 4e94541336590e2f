import ArgumentParser
import PhotoCodecs
import PhotoLikeness
import SystemPackage

/// Prints the likeness of each photo.
struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "One line for each photo: its likeness or -, the microseconds it took without decoding, and its path.",
        discussion: "Paths come one a line from standard input where none are given.")

    @Option(help: "The size to decode to, as the daemon does.") var side = 512
    @Argument var photos: [String] = []

    func run() throws {
        for path in photos { hash(path) }
        guard photos.isEmpty else { return }
        while let path = readLine() { hash(path) }
    }

    private func hash(_ path: String) {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly)
            let photo = try file.closeAfter {
                try PhotoDecoder().decode(.descriptor(file.rawValue), workingSide: side)
            }
            var likeness: PerceptualHash?
            // The best of five, to exclude the machine's other work.
            let times = (0..<5).map { _ in
                ContinuousClock().measure { likeness = PerceptualHash(of: photo.raster) }
            }
            print(likeness?.description ?? "-", Int((times.min() ?? .zero) / .microseconds(1)), path, separator: "\t")
        } catch {
            print("failed", 0, path, separator: "\t")
        }
    }
}
