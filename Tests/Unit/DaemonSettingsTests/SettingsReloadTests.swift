import DaemonSettings
import Inbox
import StickerStudio
import Testing

@Suite struct SettingsReloadTests {
    let fixture = SettingsFixture()

    @Test func `A reload applies what it can and lists keys that need a restart`() throws {
        let running = try fixture.load(#"{"sticker": {"size": 256}, "workers": 1}"#)
        let new = try fixture.load(
            #"{"inbox": "/srv/a", "sticker": {"size": 300}, "workers": 2, "watch": {"settleSeconds": 9}}"#)
        let reload = try SettingsReload(running: running, new: new)
        #expect(reload.applied == ["sticker.size", "watch.settleSeconds"])
        // The folders for originals are not set: they are next to the inbox.
        #expect(reload.needsRestart == ["inbox", "originals.archive", "originals.failed", "workers"])
        #expect(reload.settings.sticker.size == 300)
        #expect(reload.settings.watch.settleSeconds == 9)
        #expect(reload.settings.inbox == running.inbox)
        #expect(reload.settings.workers == 1)
        #expect(reload.settings.sources["watch.settleSeconds"] == .file(fixture.file, line: 1))
        #expect(try SettingsReload(running: running, new: running).summary == "Settings reloaded; nothing changed")
    }
}
