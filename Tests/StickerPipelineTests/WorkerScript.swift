import Foundation
import SystemPackage
import TestSupport

/// An executable for a WorkerPool that writes down the process of each worker.
struct WorkerScript {
    /// What the first workers do; those after them are real. Each line is shell.
    enum First: String {
        case real = ""
        /// These say that they are ready, take a photo, and end over it.
        case isKilled = "ready; take; kill -KILL $$"
        case crashes = "ready; take; kill -SEGV $$"
        case triesWhatIsForbidden = "ready; take; kill -SYS $$"
        case isOutOfTime = "ready; take; kill -XCPU $$"
        case givesUp = "ready; take; exit 3"
        /// Says that it is ready and what it is missing, and ends.
        case isNotConfined = "printf '\\015\\000\\000\\000\\000\\000\\000\\000[\"no filter\"]' >&0; exit 0"
        /// Says that it is ready, takes a photo, and answers that the disk would not give it.
        case cannotRead =
            #"ready; take; printf '\061\000\000\000\000\000\000\000{"failure":"x","isUnreadable":true,"pictures":[]}' >&0; sleep 1; exit"#
        /// Says that it is ready, takes a photo, and answers with a number that nothing real has.
        case lies =
            #"ready; take; printf '\125\000\000\000\000\000\000\000{"pictures":[{"bytes":0,"thumbnailBytes":0,"width":1,"height":1,"confidence":1e300}]}' >&0; exec sleep 1000"#
        /// These are never ready, for want of something.
        case isShort = "exit 75"
        case isKilledAtStart = "kill -KILL $$"
        /// Says that it is ready, takes a photo, and never answers.
        case hangs = "ready; take; exec sleep 1000"
    }

    let path: FilePath
    private let list: FilePath

    /// - Parameter count: how many workers are not real.
    init(in folder: TemporaryFolder, first: First = .real, count: Int = 1) throws {
        try self.init(in: folder, line: first.rawValue, count: count)
    }

    /// The first workers say that they are ready, take a photo, and send these bytes, whatever they are.
    ///
    /// - Parameter atOnce: they do not wait for the photo.
    init(in folder: TemporaryFolder, sending bytes: [UInt8], atOnce: Bool = false, count: Int = 1) throws {
        try folder.write(bytes, to: "answer")
        let line = "ready; \(atOnce ? ":" : "take"); cat '\(folder["answer"])' >&0; exec sleep 1000"
        try self.init(in: folder, line: line, count: count)
    }

    /// The first worker answers with this header and a descriptor.
    init(in folder: TemporaryFolder, sendingDescriptorWith header: String) throws {
        try folder.write(Array(header.utf8), to: "answer")
        let program = try BuiltProgram.path(of: "HostileWorker")
        try self.init(in: folder, line: "exec '\(program)' '\(folder["answer"])'", count: 1)
    }

    private init(in folder: TemporaryFolder, line: String, count: Int) throws {
        path = folder["worker.sh"]
        list = folder["workers"]
        let script = """
            #!/bin/sh
            ready() { printf '\\000\\000\\000\\000\\000\\000\\000\\000' >&0; }
            take() { dd bs=65536 count=1 of=/dev/null 2> /dev/null; }
            echo $$ >> '\(list)'
            if [ "$(wc -l < '\(list)')" -le \(count) ]; then :; \(line)
            fi
            exec '\(try StickerdBinary.path)' "$@"
            """
        try folder.write(Array(script.utf8), to: "worker.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.string)
    }

    /// The workers so far, in the order in which they were started.
    var processes: [Int32] {
        ((try? String(contentsOfFile: list.string, encoding: .utf8)) ?? "").split(separator: "\n")
            .compactMap { Int32($0) }
    }
}
