import Gallery
import LinuxIO
package import Outbox
import OutboxLayout
package import SystemPackage

extension OutboxWriter {
    /// The files in a pack's folder that have names of pages and of scripts, whether or not the Library knows them.
    ///
    /// - Returns: paths relative to the folder.
    /// - Throws: `OutboxError` if the disk refuses.
    package static func remains(in folder: FilePath) throws(OutboxError) -> [String] {
        do throws(Errno) {
            let pages = try OwnedDescriptor(
                opening: folder.appending(OutboxSubfolder.pages.rawValue), options: .directory)
            return try DirectoryScan.entries(of: pages.raw).filter { $0.kind != .folder }
                .map { OutboxSubfolder.pages.file(String(decoding: $0.name, as: UTF8.self)) }.filter(isRemain)
        } catch {
            guard error.isTransient else { return [] }
            throw OutboxError(folder: folder, cause: error)
        }
    }

    /// Whether a path, relative to a pack's folder, is one that stickerd may have given a page or a script.
    package static func isRemain(_ file: String) -> Bool {
        PageName.parse(file) != nil || PageCode.isFile(file)
    }
}
