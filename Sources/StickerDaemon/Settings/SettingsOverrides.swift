/// Settings from the command line; nil if not given. Relative folders start at the working directory.
package struct SettingsOverrides: Sendable, Equatable {
    package var inbox: String?
    package var outbox: String?
    package var state: String?
    package var model: String?

    package init(inbox: String? = nil, outbox: String? = nil, state: String? = nil, model: String? = nil) {
        self.model = model
        self.inbox = inbox
        self.outbox = outbox
        self.state = state
    }

    /// Key and value of each given flag; a flag has its key's name.
    var values: [(key: String, text: String)] {
        [("inbox", inbox), ("outbox", outbox), ("state", state), ("model", model)].compactMap { key, text in
            text.map { (key, $0) }
        }
    }
}
