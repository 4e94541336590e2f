import Glibc

/// What a name in a folder stands for. The raw value completes "this is …" in messages.
package enum FileKind: String, Sendable {
    case regular = "a regular file"
    case folder = "a folder"
    case link = "a symbolic link"
    case fifo = "a FIFO"
    case socket = "a socket"
    /// Block or character; what this release does not know counts as one.
    case device = "a device"

    init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            default: .device
            }
    }

    /// From readdir(3)'s `d_type`; nil where the file system does not say.
    init?(entryType: UInt8) {
        switch Int(entryType) {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .folder
        case Int(DT_LNK): self = .link
        case Int(DT_FIFO): self = .fifo
        case Int(DT_SOCK): self = .socket
        case Int(DT_CHR), Int(DT_BLK): self = .device
        default: return nil
        }
    }
}
