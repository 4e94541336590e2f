import Gallery
import LinuxIO
package import Outbox
import PackLedger
package import SystemPackage

extension Outbox {
    /// The files in a pack's folder that have names of pages and of scripts, whether or not the Library knows them.
    ///
    /// - Parameter folder: the pack's.
    /// - Returns: paths relative to the folder.
    /// - Throws: `OutboxError` if the disk refuses.
    package static func remains(in folder: FilePath) throws(OutboxError) -> [String] {
        var files: [String] = []
        do throws(Errno) {
            let pages = try OwnedDescriptor(opening: folder.appending(PackPage.folder), options: .directory)
            var scan = try DirectoryScan(of: pages.raw)
            while let entry = try scan.next() {
                let file = "\(PackPage.folder)/\(String(decoding: entry.name, as: UTF8.self))"
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
        guard file.hasPrefix(PackPage.folder + "/") else { return false }
        let name = String(file.dropFirst(PackPage.folder.count + 1))
        return PackPage.parse(name: name) != nil || PageCode.isName(name)
    }
}
