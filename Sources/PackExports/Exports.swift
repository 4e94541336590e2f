/// All exports, in the order of the documentation.
package enum Exports {
    package static let all: [any PackExport] = messengers + servers

    private static let messengers: [any PackExport] = [
        WhatsAppExport(), TelegramExport(), SignalExport(), LINEExport(), IMessageExport(),
    ]

    private static let servers: [any PackExport] = [
        DiscordExport(), MatrixExport(), MastodonExport(), MisskeyExport(), AkkomaExport(), EmojiExport(),
    ]

    /// nil if there is no export of this name.
    package static func named(_ name: String) -> (any PackExport)? { all.first { $0.name == name } }
}
