import Glibc

/// `errno` in words.
enum SystemError {
    static var lastText: String { text(errno) }

    static func text(_ number: Int32) -> String {
        // strerror returns a string of the C library that is copied at once.
        unsafe String(cString: strerror(number))
    }
}
