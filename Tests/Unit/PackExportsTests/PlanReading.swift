import Foundation
import Testing

@testable import PackExports

extension ExportPlan {
    var paths: [String] { files.map(\.path) }

    /// The file that is JSON, read by Foundation.
    func object(_ path: String) throws -> [String: Any] {
        guard case .bytes(let bytes) = try #require(files.first { $0.path == path }).contents else { return [:] }
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// The names in an archive.
    func entries(_ path: String) throws -> [String] {
        guard case .zip(let entries) = try #require(files.first { $0.path == path }).contents else { return [] }
        return entries.map(\.name)
    }

    /// The picture at a path.
    func picture(_ path: String) -> ExportPicture? {
        guard case .picture(let picture) = files.first(where: { $0.path == path })?.contents else { return nil }
        return picture
    }
}

extension [String: Any] {
    func objects(_ key: String) throws -> [[String: Any]] { try #require(self[key] as? [[String: Any]]) }

    func text(_ key: String) throws -> String { try #require(self[key] as? String) }
}

extension PackExport {
    /// The plan with an empty book.
    func plan(_ pack: ExportPack) throws(ExportRefusal) -> ExportPlan {
        var book = NameBook()
        return try plan(pack, &book)
    }
}
