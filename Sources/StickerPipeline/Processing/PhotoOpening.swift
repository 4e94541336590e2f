package import PhotoLibrary
package import SystemPackage

/// What the Processor needs to get at photos.
package protocol PhotoOpening: Sendable {
    /// Opens a claimed file of the inbox, as it was when it was claimed, following no symbolic link below `inbox`. One
    /// without bytes is `.empty`; one with more than `maxFileBytes`, or that is no regular file, is `.refused`.
    func open(_ claim: Claim, in inbox: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto

    /// Grows with every part of a file that was read.
    var partsRead: Int { get }

    /// Opens any file by its path, symbolic links included: for photos named on the command line, or moved elsewhere.
    /// Refuses what the other one does.
    func open(_ path: FilePath, maxFileBytes: Int) async throws(PhotoReadError) -> OpenPhoto
}
