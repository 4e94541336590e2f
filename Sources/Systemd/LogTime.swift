import Glibc

/// Time stamps of lines that do not go to the journal, which has its own. Times are in seconds since 1970.
package enum LogTime {
    /// `2026-03-01T09:12:44Z`.
    package static func utc(_ time: Int) -> String {
        var time = time_t(time)
        var parts = unsafe tm()
        // Both outlive the call, which writes only `parts`.
        unsafe gmtime_r(&time, &parts)
        let date = unsafe [parts.tm_mon + 1, parts.tm_mday].map { "-" + twoDigits($0) }.joined()
        return unsafe "\(parts.tm_year + 1900)\(date)T\(clock(parts))Z"
    }

    /// `09:12:44`, in the local time zone.
    package static func local(_ time: Int) -> String {
        var time = time_t(time)
        var parts = unsafe tm()
        // Both outlive the call, which writes only `parts`.
        unsafe localtime_r(&time, &parts)
        return unsafe clock(parts)
    }

    private static func clock(_ parts: tm) -> String {
        unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
