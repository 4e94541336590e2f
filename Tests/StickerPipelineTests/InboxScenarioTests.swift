import Testing

@Suite(.timeLimit(.minutes(1))) struct InboxScenarioTests {
    @Test("The Library hears what happens in the inbox", arguments: try InboxScenario.all())
    func scenario(_ scenario: InboxScenario) async throws {
        try await InboxScenarioRunner().play(scenario)
    }

    @Test("The scenarios are found")
    func found() throws {
        #expect(try InboxScenario.all().count >= 12)
    }
}
