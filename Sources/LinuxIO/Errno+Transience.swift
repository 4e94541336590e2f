import Glibc
package import SystemPackage

extension Errno {
    /// The world is at fault, not the file at hand: the same call may succeed later though nothing about the file has
    /// changed. What is neither here nor there counts as lasting.
    package var isTransient: Bool {
        isShortage || Self.troublesOfDisks.contains(self)
    }

    /// The process or the machine has too little of something, whatever file was asked for.
    package var isShortage: Bool {
        Self.shortages.contains(self)
    }

    private static let shortages: Set<Errno> = [
        .noBufferSpace, .noMemory, .resourceTemporarilyUnavailable, .tooManyOpenFiles, .tooManyOpenFilesInSystem,
    ]

    /// Full, read-only, failing or absent. ENODEV, ENOTCONN and ESTALE are what a mount that vanished answers, be it a
    /// FUSE process that died or an NFS server that forgot; the names of networks come from file systems behind one.
    private static let troublesOfDisks: Set<Errno> = [
        .diskQuotaExceeded, .hostIsDown, .ioError, .networkDown, .networkUnreachable, .noRouteToHost, .noSpace,
        .operationNotSupportedByDevice, .readOnlyFileSystem, .resourceBusy, .socketNotConnected,
        .staleNFSFileHandle, .timedOut, Errno(rawValue: Glibc.ENOLINK), Errno(rawValue: Glibc.EREMOTEIO),
    ]
}
