import Glibc
package import SystemPackage

/// Writes files that are there whole or not at all, also after a power cut.
package enum AtomicFile {
    private static let prefix = Array(".stickerd-".utf8)
    private static let suffix = Array(".tmp".utf8)
    private static let asideSuffix = Array(".aside".utf8)

    /// A name that nobody else has.
    static func temporaryName() -> [UInt8] {
        prefix + Array(String(UInt64.random(in: .min ... .max), radix: 16).utf8) + suffix
    }

    /// The name of a file that is moved aside until it is checked (`FileMove.remove`). Unlike a draft it may be the
    /// only copy of a photo, so `removeLeftovers` leaves it alone.
    ///
    /// - Parameter key: identifies the file after a crash; without `/`.
    package static func asideName(_ key: String) -> [UInt8] { prefix + Array(key.utf8) + asideSuffix }

    /// The key in an aside name; nil for any other name.
    package static func asideKey(_ name: [UInt8]) -> String? {
        guard name.starts(with: prefix), name.suffix(asideSuffix.count).elementsEqual(asideSuffix),
            name.count >= prefix.count + asideSuffix.count
        else { return nil }
        return String(decoding: name[prefix.count...].dropLast(asideSuffix.count), as: UTF8.self)
    }

    /// Whether stickerd made this name, for a draft or a file moved aside.
    package static func isTemporary(_ name: some Collection<UInt8>) -> Bool {
        isDraft(name) || asideKey(Array(name)) != nil
    }

    private static func isDraft(_ name: some Collection<UInt8>) -> Bool {
        let name = Array(name)
        return name.starts(with: prefix) && name.suffix(suffix.count).elementsEqual(suffix)
    }

    /// Puts `bytes` under `name` in `folder`, replacing what was there. On disk when it returns; after a throw the name
    /// is as it was before (or, where only the folder's fsync failed, new), and no temporary file is left.
    ///
    /// - Parameter mode: the umask still takes its share.
    package static func write(
        _ bytes: [UInt8], named name: String, in folder: FilePath,
        mode: FilePermissions = FilePermissions(rawValue: 0o644)
    ) throws(Errno) {
        let draft = try DraftFile(in: folder, mode: mode)
        try draft.write(bytes)
        try draft.publish(as: name)
    }

    /// Removes what a process that ended in the middle of `write` left in `folder`, and returns how many there were.
    /// Only when no other process writes there.
    @discardableResult
    package static func removeLeftovers(in folder: FilePath) throws(Errno) -> Int {
        try removeLeftovers(in: try OwnedDescriptor(opening: folder, options: .directory))
    }

    /// The same in an open folder.
    @discardableResult
    package static func removeLeftovers(in folder: borrowing OwnedDescriptor) throws(Errno) -> Int {
        var leftovers: [[UInt8]] = []
        var scan = try DirectoryScan(of: folder.raw)
        while let entry = try scan.next() {
            if entry.kind != .folder, isDraft(entry.name) { leftovers.append(entry.name) }
        }
        for name in leftovers { try remove(name, in: folder.raw) }
        return leftovers.count
    }

    /// Removes a file, also from a disk that loses power a moment later. No such file is no error.
    package static func remove(_ name: String, in folder: FilePath) throws(Errno) {
        try remove(name, in: try OwnedDescriptor(opening: folder, options: .directory))
    }

    /// The same in an open folder.
    package static func remove(_ name: String, in folder: borrowing OwnedDescriptor) throws(Errno) {
        do throws(Errno) {
            try remove(Array(name.utf8), in: folder.raw)
        } catch .noSuchFileOrDirectory {
            return
        }
        try synchronize(folder.raw)
    }

    static func synchronize(_ descriptor: Int32) throws(Errno) {
        _ = try DiskWaits.shared.during { () throws(Errno) in try Errno.retry { fsync(descriptor) } }
    }

    static func remove(_ name: [UInt8], in folder: Int32) throws(Errno) {
        try name.withCString { name throws(Errno) in
            // The string outlives the call.
            _ = try Errno.retry { unsafe unlinkat(folder, name, 0) }
        }
    }
}
