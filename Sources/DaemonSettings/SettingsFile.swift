import LinuxIO
import PackFacts
import SystemPackage

/// A settings file, read completely and split into its keys.
struct SettingsFile {
    /// One value with its dotted key, which may be unknown.
    struct Entry: Equatable {
        let key: String
        let line: Int
        let value: JSONValue
    }

    static let maximumBytes = 1 << 20

    let path: FilePath
    /// In the order of the file.
    private(set) var entries: [Entry] = []
    /// Problems with the keys themselves: duplicates, or a key where a group belongs.
    private(set) var problems: [SettingsProblem] = []

    /// Reads the file; returns nil if it does not exist and need not.
    static func read(_ path: FilePath, mustExist: Bool) throws(SettingsError) -> SettingsFile? {
        let bytes: [UInt8]
        do {
            bytes = try contents(of: path)
        } catch .noSuchFileOrDirectory where !mustExist {
            return nil
        } catch .fileTooLarge {
            throw refusal(path, nil, "larger than \(maximumBytes) bytes")
        } catch {
            throw refusal(path, nil, "cannot be read: \(error)")
        }
        let root: JSONValue
        do {
            root = try JSONParser.parse(bytes)
        } catch {
            throw refusal(path, error.line, "invalid JSON at column \(error.column): \(error.reason)")
        }
        guard let members = root.members else { throw refusal(path, 1, "must be a JSON object, not \(root)") }
        var file = SettingsFile(path: path)
        file.flatten(members, into: "")
        return file
    }

    private mutating func flatten(_ members: [JSONValue.Member], into group: String) {
        var seen: Set<String> = []
        for member in members {
            let key = group.isEmpty ? member.name : "\(group).\(member.name)"
            let source = SettingsSource.file(path, line: member.line)
            if !seen.insert(member.name).inserted {
                problems.append(.init(key: key, source: source, reason: "duplicate key \(key.quoted)"))
            } else if key == "$schema" {
                continue  // For editors; it has no effect.
            } else if member.name.contains(".") {
                let reason = "\(key.quoted) must be written as nested objects, split at each dot"
                problems.append(.init(key: key, source: source, reason: reason))
            } else if let inner = member.value.members, SettingKey.named[key] == nil, !inner.isEmpty {
                flatten(inner, into: key)
            } else if SettingKey.isGroup(key) {
                guard member.value.members == nil else { continue }
                let reason = "\(key) must be an object with keys of its own, not \(member.value)"
                problems.append(.init(key: key, source: source, reason: reason))
            } else {
                entries.append(Entry(key: key, line: member.line, value: member.value))
            }
        }
    }

    private static func refusal(_ path: FilePath, _ line: Int?, _ reason: String) -> SettingsError {
        SettingsError(problems: [.init(key: nil, source: .file(path, line: line), reason: reason)])
    }

    private static func contents(of path: FilePath) throws(Errno) -> [UInt8] {
        // A FIFO without a writer is empty. One with a writer, such as a shell's <(command), is read to its end.
        let file = try OwnedDescriptor(opening: path, options: .nonBlocking)
        try file.waitForData()
        let bytes = try file.read(upTo: maximumBytes + 1)
        guard bytes.count <= maximumBytes else { throw .fileTooLarge }
        return bytes
    }
}
