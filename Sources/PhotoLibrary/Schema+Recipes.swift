extension Schema {
    /// Earlier releases recorded when an original was last tried; now the round is recorded.
    static let rounds = "UPDATE original SET tried = NULL WHERE finished IS NULL;"

    /// For the number of stickers that were made with other settings or weights.
    static let recipes = "CREATE INDEX stickerByRecipe ON sticker(recipe) WHERE published;"

    /// `+` keeps SQLite from finding a photo's stickers by their recipe, which all stickers may have.
    static let colorsByPhoto = """
        DROP TRIGGER pageColors;
        CREATE TRIGGER pageColors AFTER INSERT ON result BEGIN
            UPDATE page SET version = version + 1 WHERE (pack, first) IN (
                SELECT sticker.pack, (
                    SELECT MAX(other.first) FROM page AS other
                    WHERE other.pack = sticker.pack AND other.first <= sticker.arrival)
                FROM sticker WHERE photo = NEW.photo AND +recipe = NEW.recipe AND published);
        END;
        """
}
