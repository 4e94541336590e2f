import Foundation

/// The measured binary, started on two cores, to which the limits apply.
struct Subject {
    /// The number of cores that the limits of backlogs apply to.
    private static let promisedCores = 2

    private let binary: String
    let scratch: ScratchFolder
    private let prefix: [String]
    private let environment: [String: String]
    /// The number of cores it runs on: fewer if the machine has fewer.
    let cores: Int

    init(binary: String, scratch: ScratchFolder, machine: Machine) {
        self.binary = binary
        self.scratch = scratch
        cores = min(machine.cores, Self.promisedCores)
        prefix = machine.cores > cores ? ["taskset", "--cpu-list", "0-\(cores - 1)"] : []
        environment = ["STICKERD_WORKERS": "\(cores)", "STICKERD_LOG_LEVEL": "debug"]
    }

    /// A daemon with three folders, which are created unless it continues after another one.
    func daemon(_ name: String, environment: [String: String] = [:]) throws -> DaemonUnderTest {
        try DaemonUnderTest(
            command: prefix + [binary], folders: folders(name),
            environment: self.environment.merging(environment) { $1 })
    }

    /// A time for two cores on those that it runs on.
    func scaled(_ limit: Double) -> Double { limit * Double(Self.promisedCores) / Double(cores) }

    /// Runs `stickerd make`, and returns how long it took.
    func make(_ photos: [String], output: String) throws -> Duration {
        let ending = try ChildProcess(
            prefix + [binary, "make"] + photos + ["--output", output], environment: environment
        ).wait()
        guard ending.status == 0 else { throw BenchError("stickerd make ended with status \(ending.status)") }
        return ending.wall
    }

    /// Runs another program on the same cores.
    func run(_ command: [String]) throws -> ChildProcess {
        try ChildProcess(prefix + command)
    }

    /// The number of files in each state.
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
