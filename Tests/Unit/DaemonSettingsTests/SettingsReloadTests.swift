import DaemonSettings
import Inbox
import StickerStudio
import Testing

@Suite struct SettingsReloadTests {
    let fixture: SettingsFixture

    init() throws { fixture = try SettingsFixture() }

    @Test func `A reload applies what it can and lists keys that need a restart`() throws {
        let running = try fixture.load(#"{"sticker": {"size": 256}, "workers": 1}"#)
        let new = try fixture.load(
            #"{"inbox": "/srv/a", "sticker": {"size": 300}, "workers": 2, "watch": {"settleSeconds": 9}}"#)
        let reload = SettingsReload(running: running, new: new)
        #expect(reload.applied == ["sticker.size", "watch.settleSeconds"])
        // The folders for originals are not set: they are next to the inbox.
        #expect(reload.needsRestart == ["inbox", "originals.archive", "originals.failed", "workers"])
        #expect(reload.settings.sticker.size == 300)
        #expect(reload.settings.watch.settleSeconds == 9)
        #expect(reload.settings.inbox == running.inbox)
        #expect(reload.settings.workers == 1)
        #expect(reload.settings.sources["watch.settleSeconds"] == .file(fixture.file, line: 1))
    }

    @Test func `The same settings change nothing`() throws {
        let settings = try fixture.load(#"{"workers": 1}"#)
        let reload = SettingsReload(running: settings, new: settings)
        #expect(reload.settings == settings)
        #expect(reload.applied.isEmpty && reload.needsRestart.isEmpty)
    }

    @Test func `Only folders, the model, workers, the log level and the metrics file need a restart`() {
        let waiting = SettingKey.all.filter { !$0.reloads }.map(\.name)
        #expect(
            waiting == [
                "inbox", "outbox", "state", "model", "originals.mode", "originals.archive", "originals.failed",
                "workers", "log.level", "metrics.file",
            ])
    }
}
