import Glibc

/// The width of text in a terminal's columns, by the C library's table, each character by itself.
@safe
package struct TerminalColumns {
    // Both stay valid: the library is never unloaded, and the locale is never freed.
    private let columns: @convention(c) (wchar_t) -> Int32
    private let locale: locale_t

    /// Nil if the C library has no table.
    package init?() {
        // Glibc's module lacks wcwidth(3). The strings outlive the calls, and the function has this type.
        guard let symbol = unsafe dlsym(nil, "wcwidth"), let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        else { return nil }
        columns = unsafe unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        unsafe self.locale = locale
    }

    /// Unprintable characters count as 0.
    package func of(_ text: String) -> Int {
        // Only this thread uses the locale meanwhile.
        let former = unsafe uselocale(locale)
        defer { _ = unsafe uselocale(former) }
        return text.unicodeScalars.reduce(0) { $0 + Int(max(0, columns(wchar_t($1.value)))) }
    }
}
