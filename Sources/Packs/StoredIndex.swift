import Foundation
import LinuxIO
import OutboxLayout
package import PackFacts
package import SystemPackage

/// A pack's index as its files say, which anyone with access to the outbox may have changed.
package struct StoredIndex: Sendable {
    /// `pack.json`.
    package let index: Pack
    /// In the order of the pack, from `pack.json` and all pages that could be read.
    package let stickers: [PackEntry]
    /// Pages that could not be read: their files, relative to the pack's folder as `pack.json` names them.
    package let unreadable: [String]

    /// A larger `pack.json` is invalid: earlier releases listed 100,000 stickers in 200 MB.
    static let maxBytes = 256 << 20
    /// Larger pages are invalid: one of 100 stickers has 0.2 MB.
    private static let maxPageBytes = 8 << 20
    /// More pages are not read, nor are more bytes of all pages together.
    private static let (maxPages, maxBytesOfPages) = (100_000, 2 << 30)

    /// - Throws: `Failure` if there is no valid `pack.json`.
    package init(in folder: FilePath) throws(Failure) {
        let bytes = try Self.contents(of: folder.appending(OutboxFile.index), upTo: Self.maxBytes)
        guard let index = try? JSONDecoder().decode(Pack.self, from: Data(bytes)) else { throw Failure() }
        var stickers = index.stickers
        var unreadable: [String] = []
        var rest = Self.maxBytesOfPages
        var seen: Set<String> = []
        for page in index.pages?.prefix(Self.maxPages) ?? [] {
            do throws(Failure) {
                // Listing one page again and again would need no room on the disk.
                guard seen.insert(page.file).inserted else { throw Failure() }
                stickers += try Self.stickers(of: page, in: folder, &rest)
            } catch {
                unreadable.append(page.file)
            }
        }
        self.index = index
        self.stickers = stickers
        self.unreadable = unreadable
    }

    package struct Failure: Error {
        /// nil if the file could be read, but is invalid.
        package var cause: Errno?
    }

    /// The beginning of `pack.json`; nil if another program wrote it.
    static func head(in folder: FilePath) throws(Failure) -> IndexHead? {
        do throws(Errno) {
            let file = try RegularFile.open(folder.appending(OutboxFile.index), options: .noFollow)
            return IndexHead.parse(try file.read(upTo: IndexHead.maxBytes))?.head
        } catch {
            throw Failure(cause: error)
        }
    }

    /// A page's file.
    private struct PageContents: Decodable {
        let schemaVersion: Int
        let revision: Int
        let stickers: [PackEntry]
    }

    /// Reads nothing but a page's file: `pack.json` may name any path.
    private static func stickers(
        of page: Pack.Page, in folder: FilePath, _ rest: inout Int
    ) throws(Failure) -> [PackEntry] {
        guard let (name, kind) = PageName.parse(page.file), kind == .index, name.revision == page.revision
        else { throw Failure() }
        let bytes = try contents(of: folder.appending(page.file), upTo: min(maxPageBytes, rest))
        rest -= bytes.count
        guard let contents = try? JSONDecoder().decode(PageContents.self, from: Data(bytes)),
            contents.revision == page.revision, contents.stickers.count == page.count
        else { throw Failure() }
        return contents.stickers
    }

    private static func contents(of file: FilePath, upTo limit: Int) throws(Failure) -> [UInt8] {
        do throws(Errno) {
            return try RegularFile.contents(of: file, upTo: limit, options: .noFollow)
        } catch {
            throw Failure(cause: error)
        }
    }
}
