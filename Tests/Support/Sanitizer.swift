import LinuxIO

/// Sanitizers slow down every call, so time limits are multiplied.
package enum Sanitizer {
    /// 1 in a build without sanitizers. The address sanitizer costs a factor of 3 to 10 here.
    package static let slowdown = Confinement.isWhole ? 1 : 10
}
