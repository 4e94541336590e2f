/** Saves a scheme in every format of the daemon's palettes, and its wheel as an image. */
const Saving = {
  /** Pixels of the PNG for each unit of the wheel. */
  wheelScale: 2,

  /** The extension, the type and the contents of a file, by format; see `PaletteFormat`. */
  formats: {
    json: ['tokens.json', 'application/json', ({ entry }) => Colors.tokens([entry])],
    css: ['css', 'text/css', ({ entry, name }) => Colors.css(entry.colors, name)],
    gpl: ['gpl', 'application/octet-stream', ({ facts, name }) => Palettes.gpl(facts, name)],
    ase: ['ase', 'application/octet-stream', ({ facts, name }) => Palettes.ase(facts, name)],
    text: ['txt', 'text/plain', ({ facts, name }) => Palettes.text(facts, name)],
    svg: ['svg', 'image/svg+xml', (palette) => Saving.wheel(palette)],
    png: ['png', 'image/png', (palette) => Saving.wheelPicture(palette)],
  },

  /** - entry: {name, colors}, as `Colors.scheme` returns them. */
  async save(format, entry) {
    const [extension, type, contents] = Saving.formats[format];
    const facts = entry.colors.map(({ hex, weight }) => Colors.facts(hex, weight));
    const file = await contents({ entry, facts, name: entry.name });
    Files.save(file instanceof Blob ? file : new Blob([file], { type }), `${Files.safeName(entry.name, 'colors')}.${extension}`);
  },

  wheel: ({ entry, facts, name }) => Palettes.svg(facts, Colors.gradient(entry.colors), name),

  async wheelPicture(palette) {
    const image = DOM.make('img', { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(Saving.wheel(palette))}` });
    await image.decode();
    const [width, height] = [Palettes.wheelWidth, Palettes.wheelHeight(palette.facts.length)].map((side) => side * Saving.wheelScale);
    const canvas = Picture.canvas(width, height);
    canvas.getContext('2d').drawImage(image, 0, 0, width, height);
    return Picture.png(canvas);
  },
};
