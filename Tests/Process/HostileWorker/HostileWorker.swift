import Glibc
import LinuxIO
import SystemPackage

/// `HostileWorker FILE`: reports readiness, takes a photo, and replies with the header in FILE and a descriptor, which
/// no worker sends. Standard input is the worker's socket.
@main
enum HostileWorker {
    static func main() throws {
        let socket = MessageSocket(owning: OwnedDescriptor(owning: STDIN_FILENO))
        try socket.send(header: [])
        guard try socket.receive() != nil, let path = CommandLine.arguments.last else { exit(EXIT_FAILURE) }
        let file = try OwnedDescriptor(opening: FilePath(path))
        try socket.send(header: try file.read(upTo: 1 << 16), passing: file.raw)
        // Blocks until it is killed.
        while true { sleep(1000) }
    }
}
