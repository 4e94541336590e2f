import PhotoLibrary

/// Files that the Library knows and that a scan did not meet.
struct MissingFiles {
    /// Not there any more, on the file system on which they were.
    var gone: [InboxPath] = []
    /// How many of those the Library knows were met.
    var present = 0

    mutating func add(_ other: MissingFiles) {
        gone += other.gone
        present += other.present
    }
}
