import Foundation
package import SystemPackage

/// The stickerd that tests run: that of the variable `STICKERD_UNDER_TEST`, for example the release build, or else the
/// one that was built with the running tests.
package enum StickerdBinary {
    package static var path: FilePath {
        get throws {
            guard let path = ProcessInfo.processInfo.environment["STICKERD_UNDER_TEST"] else {
                return try BuiltProgram.path(of: "stickerd")
            }
            return FilePath(path)
        }
    }
}
