import Foundation
package import SystemPackage

/// The path of a program built with the running tests.
package enum BuiltProgram {
    package struct Missing: Error, CustomStringConvertible {
        let name: String
        let folders: [FilePath]
        package var description: String { "no \(name) in \(folders); build the package's products first" }
    }

    package static func path(of name: String) throws -> FilePath {
        // The test bundle is an executable, or an argument of the one that runs it.
        let programs = [try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")]
        let folders = (programs + CommandLine.arguments).map { FilePath($0).removingLastComponent() }
        let found = folders.map { $0.appending(name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.string)
        }
        guard let found else { throw Missing(name: name, folders: folders) }
        return found
    }
}
