import Glibc
package import SystemPackage

/// A process's mounts, as /proc/PID/mountinfo listed them (proc_pid_mountinfo(5)).
package struct MountTable: Sendable {
    /// A folder, by its file system: the same wherever a mount shows it.
    package struct Place: Sendable {
        /// Major and minor number of the file system's device. btrfs' subvolumes share theirs, unlike stat(2)'s.
        fileprivate let device: [UInt8]
        /// From the root of the file system.
        fileprivate let path: FilePath

        /// Whether this is the other folder or one below it.
        package func isInside(_ other: Place) -> Bool { device == other.device && path.starts(with: other.path) }
    }

    private struct Mount {
        let root: Place
        let point: FilePath
        let isReadOnly: Bool
        let fileSystem: String
    }

    /// The longest table that is read, in bytes: some 30,000 mounts.
    private static let maxBytes = 4 << 20
    private let mounts: [Mount]

    /// This process's; empty without /proc.
    package init() {
        let table = try? OwnedDescriptor(opening: "/proc/self/mountinfo").read(upTo: Self.maxBytes)
        self.init(text: table ?? [])
    }

    /// Another process's.
    ///
    /// - Throws: `permissionDenied` if this process may not examine it (ptrace(2)).
    package init(ofProcess id: Int32) throws(Errno) {
        self.init(text: try OwnedDescriptor(opening: FilePath("/proc/\(id)/mountinfo")).read(upTo: Self.maxBytes))
    }

    /// - Parameter text: of a file `mountinfo`.
    package init(text: [UInt8]) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 6 else { return nil }
            let root = Place(device: Array(fields[2]), path: FilePath(bytes: Self.unescaped(fields[3])))
            // After a variable number of fields, a hyphen.
            let rest = fields[6...].drop { !$0.elementsEqual("-".utf8) }.dropFirst()
            func lists(_ options: ArraySlice<UInt8>?, _ option: String) -> Bool {
                options?.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual(option.utf8) } == true
            }
            return Mount(
                root: root, point: FilePath(bytes: Self.unescaped(fields[4])),
                // Newer kernels leave the flags as they are after an error of ext4.
                isReadOnly: lists(fields[5], "ro") || lists(rest.last, "emergency_ro"),
                fileSystem: String(decoding: rest.first ?? [], as: UTF8.self))
        }
    }

    /// Where a folder lies; nil if that is unknown. Follows symbolic links of this process's own mounts.
    package func place(of folder: FilePath) -> Place? {
        guard let folder = folder.resolved, let mount = mount(above: folder) else { return nil }
        return Place(device: mount.root.device, path: mount.root.path.appending(folder.suffix(below: mount.point)))
    }

    /// The type of the file system that a folder is on, such as `ext4`, and whether its mount refuses writing; nil if
    /// that is unknown. Follows links as above.
    package func fileSystem(of folder: FilePath) -> (type: String, isReadOnly: Bool)? {
        folder.resolved.flatMap(mount(above:)).map { ($0.fileSystem, $0.isReadOnly) }
    }

    /// Of several mounts over each other, the last.
    private func mount(above folder: FilePath) -> Mount? {
        let point = mounts.lazy.map(\.point).filter { folder.starts(with: $0) }
            .max { $0.components.count < $1.components.count }
        return mounts.last { $0.point == point }
    }

    /// The mount points below a folder, as paths from there, and what they show. Of several mounts over each other, the
    /// last.
    package func mounts(below folder: FilePath) -> [(path: FilePath, place: Place)] {
        guard let folder = folder.resolved else { return [] }
        var places: [FilePath: Place] = [:]
        for mount in mounts where mount.point != folder && mount.point.starts(with: folder) {
            places[FilePath(root: nil, mount.point.suffix(below: folder))] = mount.root
        }
        return places.map { ($0.key, $0.value) }
    }

    /// The kernel writes space, tab, line feed and backslash as three octal digits.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(3), as: UTF8.self)
            if byte == UInt8(ascii: "\\"), let value = UInt8(digits, radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension FilePath {
    /// The absolute path without symbolic links and `..` (realpath(3)); nil if it leads to nothing.
    package var resolved: FilePath? {
        // Both strings are alive for the calls, and the result is ours to free.
        unsafe withPlatformString { path in
            guard let resolved = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(resolved) }
            return unsafe FilePath(platformString: resolved)
        }
    }

    fileprivate func suffix(below folder: FilePath) -> [FilePath.Component] {
        Array(components.dropFirst(folder.components.count))
    }
}
