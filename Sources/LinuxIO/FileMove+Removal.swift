package import SystemPackage

/// Removes a file only if it is the expected one. unlink(2) takes a name, to which another file can be renamed after
/// any check. So the file is first moved aside, to a name that only stickerd uses, and checked there.
extension FileMove {
    /// Removes the file if it is the expected one. Any other file of this name stays.
    ///
    /// - Parameter aside: this file's own name, from `AtomicFile.asideName`. After a crash, a call with the same name
    ///   completes the removal.
    /// - Returns: whether the file was removed; if so, the removal is synced.
    /// - Throws: the cause; the file then has its own name or the aside one.
    @discardableResult
    package static func remove(
        _ name: [UInt8], in folder: Int32, aside: [UInt8]? = nil, isExpected: (FileStatus) -> Bool
    ) throws(Errno) -> Bool {
        if let aside {
            let isFinished = try finishRemoval(of: name, in: folder, aside: aside) { () throws(Errno) in
                isExpected(try FileStatus(of: aside, in: folder))
            }
            if isFinished { return true }
        }
        let aside = aside ?? randomAside()
        guard let file = try CheckedFile(name, in: folder, isExpected) else { return false }
        do throws(Errno) {
            try moveAside(name, in: folder, to: aside)
        } catch .noSuchFileOrDirectory {
            return false
        }
        return try finishRemoval(of: name, in: folder, aside: aside) { () throws(Errno) in
            try file.isStill(aside, in: folder, isExpected)
        }
    }

    /// Removes the file that was moved aside if it is the expected one; otherwise restores its name.
    private static func finishRemoval(
        of name: [UInt8], in folder: Int32, aside: [UInt8], isExpected: () throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        let isSame: Bool
        do throws(Errno) {
            isSame = try isExpected()
        } catch .noSuchFileOrDirectory {
            return false
        }
        guard isSame else {
            try putBack(aside, in: folder, as: name, in: folder)
            return false
        }
        try AtomicFile.remove(aside, in: folder)
        try AtomicFile.synchronize(folder)
        return true
    }

    /// Restores a file's name, or numbers it if another file has taken the name, and syncs the folder. Does nothing if
    /// there is no such file.
    package static func putBack(_ current: [UInt8], in folder: Int32, as name: [UInt8], in home: Int32) throws(Errno) {
        for candidate in NumberedName.candidates(for: name) {
            do throws(Errno) {
                try rename(current, in: folder, to: candidate, in: home)
            } catch .fileExists {
                continue
            } catch .noSuchFileOrDirectory {
                return
            }
            try AtomicFile.synchronize(home)
            return try AtomicFile.synchronize(folder)
        }
        throw .fileExists
    }

    private static func moveAside(_ name: [UInt8], in folder: Int32, to aside: [UInt8]) throws(Errno) {
        do throws(Errno) {
            try renameNew(name, in: folder, to: aside, in: folder)
        } catch .invalidArgument {
            // The file system lacks RENAME_NOREPLACE. No other program uses this name.
            try renameOver(name, in: folder, to: aside, in: folder)
        }
    }

    static func randomAside() -> [UInt8] {
        AtomicFile.asideName(String(UInt64.random(in: .min ... .max), radix: 16))
    }
}

/// Names for files whose own name is taken.
package enum NumberedName {
    /// NAME_MAX of Linux.
    package static let maxBytes = 255
    /// The numbers that are tried one after the other.
    private static let numbers = 1...100
    /// How many larger ones are tried then, chosen at random: a camera may give each of its photos the same name, and
    /// the millionth must not take a million tries.
    private static let atRandom = 100
    /// The longest ending that is kept, with its dot: what follows the last dot of a sentence is cut with the stem.
    private static let maxEnding = 32

    /// `cat.jpg`, `cat-2.jpg`, `cat-3.jpg`…, after `cat-100.jpg` with random numbers. Stems are cut so that the name
    /// and a suffix of `room` bytes fit into `maxBytes`.
    package static func candidates(for name: [UInt8], room: Int = 0) -> some Sequence<[UInt8]> {
        let dot =
            name.lastIndex(of: UInt8(ascii: "."))
            .flatMap { $0 > 0 && name.count - $0 <= maxEnding ? $0 : nil } ?? name.count
        let larger = (0..<atRandom).lazy.map { _ in Int.random(in: numbers.upperBound + 1..<1_000_000_000) }
        return (Array(numbers) + larger).lazy.map { number in
            let ending = Array((number > 1 ? "-\(number)" : "").utf8) + name[dot...]
            return cut(name[..<dot], to: max(1, maxBytes - room - ending.count)) + ending
        }
    }

    /// Cuts only between UTF-8 sequences.
    private static func cut(_ stem: ArraySlice<UInt8>, to length: Int) -> [UInt8] {
        guard stem.count > length else { return Array(stem) }
        var end = stem.startIndex + length
        while end > stem.startIndex, stem[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(stem[..<end])
    }
}
