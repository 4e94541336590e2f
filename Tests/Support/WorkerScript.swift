import Foundation
package import SystemPackage

/// An executable for a WorkerPool that records each worker's PID.
package struct WorkerScript {
    /// Shell commands of the first workers; later ones are real.
    package enum First: String {
        case real = ""
        /// These report readiness, take a photo, and end.
        case isKilled = "ready; take; kill -KILL $$"
        case crashes = "ready; take; kill -SEGV $$"
        case triesWhatIsForbidden = "ready; take; kill -SYS $$"
        case isOutOfTime = "ready; take; kill -XCPU $$"
        case givesUp = "ready; take; exit 3"
        /// Reports readiness and a missing layer, and ends.
        case isNotConfined = "printf '\\015\\000\\000\\000\\000\\000\\000\\000[\"no filter\"]' >&0; exit 0"
        /// Reports readiness, takes a photo, and replies that it cannot be read.
        case cannotRead =
            #"ready; take; printf '\061\000\000\000\000\000\000\000{"failure":"x","isUnreadable":true,"pictures":[]}' >&0; sleep 0.2; exit"#
        /// Reports readiness, takes a photo, and replies with an impossible number.
        case lies =
            #"ready; take; printf '\137\000\000\000\000\000\000\000{"pictures":[{"bytes":0,"thumbnailBytes":0,"facts":{"width":1,"height":1,"confidence":1e300}}]}' >&0; exec sleep 1000"#
        /// These end before they are ready, because of a shortage.
        case isShort = "exit 75"
        case isKilledAtStart = "kill -KILL $$"
        /// Reports readiness, takes a photo, and never replies.
        case hangs = "ready; take; exec sleep 1000"
        /// The same, without using the processor; and using all of it.
        case isStopped = "ready; take; kill -STOP $$"
        case burns = "ready; take; while :; do :; done"
        /// Reports readiness, takes a photo, and works on it a little, again and again, without end.
        case crawls = "ready; take; while :; do sleep 0.01; done"
    }

    /// The executable.
    package let path: FilePath
    private let list: FilePath

    /// - Parameter count: how many workers are scripts.
    package init(in folder: TemporaryFolder, first: First = .real, count: Int = 1) throws {
        try self.init(in: folder, line: first.rawValue, count: count)
    }

    /// The first workers report readiness, take a photo, and send these bytes.
    ///
    /// - Parameters:
    ///   - atOnce: whether they send without waiting for the photo.
    ///   - pauses: how often they wait for 50 ms, having worked on the photo a little.
    package init(
        in folder: TemporaryFolder, sending bytes: [UInt8], atOnce: Bool = false, after pauses: Int = 0, count: Int = 1
    ) throws {
        try folder.write(bytes, to: "answer")
        let work = "for i in $(seq \(pauses)); do sleep 0.05; done"
        let line = "ready; \(atOnce ? ":" : "take"); \(work); cat '\(folder["answer"])' >&0; exec sleep 1000"
        try self.init(in: folder, line: line, count: count)
    }

    /// The first worker replies with this header and a descriptor.
    package init(in folder: TemporaryFolder, sendingDescriptorWith header: String) throws {
        try folder.write(header, to: "answer")
        let program = try BuiltProgram.path(of: "HostileWorker")
        try self.init(in: folder, line: "exec '\(program)' '\(folder["answer"])'", count: 1)
    }

    /// All workers are real, with a library, from this source in C, that takes the place of others' functions
    /// (ld.so(8), LD_PRELOAD).
    package init(in folder: TemporaryFolder, preloading source: String) throws {
        try folder.write(source, to: "preloaded.c")
        let (source, library) = (folder["preloaded.c"].string, folder["preloaded.so"].string)
        guard try run("cc", ["-shared", "-fPIC", "-o", library, source]).status == 0 else {
            throw Errno.noSuchFileOrDirectory
        }
        try self.init(in: folder, line: "export LD_PRELOAD='\(library)'", count: .max)
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
        try folder.write(script, to: "worker.sh")
        try folder.setMode(0o755, of: "worker.sh")
    }

    /// The workers' PIDs, in the order in which they were started.
    package var processes: [Int32] {
        ((try? String(contentsOfFile: list.string, encoding: .utf8)) ?? "").split(separator: "\n")
            .compactMap { Int32($0) }
    }
}
