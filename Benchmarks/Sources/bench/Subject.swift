import Foundation

/// The binary under measurement, and how it is started: on two cores, which is what the numbers speak of.
struct Subject {
    /// What the backlog's number is promised for.
    private static let promisedCores = 2

    private let binary: String
    let scratch: ScratchFolder
    private let prefix: [String]
    private let environment: [String: String]
    /// On how many cores it runs: fewer than promised where the machine has fewer.
    let cores: Int

    init(binary: String, scratch: ScratchFolder, machine: Machine) {
        self.binary = binary
        self.scratch = scratch
        cores = min(machine.cores, Self.promisedCores)
        prefix = machine.cores > cores ? ["taskset", "--cpu-list", "0-\(cores - 1)"] : []
        environment = ["STICKERD_WORKERS": "\(cores)", "STICKERD_LOG_LEVEL": "debug"]
    }

    /// A daemon over three folders, freshly made unless it is to go on where another one ended.
    func daemon(_ name: String, environment: [String: String] = [:]) throws -> DaemonUnderTest {
        try DaemonUnderTest(
            command: prefix + [binary], folders: folders(name),
            environment: self.environment.merging(environment) { $1 })
    }

    /// The one-off command on all files of a folder.
    func make(_ photos: [String], output: String) throws -> ChildProcess {
        try ChildProcess(prefix + [binary, "make"] + photos + ["--output", output], environment: environment)
    }

    /// How many files are in which state.
    func status(_ name: String) throws -> StatusReport {
        let output = scratch.path(of: "status.json")
        try? FileManager.default.removeItem(atPath: output)
        let command = [binary, "status", "--json", "--state", folders(name).state]
        guard try ChildProcess(command, output: output).wait().status == 0 else {
            throw BenchError("\(command.joined(separator: " ")) failed")
        }
        return try JSONDecoder().decode(StatusReport.self, from: Data(contentsOf: URL(fileURLWithPath: output)))
    }

    func folders(_ name: String) -> DaemonFolders {
        DaemonFolders(root: scratch.path(of: name))
    }
}
