/**
 * Names of colors, each with its color: the lists of `ColorLexicon` and `CSSColorName` in the module PhotoColors, which
 * have the sources. Change both together.
 */
'use strict';

const ColorNames = {
  /** Names that people give to colors. */
  spoken: (
    'almost black 070d0d, apple green 76cd26, aqua 13eac9, aqua blue 02d8e9, aqua green 12e193, aquamarine ' +
    '04d8b2, army green 4b5d16, asparagus 77ab56, azure 069af3, baby pink ffb7ce, beige e6daa6, black 000000, ' +
    'blue 0343df, blue gray 607c8e, blue green 137e6d, blue purple 5729ce, blue violet 5d06e9, blueberry 464196, ' +
    'bluish green 10a674, bluish purple 703be7, blush f29e8e, brick red 8f1402, bright blue 0165fc, bright green ' +
    '01ff07, bright lavender c760ff, bright magenta ff08e8, bright orange ff5b00, bright pink fe01b1, bright ' +
    'purple be03fd, bright red ff000d, bright sky blue 02ccfe, bright teal 01f9c6, brown 653700, brown gray ' +
    '8d8468, brownish orange cb7723, brownish purple 76424e, brownish red 9e3623, burnt orange c04e01, burnt red ' +
    '9f2305, burnt sienna b04e0f, cadet blue 4e7496, camel c69f59, carnation pink ff7fa7, cerulean 0485d1, ' +
    'cerulean blue 056eee, charcoal gray 3c4142, clay b66a50, cobalt 1e488f, cool gray 95a3a6, coral pink ff6163, ' +
    'cornflower 6a79f7, cornflower blue 5170d7, cranberry 9e003a, cream ffffc2, cyan 00ffff, dark aqua 05696b, ' +
    'dark aquamarine 017371, dark beige ac9362, dark blue 00035b, dark blue gray 1f3b4d, dark brown 341c02, dark ' +
    'cyan 0a888a, dark forest green 002d04, dark grass green 388004, dark gray 363737, dark gray blue 29465b, ' +
    'dark green 033500, dark indigo 1f0954, dark khaki 9b8f55, dark lavender 856798, dark lilac 9c6da5, dark lime ' +
    'green 7ebd01, dark magenta 960056, dark maroon 3c0008, dark mauve 874c62, dark mustard a88905, dark olive ' +
    '373e02, dark olive green 3c4d03, dark peach de7e5d, dark periwinkle 665fd1, dark pink cb416b, dark plum ' +
    '3f012c, dark purple 35063e, dark red 840000, dark rose b5485d, dark sage 598556, dark salmon c85a53, dark ' +
    'sea green 11875d, dark sky blue 448ee4, dark taupe 7f684e, dark teal 014d4e, dark turquoise 045c5a, dark ' +
    'yellow green 728f02, deep blue 040273, deep green 02590f, deep lavender 8d5eb7, deep lilac 966ebd, deep ' +
    'orange dc4d01, deep pink cb0162, deep violet 490648, denim 3b638c, dull purple 84597e, dusk blue 26538d, ' +
    'dusky pink cc7a8b, dusty blue 5a86ad, dusty lavender ac86a8, dusty orange f0833a, dusty pink d58a94, dusty ' +
    'rose c0737a, dusty teal 4c9085, electric blue 0652ff, electric purple aa23ff, emerald 01a049, emerald green ' +
    '028f1e, forest green 06470c, fresh green 69d84f, fuchsia ed0dd9, golden brown b27a01, goldenrod fac205, ' +
    'grape 6c3461, grass green 3f9b0b, gray 929591, gray blue 6b8ba4, gray brown 7f7053, gray green 789b73, ' +
    'grayish green 82a67d, grayish purple 887191, grayish teal 719f91, green 15b01a, green blue 06b48b, greenish ' +
    'brown 696112, greenish gray 96ae8d, greenish teal 32bf84, greenish yellow cdfd02, hot magenta f504c9, hot ' +
    'pink ff028d, indigo 380282, indigo blue 3a18b1, jade green 2baf6a, jungle green 048243, khaki aaa662, kiwi ' +
    '9cef43, kiwi green 8ee53f, lavender c79fef, leaf green 5ca904, leather ac7434, light aqua 8cffdb, light blue ' +
    '95d0fc, light blue gray b7c9e2, light brown ad8150, light cyan acfffc, light gray blue 9dbcd4, light gray ' +
    'd8dcd6, light gray green b7e1a1, light green 96f97b, light khaki e6f2a2, light lavender dfc5fe, light lime ' +
    'green b9ff66, light magenta fa5ff7, light mauve c292a1, light mint green a6fbb2, light mustard f7d560, light ' +
    'neon green 4efd54, light olive acbf69, light orange fdaa48, light peach ffd8b1, light periwinkle c1c6fc, ' +
    'light pink ffd1df, light plum 9d5783, light purple bf77f6, light red ff474c, light rose ffc5cb, light sage ' +
    'bcecac, light salmon fea993, light tan fbeeac, light teal 90e4c1, light turquoise 7ef4cc, light violet ' +
    'd6b4fc, light yellow green ccfd7f, lime aaff32, lime green 89fe05, magenta c20078, mahogany 4a0100, marine ' +
    'blue 01386a, maroon 650021, mauve ae7181, medium blue 2c6fbb, medium brown 7f5112, medium gray 7d7f7c, ' +
    'medium green 39ad48, medium pink f36196, medium purple 9e43a2, midnight blue 020035, midnight purple 280137, ' +
    'mint green 8fff9f, mocha 9d7651, moss 769958, moss green 658b38, mushroom ba9e88, mustard ceb301, mustard ' +
    'green a8b504, muted green 5fa052, navy blue 001146, neon blue 04d9ff, ocean green 3d9973, ochre bf9005, off ' +
    'white ffffe4, olive 6e750e, olive brown 645403, olive drab 6f7632, orange brown be6400, orange f97306, ' +
    'orchid c875c4, pale blue d0fefe, pale green c7fdb5, pale lavender eecffe, pale olive b9cc81, pale purple ' +
    'b790d4, pale red d9544d, pale teal 82cbb2, pale yellow ffff84, pastel blue a2bffe, pastel green b0ff9d, ' +
    'pastel orange ff964f, pea green 8eab12, peach ffb07c, periwinkle 8e82fe, periwinkle blue 8f99fb, pine ' +
    '2b5d34, pink ff81c0, pinkish gray c8aca9, pinkish orange ff724c, pinkish purple d648d7, pinkish red f10c45, ' +
    'pinkish tan d99b82, plum 580f41, powder blue b1d1fc, prussian blue 004577, pumpkin e17701, purple 7e1e9c, ' +
    'purple brown 673a3f, purplish blue 601ef9, purplish gray 7a687f, purplish pink ce5dae, raspberry b00149, raw ' +
    'umber a75e09, red e50000, red orange fd3c06, red violet 9e0168, reddish brown 7f2b0a, reddish gray 997570, ' +
    'reddish pink fe2c54, rose cf6275, rose pink f7879a, rose red be013c, royal blue 0504aa, royal purple 4b006e, ' +
    'rust a83c09, rust brown 8b3103, rusty orange cd5909, sage 87ae73, salmon ff796c, sand e2ca76, sand yellow ' +
    'fce166, sandy yellow fdee73, sapphire 2138ab, scarlet be0119, sea blue 047495, sea green 53fca1, seafoam ' +
    'green 7af9ab, seaweed 18d17b, sepia 985e2b, shamrock green 02c14d, silver c5c9c7, sky blue 75bbfd, slate ' +
    '516572, slate green 658d6d, soft blue 6488ea, soft green 6fc276, stone ada587, sunflower yellow ffda03, tan ' +
    'd1b26f, tangerine ff9408, taupe b9a281, teal 029386, teal blue 01889f, terracotta ca6641, turquoise 06c2ac, ' +
    'turquoise blue 06b1c4, turquoise green 04f489, ultramarine blue 1805db, vibrant blue 0339f8, vibrant green ' +
    '0add08, vibrant purple ad03de, violet 9a0eea, violet blue 510ac9, violet red a50055, vivid green 2fef10, ' +
    'warm blue 4b57db, warm brown 964e02, warm gray 978a84, warm pink fb5581, warm purple 952e8f, white ffffff, ' +
    'wine 80013f, wine red 7b0323, yellow ffff14, yellow ochre cb9d06, yellow orange fcb001, yellowish brown ' +
    '9b7a01, yellowish green b0dd16'
  ).split(', '),

  /** CSS Color 4's names without the synonyms: cyan, magenta and the spellings with "grey". */
  css: (
    'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 ' +
    'black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue ' +
    '5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c ' +
    'darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkkhaki bdb76b ' +
    'darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon ' +
    'e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 ' +
    'deeppink ff1493 deepskyblue 00bfff dimgray 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 ' +
    'forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray ' +
    '808080 green 008000 greenyellow adff2f honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory ' +
    'fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue ' +
    'add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 ' +
    'lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 ' +
    'lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 maroon 800000 ' +
    'mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 ' +
    'mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue ' +
    '191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive ' +
    '808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 ' +
    'paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum ' +
    'dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 ' +
    'saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver ' +
    'c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan ' +
    'd2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff ' +
    'whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32'
  ).match(/\S+ \S+/g),
};
