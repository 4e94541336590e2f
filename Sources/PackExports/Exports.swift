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
    ///
    /// - Parameters:
    ///   - name: as in the settings.
    ///   - imessage: the size of its stickers.
    package static func named(_ name: String, imessage: IMessageSize = .regular) -> (any PackExport)? {
        let export = all.first { $0.name == name }
        return export is IMessageExport ? IMessageExport(size: imessage) : export
    }
}
