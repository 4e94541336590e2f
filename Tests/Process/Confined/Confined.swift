import Glibc
import LinuxIO

/// `Confined CALL ARGUMENT…`: enters the confinement of a worker whose socket is standard input, then makes the system
/// call of that name or number with those numbers, and ends with 0, or with the call's error number.
@main
enum Confined {
    private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

    static func main() {
        Confinement.prepare()
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first,
            let number = SystemCallFilter.number(of: name).map({ Int($0) }) ?? Int(name),
            // syscall(3) is variadic, which Swift cannot call by name.
            let symbol = unsafe dlsym(nil, "syscall")
        else { exit(EXIT_FAILURE) }
        let call = unsafe unsafeBitCast(symbol, to: SystemCall.self)
        let numbers = arguments.dropFirst().map { Int($0) ?? 0 } + Array(repeating: 0, count: 6)
        guard Confinement.enter(socket: STDIN_FILENO).isEmpty else { exit(EXIT_FAILURE) }
        Confinement.limitMemory(toPhotosOf: 0)
        // Whatever it would do: nothing here is worth keeping.
        let answer = call(number, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        _exit(answer >= 0 ? EXIT_SUCCESS : errno)
    }
}
