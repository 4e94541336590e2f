import Glibc
import LinuxIO

/// `Confined CALL ARGUMENT…`: enters the confinement of a worker whose socket is standard input, makes the system call
/// of that name or number with the given arguments, and exits with 0 or the call's error number.
@main
enum Confined {
    private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

    static func main() {
        Confinement.prepare()
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first,
            let number = SystemCallFilter.number(of: name).map({ Int($0) }) ?? Int(name),
            // syscall(3) is variadic, so Swift cannot import it.
            let symbol = unsafe dlsym(nil, "syscall")
        else { exit(EXIT_FAILURE) }
        let call = unsafe unsafeBitCast(symbol, to: SystemCall.self)
        let numbers = arguments.dropFirst().map { Int($0) ?? 0 } + Array(repeating: 0, count: 6)
        guard Confinement.enter(socket: STDIN_FILENO).isEmpty else { exit(EXIT_FAILURE) }
        Confinement.limitMemory(toPhotosOf: 0)
        // No call can do harm: this process has nothing worth keeping.
        let answer = call(number, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        _exit(answer >= 0 ? EXIT_SUCCESS : errno)
    }
}
