/// Names that people give to colors, such as "dusty rose" or "dark olive".
///
/// From the color survey of xkcd.com, in which about 200,000 people named colors on their screens
/// (https://xkcd.com/color/rgb.txt, CC0 1.0): a name's color is the mean of the colors that got it. Of its 949 names, those
/// here are inoffensive, free of trademarks, correctly spelled, and most are at least 0.03 apart in OKLab; of two that were
/// closer, the one that more people gave is kept. "Grey" is spelled "gray".
///
/// Names are part of `pack.json`: change none without a reason, and increase `PhotoColorScheme.revision` if you do.
enum ColorLexicon {
    /// Hues may differ by 23 degrees: at 40, a grayish green was a brown.
    private static let all = NamedColors(
        named, white: .infinity, leastColor: 0.025, leastHueCosine: 0.92, tintFactor: 2.5)

    /// The nearest name, in lowercase English words.
    static func nearest(to hex: HexColor) -> String { all.nearest(to: hex) }

    private static let named: [(String, UInt32)] = [
        ("almost black", 0x070d0d), ("apple green", 0x76cd26), ("aqua", 0x13eac9), ("aqua blue", 0x02d8e9),
        ("aqua green", 0x12e193), ("aquamarine", 0x04d8b2), ("army green", 0x4b5d16), ("asparagus", 0x77ab56),
        ("azure", 0x069af3), ("baby pink", 0xffb7ce), ("beige", 0xe6daa6), ("black", 0x000000), ("blue", 0x0343df),
        ("blue gray", 0x607c8e), ("blue green", 0x137e6d), ("blue purple", 0x5729ce), ("blue violet", 0x5d06e9),
        ("blueberry", 0x464196), ("bluish green", 0x10a674), ("bluish purple", 0x703be7), ("blush", 0xf29e8e),
        ("brick red", 0x8f1402), ("bright blue", 0x0165fc), ("bright green", 0x01ff07), ("bright lavender", 0xc760ff),
        ("bright magenta", 0xff08e8), ("bright orange", 0xff5b00), ("bright pink", 0xfe01b1),
        ("bright purple", 0xbe03fd), ("bright red", 0xff000d), ("bright sky blue", 0x02ccfe), ("bright teal", 0x01f9c6),
        ("brown", 0x653700), ("brown gray", 0x8d8468), ("brownish orange", 0xcb7723), ("brownish purple", 0x76424e),
        ("brownish red", 0x9e3623), ("burnt orange", 0xc04e01), ("burnt red", 0x9f2305), ("burnt sienna", 0xb04e0f),
        ("cadet blue", 0x4e7496), ("camel", 0xc69f59), ("carnation pink", 0xff7fa7), ("cerulean", 0x0485d1),
        ("cerulean blue", 0x056eee), ("charcoal gray", 0x3c4142), ("clay", 0xb66a50), ("cobalt", 0x1e488f),
        ("cool gray", 0x95a3a6), ("coral pink", 0xff6163), ("cornflower", 0x6a79f7), ("cornflower blue", 0x5170d7),
        ("cranberry", 0x9e003a), ("cream", 0xffffc2), ("cyan", 0x00ffff), ("dark aqua", 0x05696b),
        ("dark aquamarine", 0x017371), ("dark beige", 0xac9362), ("dark blue", 0x00035b), ("dark blue gray", 0x1f3b4d),
        ("dark brown", 0x341c02), ("dark cyan", 0x0a888a), ("dark forest green", 0x002d04),
        ("dark grass green", 0x388004), ("dark gray", 0x363737), ("dark gray blue", 0x29465b), ("dark green", 0x033500),
        ("dark indigo", 0x1f0954), ("dark khaki", 0x9b8f55), ("dark lavender", 0x856798), ("dark lilac", 0x9c6da5),
        ("dark lime green", 0x7ebd01), ("dark magenta", 0x960056), ("dark maroon", 0x3c0008), ("dark mauve", 0x874c62),
        ("dark mustard", 0xa88905), ("dark olive", 0x373e02), ("dark olive green", 0x3c4d03), ("dark peach", 0xde7e5d),
        ("dark periwinkle", 0x665fd1), ("dark pink", 0xcb416b), ("dark plum", 0x3f012c), ("dark purple", 0x35063e),
        ("dark red", 0x840000), ("dark rose", 0xb5485d), ("dark sage", 0x598556), ("dark salmon", 0xc85a53),
        ("dark sea green", 0x11875d), ("dark sky blue", 0x448ee4), ("dark taupe", 0x7f684e), ("dark teal", 0x014d4e),
        ("dark turquoise", 0x045c5a), ("dark yellow green", 0x728f02), ("deep blue", 0x040273),
        ("deep green", 0x02590f), ("deep lavender", 0x8d5eb7), ("deep lilac", 0x966ebd), ("deep orange", 0xdc4d01),
        ("deep pink", 0xcb0162), ("deep violet", 0x490648), ("denim", 0x3b638c), ("dull purple", 0x84597e),
        ("dusk blue", 0x26538d), ("dusky pink", 0xcc7a8b), ("dusty blue", 0x5a86ad), ("dusty lavender", 0xac86a8),
        ("dusty orange", 0xf0833a), ("dusty pink", 0xd58a94), ("dusty rose", 0xc0737a), ("dusty teal", 0x4c9085),
        ("electric blue", 0x0652ff), ("electric purple", 0xaa23ff), ("emerald", 0x01a049), ("emerald green", 0x028f1e),
        ("forest green", 0x06470c), ("fresh green", 0x69d84f), ("fuchsia", 0xed0dd9), ("golden brown", 0xb27a01),
        ("goldenrod", 0xfac205), ("grape", 0x6c3461), ("grass green", 0x3f9b0b), ("gray", 0x929591),
        ("gray blue", 0x6b8ba4), ("gray brown", 0x7f7053), ("gray green", 0x789b73), ("grayish green", 0x82a67d),
        ("grayish purple", 0x887191), ("grayish teal", 0x719f91), ("green", 0x15b01a), ("green blue", 0x06b48b),
        ("greenish brown", 0x696112), ("greenish gray", 0x96ae8d), ("greenish teal", 0x32bf84),
        ("greenish yellow", 0xcdfd02), ("hot magenta", 0xf504c9), ("hot pink", 0xff028d), ("indigo", 0x380282),
        ("indigo blue", 0x3a18b1), ("jade green", 0x2baf6a), ("jungle green", 0x048243), ("khaki", 0xaaa662),
        ("kiwi", 0x9cef43), ("kiwi green", 0x8ee53f), ("lavender", 0xc79fef), ("leaf green", 0x5ca904),
        ("leather", 0xac7434), ("light aqua", 0x8cffdb), ("light blue", 0x95d0fc), ("light blue gray", 0xb7c9e2),
        ("light brown", 0xad8150), ("light cyan", 0xacfffc), ("light gray blue", 0x9dbcd4), ("light gray", 0xd8dcd6),
        ("light gray green", 0xb7e1a1), ("light green", 0x96f97b), ("light khaki", 0xe6f2a2),
        ("light lavender", 0xdfc5fe), ("light lime green", 0xb9ff66), ("light magenta", 0xfa5ff7),
        ("light mauve", 0xc292a1), ("light mint green", 0xa6fbb2), ("light mustard", 0xf7d560),
        ("light neon green", 0x4efd54), ("light olive", 0xacbf69), ("light orange", 0xfdaa48),
        ("light peach", 0xffd8b1), ("light periwinkle", 0xc1c6fc), ("light pink", 0xffd1df), ("light plum", 0x9d5783),
        ("light purple", 0xbf77f6), ("light red", 0xff474c), ("light rose", 0xffc5cb), ("light sage", 0xbcecac),
        ("light salmon", 0xfea993), ("light tan", 0xfbeeac), ("light teal", 0x90e4c1), ("light turquoise", 0x7ef4cc),
        ("light violet", 0xd6b4fc), ("light yellow green", 0xccfd7f), ("lime", 0xaaff32), ("lime green", 0x89fe05),
        ("magenta", 0xc20078), ("mahogany", 0x4a0100), ("marine blue", 0x01386a), ("maroon", 0x650021),
        ("mauve", 0xae7181), ("medium blue", 0x2c6fbb), ("medium brown", 0x7f5112), ("medium gray", 0x7d7f7c),
        ("medium green", 0x39ad48), ("medium pink", 0xf36196), ("medium purple", 0x9e43a2), ("midnight blue", 0x020035),
        ("midnight purple", 0x280137), ("mint green", 0x8fff9f), ("mocha", 0x9d7651), ("moss", 0x769958),
        ("moss green", 0x658b38), ("mushroom", 0xba9e88), ("mustard", 0xceb301), ("mustard green", 0xa8b504),
        ("muted green", 0x5fa052), ("navy blue", 0x001146), ("neon blue", 0x04d9ff), ("ocean green", 0x3d9973),
        ("ochre", 0xbf9005), ("off white", 0xffffe4), ("olive", 0x6e750e), ("olive brown", 0x645403),
        ("olive drab", 0x6f7632), ("orange brown", 0xbe6400), ("orange", 0xf97306), ("orchid", 0xc875c4),
        ("pale blue", 0xd0fefe), ("pale green", 0xc7fdb5), ("pale lavender", 0xeecffe), ("pale olive", 0xb9cc81),
        ("pale purple", 0xb790d4), ("pale red", 0xd9544d), ("pale teal", 0x82cbb2), ("pale yellow", 0xffff84),
        ("pastel blue", 0xa2bffe), ("pastel green", 0xb0ff9d), ("pastel orange", 0xff964f), ("pea green", 0x8eab12),
        ("peach", 0xffb07c), ("periwinkle", 0x8e82fe), ("periwinkle blue", 0x8f99fb), ("pine", 0x2b5d34),
        ("pink", 0xff81c0), ("pinkish gray", 0xc8aca9), ("pinkish orange", 0xff724c), ("pinkish purple", 0xd648d7),
        ("pinkish red", 0xf10c45), ("pinkish tan", 0xd99b82), ("plum", 0x580f41), ("powder blue", 0xb1d1fc),
        ("prussian blue", 0x004577), ("pumpkin", 0xe17701), ("purple", 0x7e1e9c), ("purple brown", 0x673a3f),
        ("purplish blue", 0x601ef9), ("purplish gray", 0x7a687f), ("purplish pink", 0xce5dae), ("raspberry", 0xb00149),
        ("raw umber", 0xa75e09), ("red", 0xe50000), ("red orange", 0xfd3c06), ("red violet", 0x9e0168),
        ("reddish brown", 0x7f2b0a), ("reddish gray", 0x997570), ("reddish pink", 0xfe2c54), ("rose", 0xcf6275),
        ("rose pink", 0xf7879a), ("rose red", 0xbe013c), ("royal blue", 0x0504aa), ("royal purple", 0x4b006e),
        ("rust", 0xa83c09), ("rust brown", 0x8b3103), ("rusty orange", 0xcd5909), ("sage", 0x87ae73),
        ("salmon", 0xff796c), ("sand", 0xe2ca76), ("sand yellow", 0xfce166), ("sandy yellow", 0xfdee73),
        ("sapphire", 0x2138ab), ("scarlet", 0xbe0119), ("sea blue", 0x047495), ("sea green", 0x53fca1),
        ("seafoam green", 0x7af9ab), ("seaweed", 0x18d17b), ("sepia", 0x985e2b), ("shamrock green", 0x02c14d),
        ("silver", 0xc5c9c7), ("sky blue", 0x75bbfd), ("slate", 0x516572), ("slate green", 0x658d6d),
        ("soft blue", 0x6488ea), ("soft green", 0x6fc276), ("stone", 0xada587), ("sunflower yellow", 0xffda03),
        ("tan", 0xd1b26f), ("tangerine", 0xff9408), ("taupe", 0xb9a281), ("teal", 0x029386), ("teal blue", 0x01889f),
        ("terracotta", 0xca6641), ("turquoise", 0x06c2ac), ("turquoise blue", 0x06b1c4), ("turquoise green", 0x04f489),
        ("ultramarine blue", 0x1805db), ("vibrant blue", 0x0339f8), ("vibrant green", 0x0add08),
        ("vibrant purple", 0xad03de), ("violet", 0x9a0eea), ("violet blue", 0x510ac9), ("violet red", 0xa50055),
        ("vivid green", 0x2fef10), ("warm blue", 0x4b57db), ("warm brown", 0x964e02), ("warm gray", 0x978a84),
        ("warm pink", 0xfb5581), ("warm purple", 0x952e8f), ("white", 0xffffff), ("wine", 0x80013f),
        ("wine red", 0x7b0323), ("yellow", 0xffff14), ("yellow ochre", 0xcb9d06), ("yellow orange", 0xfcb001),
        ("yellowish brown", 0x9b7a01), ("yellowish green", 0xb0dd16),
    ]
}
