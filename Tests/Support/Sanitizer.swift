import LinuxIO

/// The sanitizers slow every call down, so limits of time are multiplied under them.
package enum Sanitizer {
    /// 1 in a build without one. The address sanitizer costs a factor of 3 to 10 here.
    package static let slowdown = Confinement.isWhole ? 1 : 10
}
