import LinuxIO
import OutboxLayout
import PackExports
import SystemPackage
import Systemd

/// `names.json`, which users may edit: a file with a mistake is never replaced, because its names would be lost.
struct NameBookFile {
    /// A longer reason is cut.
    private static let maxReasonBytes = 500

    private let folder: OpenFolder
    var book: NameBook
    /// What is on disk; nil if there is no file.
    private var written: NameBook?
    /// The file that was read.
    private(set) var identity: FileIdentity?

    /// - Parameter fallback: what to begin with if there is no file.
    /// - Throws: with kind `.invalid` if it cannot be understood.
    init(in folder: OpenFolder, orElse fallback: NameBook = NameBook()) throws(ExportTrouble) {
        self.folder = folder
        identity = try folder.status(of: ExportFiles.names)?.identity
        written = try Self.read(in: folder)
        book = written ?? fallback
    }

    /// nil if there is no file.
    static func read(in folder: OpenFolder) throws(ExportTrouble) -> NameBook? {
        guard let bytes = try folder.contents(of: ExportFiles.names, upTo: NameBook.maxBytes) else { return nil }
        do throws(ExportRefusal) {
            return try NameBook(json: bytes)
        } catch {
            let start = "\(NameBook.fileName): "
            let reason = error.reason.hasPrefix(start) ? String(error.reason.dropFirst(start.count)) : error.reason
            let path = folder.path.appending(ExportFiles.names)
            throw ExportTrouble(
                .invalid, "\(path): exports are paused, because \(PlainText.escaped(reason, limit: maxReasonBytes))")
        }
    }

    /// Writes the book if it has changed.
    ///
    /// - Throws: with kind `.notYet` if someone edited the file meanwhile.
    mutating func save() throws(ExportTrouble) {
        guard book != written else { return }
        guard try folder.status(of: ExportFiles.names)?.identity == identity else {
            throw ExportTrouble(.notYet, "\(folder.path.appending(ExportFiles.names)): has just been edited")
        }
        try folder.write(book.json, named: ExportFiles.names)
        written = book
        identity = try folder.status(of: ExportFiles.names)?.identity
    }
}
