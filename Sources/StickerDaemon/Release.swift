/// What the program calls itself.
package enum Release {
    /// The version (Semantic Versioning). Scripts read it from this line; the newest entry of `CHANGELOG.md` has the
    /// same.
    package static let version = "1.0.0"
}
