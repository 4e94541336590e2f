import Glibc
package import SystemPackage

extension FileLock {
    private static let maxInfoBytes = 1 << 16

    /// The process that holds any lock on a file, as `812 (stickerd)`; nil if none can be seen: it belongs to another
    /// user, or is in another container. The kernel names no process for an open-file-description lock, but its
    /// descriptor.
    package static func holder(of path: FilePath) -> String? {
        guard let file = FileNode(of: path) else { return nil }
        for id in ProcessStatus.numbers(in: "/proc") {
            for descriptor in ProcessStatus.numbers(in: FilePath("/proc/\(id)/fd")) {
                guard FileNode(of: FilePath("/proc/\(id)/fd/\(descriptor)")) == file,
                    contents(of: "/proc/\(id)/fdinfo/\(descriptor)").contains(Array("\nlock:".utf8))
                else { continue }
                // Any process may name itself as it likes.
                let name = contents(of: "/proc/\(id)/comm").filter { (0x20..<0x7F).contains($0) }
                return "\(id) (\(String(decoding: name, as: UTF8.self)))"
            }
        }
        return nil
    }

    private static func contents(of file: String) -> [UInt8] {
        (try? OwnedDescriptor(opening: FilePath(file)).read(upTo: maxInfoBytes)) ?? []
    }
}
