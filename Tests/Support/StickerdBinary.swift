package import SystemPackage

/// The stickerd that was built with the running tests.
package enum StickerdBinary {
    package static var path: FilePath {
        get throws { try BuiltProgram.path(of: "stickerd") }
    }
}
