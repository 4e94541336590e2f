/// Polls a condition. Returns false if it is still false after the timeout.
package func eventually(
    within time: Duration = .seconds(30), _ ask: () async throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + time
    while try await !ask() {
        guard .now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}
