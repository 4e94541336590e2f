import Foundation
import LinuxIO

package enum Sanitizer {
    /// The factor for time limits: 1 in a build without sanitizers. The address sanitizer costs a factor of 3 to 10
    /// here.
    package static let slowdown = Confinement.isWhole ? 1 : 10

    /// The variables that configure sanitizers, for processes that tests start: they name the suppressions.
    package static var options: [String: String] {
        ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    }
}
