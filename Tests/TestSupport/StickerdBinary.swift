import Foundation
package import SystemPackage

/// The stickerd that was built together with the running tests.
package enum StickerdBinary {
    package struct Missing: Error, CustomStringConvertible {
        let folders: [FilePath]
        package var description: String { "no stickerd in \(folders); build the package's products first" }
    }

    package static var path: FilePath {
        get throws {
            // The test bundle is a program of its own, or is named to whatever program runs it.
            let programs = [try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")]
            let folders = (programs + CommandLine.arguments).map { FilePath($0).removingLastComponent() }
            let found = folders.map { $0.appending("stickerd") }.first {
                FileManager.default.isExecutableFile(atPath: $0.string)
            }
            guard let found else { throw Missing(folders: folders) }
            return found
        }
    }
}
