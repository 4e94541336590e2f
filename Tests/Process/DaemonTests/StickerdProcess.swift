import Foundation
import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

/// A running stickerd; killed when the last reference is released.
final class StickerdProcess: Sendable {
    struct Silent: Error, CustomStringConvertible {
        let errors: String
        var description: String { "stickerd did not do in time what was waited for; it said:\n\(errors)" }
    }

    private let process: Process
    private let output: FilePath
    private let errorOutput: FilePath

    /// - Parameters:
    ///   - mayReadAll: false drops root's permission to read files of mode 000.
    ///   - environment: variables to add.
    ///   - shell: a line for sh(1), in which `"$@"` is the command.
    ///   - input: its standard input; empty by default.
    ///   - output: replaces the file that `printed` reads.
    ///   - errorOutput: replaces the file that `errors` reads.
    init(
        _ arguments: [String], in folder: TemporaryFolder, mayReadAll: Bool = true, shell: String? = nil,
        environment: [String: String] = [:], input: FileHandle = .nullDevice, output: FileHandle? = nil,
        errorOutput: FileHandle? = nil
    ) throws {
        process = Process()
        let command = [try StickerdBinary.path.string] + arguments
        let isPrivileged = !mayReadAll && geteuid() == 0
        let restricted =
            isPrivileged ? ["/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all"] + command : command
        let inShell = shell.map { ["/bin/sh", "-c", $0, "sh"] + restricted } ?? restricted
        // Default signal actions, as from a shell, regardless of the test process's.
        let whole = ["/usr/bin/env", "--default-signal=PIPE"] + inShell
        process.executableURL = URL(fileURLWithPath: whole[0])
        process.arguments = Array(whole.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path.string)
        // Excludes the settings of the user who runs the tests, but not the sanitizers' suppressions.
        process.environment = ["HOME": folder["home"].string, "PATH": "/usr/bin:/bin"]
            .merging(Sanitizer.options) { own, _ in own }
            .merging(environment) { $1 }
        process.standardInput = input
        let name = UUID().uuidString
        self.output = folder["\(name).out"]
        self.errorOutput = folder["\(name).err"]
        process.standardOutput = try output ?? Self.file(at: self.output)
        process.standardError = try errorOutput ?? Self.file(at: self.errorOutput)
        try process.run()
    }

    private static func file(at path: FilePath) throws -> FileHandle {
        try Data().write(to: URL(fileURLWithPath: path.string))
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Its standard output so far.
    var printed: String { (try? String(contentsOfFile: output.string, encoding: .utf8)) ?? "" }

    /// Its log so far, without a sanitizer build's line about unconfined workers.
    var errors: String {
        let log = (try? String(contentsOfFile: errorOutput.string, encoding: .utf8)) ?? ""
        guard log.contains(Self.sanitizerBuild) else { return log }
        return log.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains(Self.sanitizerBuild) }.joined(separator: "\n")
    }

    private static let sanitizerBuild = "this is a sanitizer build"

    func signal(_ signal: Int32) { ProcessTable.signal(id, signal) }

    /// Whether it has an inotify watch on the folder (proc(5)).
    func watches(_ folder: FilePath) throws -> Bool { try ProcessTable.watchedEvents(of: folder, by: id) != 0 }

    /// Its workers that have begun. Before that, in exec(3), a worker that is stopped would stop a thread of its
    /// parent, too.
    func workers() throws -> [Int32] {
        try ProcessTable.children(of: id).filter {
            (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8))?.contains("worker") ?? false
        }
    }

    /// Waits for the end. Returns the exit status, or the negative number of the signal that ended it.
    func end() async throws -> Int32 {
        guard try await eventually({ !process.isRunning }) else { throw Silent(errors: errors) }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Waits for the end, and expects this exit status if one is given.
    func ends(with status: Int32?, _ sourceLocation: SourceLocation) async throws {
        let end = try await end()
        #expect(status == nil || end == status, "\(printed) \(errors)", sourceLocation: sourceLocation)
    }

    /// Sends SIGTERM and waits for the end.
    func stop() async throws -> Int32 {
        signal(SIGTERM)
        return try await end()
    }

    /// Waits until it does nothing more by itself: it uses no processor time, and does not wait for a processor either.
    func idle() async throws {
        var last = -1.0
        while let now = ProcessTable.processorSeconds(of: id), try now != last || !isAll("S") {
            last = now
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Whether all its threads are in a state: `S` for sleeping, `T` for stopped.
    private func isAll(_ state: Character) throws -> Bool {
        try ProcessTable.numbers(in: "task", of: id).allSatisfy {
            ProcessTable.status(of: id, thread: $0, "State")?.first == state
        }
    }

    /// Stops it during `body`.
    func stopped(_ body: () throws -> Void) async throws {
        signal(SIGSTOP)
        defer { signal(SIGCONT) }
        guard try await eventually({ try isAll("T") }) else { throw Silent(errors: errors) }
        try body()
    }

    /// Waits until it has logged this since its start.
    func said(_ text: String) async throws {
        guard try await eventually({ errors.contains(text) }) else { throw Silent(errors: errors) }
    }
}
