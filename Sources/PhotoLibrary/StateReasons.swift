import GRDB
import PhotoRule
import SQLiteDatabase

/// Why the files of a photo in a pack are in their states, one line for a person.
struct StateReasons {
    /// The file that stands for the photo, and its state.
    private(set) var first: FileRecord?
    private(set) var state: FileState?
    private let likeness: String?
    private let result: String?

    init(
        of photo: String, _ answer: Decision.InPack, _ files: [FileRecord], _ stay: Library.Stay?,
        in database: Database
    ) throws {
        likeness = stay?.likeness
        if let index = answer.first { (first, state) = (files[index], answer.states[index]) }
        let hasResult = (answer.states + [answer.copies]).contains { $0 == .failed || $0 == .noSubject }
        result =
            hasResult
            ? try String.fetchOne(
                database, cached: "SELECT reason FROM result WHERE photo = ? AND recipe = ?",
                arguments: [photo, answer.decided]) : nil
    }

    func reason(of file: FileRecord, _ state: FileState?) -> String? {
        if file.id != first?.id, let state, file.presence != .unread { return ofCopies(state) }
        switch state {
        case .failed: return file.failure ?? result
        case .noSubject: return result
        case .duplicate: return likeness
        case .pending, .processing: return file.reason
        case .done, .ignored, nil: return nil
        }
    }

    func ofCopies(_ state: FileState) -> String? {
        switch state {
        case .duplicate: first.map { "duplicate of \($0.path)" }
        case .noSubject: first.map { "\(result ?? Ending.noSubjectReason); duplicate of \($0.path)" }
        case .failed: result
        case .pending, .processing, .done, .ignored: nil
        }
    }
}
