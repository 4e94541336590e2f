import Foundation
import LinuxIO
import SubjectModel
import SystemPackage

/// `network MODEL INPUT OUTPUT`: runs a model on raw normalized fp32 numbers in the order row, column, channel, and
/// prints as JSON its predicted and its measured cost.
@main
struct NetworkTool {
    static func main() async throws {
        let paths = CommandLine.arguments.dropFirst().map { FilePath($0) }
        guard paths.count == 3 else { throw Errno.invalidArgument }
        let before = try memory()
        let file = try OwnedDescriptor(opening: paths[0])
        let model = try SubjectModelFile(
            descriptor: file.raw, byteCount: Int(FileStatus(ofDescriptor: file.raw).identity.size))
        let network = try SubjectNetwork(model)
        let input = [UInt8](try Data(contentsOf: URL(filePath: paths[1].string)))
        let numbers = stride(from: 0, to: input.count, by: 4).map { at in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(input[at + $1]) << (8 * $1) })
        }
        let start = ContinuousClock.now
        let output = try await network.run(input: numbers)
        let time = (ContinuousClock.now - start) / .seconds(1)
        let used = try memory() - before
        let bytes = output.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        }
        try Data(bytes).write(to: URL(filePath: paths[2].string))
        print(
            """
            {"memory": \(model.cost.memory), "used": \(used), "multiplyAdds": \(model.cost.multiplyAdds), \
            "seconds": \(time)}
            """)
    }

    /// Bytes of private writable memory, as RLIMIT_DATA counts them.
    private static func memory() throws -> Int {
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
