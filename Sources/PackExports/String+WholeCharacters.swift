extension String {
    /// As many whole characters from the start as have at most `limit` UTF-16 code units; perhaps none.
    func wholeCharacters(utf16 limit: Int) -> String { start(limit) { $0.utf16.count } }

    /// As many whole characters from the start as have at most `limit` bytes of UTF-8; perhaps none.
    func wholeCharacters(utf8 limit: Int) -> String { start(limit) { $0.utf8.count } }

    private func start(_ limit: Int, _ length: (Character) -> Int) -> String {
        var room = limit
        return String(
            prefix { character in
                room -= length(character)
                return room >= 0
            })
    }
}
