import GRDB
@testable import SQLiteDatabase
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Patience with a database", .timeLimit(.minutes(1)))
struct PatientDatabaseTests {
    private let folder = TemporaryFolder()

    @Test(
        "What SQLite calls damage while a disk refuses to read is repeated; what stays is thrown, and not called usable",
        arguments: [1, PatientDatabase.mostDoubts, .max])
    func doubts(refusals: Int) async throws {
        let clock = ManualClock()
        let queue = try DatabaseQueue(path: folder["test.sqlite"].string, configuration: DatabaseFile.configuration())
        let database = PatientDatabase(queue: queue, clock: clock) { _ in {} }
        let reports = Mutex<[String?]>([])
        database.watch { cause in reports.withLock { $0.append(cause) } }
        let calls = Mutex(0)
        let answer = Task {
            try await database.read { _ in
                let call = calls.withLock {
                    $0 += 1
                    return $0
                }
                guard call > refusals else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "malformed") }
                return call
            }
        }
        for number in 1...min(refusals, PatientDatabase.mostDoubts) {
            #expect(try await eventually { calls.withLock { $0 } == number && clock.sleeps.count == 1 })
            clock.advance(by: .seconds(10))
        }
        if refusals < .max {
            #expect(try await answer.value == refusals + 1)
        } else {
            let error = await #expect(throws: DatabaseError.self) { try await answer.value }
            #expect(error?.isDamage == true)
        }
        let cause = "its disk refuses to read it, or malformed"
        #expect(reports.withLock { $0 } == (refusals < .max ? [cause, nil] : [cause]))
    }

    @Test("A read whose transaction SQLite ends because of an error of the disk is repeated")
    func ended() async throws {
        let queue = try DatabaseQueue(path: folder["test.sqlite"].string, configuration: DatabaseFile.configuration())
        let database = PatientDatabase(queue: queue, clock: ContinuousClock()) { _ in {} }
        let calls = Mutex(0)
        let answer = try await database.read { database in
            let isFirst = calls.withLock {
                $0 += 1; return $0 == 1
            }
            guard isFirst else { return calls.withLock { $0 } }
            try database.execute(sql: "ROLLBACK")
            throw DatabaseError(resultCode: .SQLITE_IOERR)
        }
        #expect(answer == 2)
    }
}
