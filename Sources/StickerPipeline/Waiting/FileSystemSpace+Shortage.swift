import LinuxIO
import SystemPackage

extension FileSystemSpace {
    /// One line for a person: the disk of `folder` has `free` bytes, and `limits.minFreeBytes` is `required`.
    static func shortage(at folder: FilePath, free: Int, required: Int) -> String {
        "\(folder): only \(free >> 20) MiB are free; limits.minFreeBytes requires \(required >> 20) MiB"
    }
}
