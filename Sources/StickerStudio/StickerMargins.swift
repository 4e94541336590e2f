/// The distances between the subject and the sticker's border on each side, in pixels of the finished sticker.
struct StickerMargins {
    var left = 0
    var right = 0
    var top = 0
    var bottom = 0

    var across: Int { left + right }
    var down: Int { top + bottom }
}
