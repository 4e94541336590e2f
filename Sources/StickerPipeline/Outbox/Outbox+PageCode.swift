import Gallery
import LinuxIO
import SystemPackage

/// The script of the gallery's page, which is in the folder of each pack.
extension Outbox {
    /// Writes this release's script, unless it is there.
    ///
    /// - Throws: as `publish`.
    func writeCode(inPack pack: String) async throws {
        try await inFolder(ofPack: pack, .pages) { folder throws(Errno) in
            let name = try PageCode.name.get()
            guard try !Self.hasCode(named: name, in: folder) else { return }
            let draft = try folder.draft()
            try draft.write(PageCode.bytes)
            try draft.publish(as: name)
        }
    }

    /// Whether a pack has a file with the name and the size of this release's script. Does not read it.
    func mayHaveCode(inPack pack: String) async throws -> Bool {
        let path = try await path(ofPack: pack).appending(try PageCode.file.get())
        guard let status = try? FileStatus(of: path) else { return false }
        return status.kind == .regular && status.identity.size == PageCode.bytes.count
    }

    /// Removes scripts, if their folder exists. Call it only when no page loads them any more.
    ///
    /// - Parameters:
    ///   - pack: the pack.
    ///   - current: the name of the script that stays; nil for none.
    /// - Throws: as `publish`.
    func removeCode(inPack pack: String, except current: String?) async throws {
        try await inFolder(ofPack: pack) { parent throws(Errno) in
            guard try parent.hasFolder(OutboxSubfolder.pages.rawValue) else { return }
            let folder = try parent.folder(OutboxSubfolder.pages.rawValue)
            var former: [String] = []
            var scan = try DirectoryScan(of: folder.descriptor.raw)
            while let entry = try scan.next() {
                let name = String(decoding: entry.name, as: UTF8.self)
                if entry.kind != .folder, PageCode.isName(name), name != current { former.append(name) }
            }
            try folder.remove(former)
        }
    }

    private static func hasCode(named name: String, in folder: borrowing OutboxFolder) throws(Errno) -> Bool {
        do throws(Errno) {
            let file = try OwnedDescriptor(
                opening: Array(name.utf8), in: folder.descriptor.raw, options: [.noFollow, .nonBlocking])
            let status = try FileStatus(ofDescriptor: file.raw)
            guard status.kind == .regular, status.identity.size == PageCode.bytes.count else { return false }
            return PageCode.name(of: try ContentDigest.sha256(ofDescriptor: file.raw, limit: PageCode.bytes.count))
                == name
        } catch {
            guard !error.isShortage else { throw error }
            // A file that cannot be read is replaced.
            return false
        }
    }
}
