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
        var files: [String] = []
        do throws(Errno) {
            let pages = try OwnedDescriptor(
                opening: folder.appending(OutboxSubfolder.pages.rawValue), options: .directory)
            var scan = try DirectoryScan(of: pages.raw)
            while let entry = try scan.next() {
                let file = OutboxSubfolder.pages.file(String(decoding: entry.name, as: UTF8.self))
                if entry.kind != .folder, isRemain(file) { files.append(file) }
            }
        } catch {
            guard error.isTransient else { return [] }
            throw OutboxError(folder: folder, cause: error)
        }
        return files
    }

    /// Whether a path, relative to a pack's folder, is one that stickerd may have given a page or a script.
    package static func isRemain(_ file: String) -> Bool {
        PageName.parse(file) != nil || PageCode.isFile(file)
    }
}
