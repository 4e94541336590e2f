/** The colors of one photo: as many as the slider says, recomputed from its sample at every change. */
class SchemeView {
  static counts = { least: 3, most: 10 };

  /** - onChange: called when the reader has chosen another scheme. */
  constructor(favorites, onChange) {
    this.favorites = favorites;
    this.onChange = onChange;
    this.of = 'photo';
    this.slider = DOM.find('color-count');
    this.slider.addEventListener('input', () => this.choose({ count: Number(this.slider.value) }));
    for (const of of ['photo', 'subject']) {
      DOM.find(`of-${of}`).addEventListener('change', () => this.choose({ of }));
    }
    DOM.find('favorite').addEventListener('click', () => this.toggleFavorite());
    DOM.find('copy-css').addEventListener('click', () => this.copy(this.css, 'CSS copied to the clipboard'));
    DOM.find('save-css').addEventListener('click', () => Files.saveText(this.css, `${this.fileName}.css`, 'text/css'));
    DOM.find('save-json').addEventListener('click', () => {
      Files.saveText(Colors.tokens([this.entry]), `${this.fileName}.tokens.json`, 'application/json');
    });
    DOM.find('swatches').addEventListener('click', (event) => {
      const { hex } = event.target.closest('button')?.dataset ?? {};
      if (hex) this.copy(hex, `${hex} copied to the clipboard`);
    });
  }

  show(item, { of = this.of, count = this.count } = {}) {
    const isOther = !this.item || !Contents.isSame(item, this.item);
    if (!isOther && of === this.of && count === this.count) return;
    if (isOther) this.frame(item);
    this.item = item;
    this.of = of;
    this.count = Math.max(SchemeView.counts.least, Math.min(SchemeView.counts.most, count));
    this.draw();
  }

  choose(choice) {
    this.show(this.item, choice);
    if (this.favorites.has(this.item.key)) this.keepFavorite();
    this.onChange();
  }

  /** The photo's colors, if the subject's were requested but are unknown. */
  get side() {
    return this.item.subject ? this.of : 'photo';
  }

  get scheme() {
    const sample = this.item[this.side];
    return sample ? Colors.scheme(Colors.decodeSample(sample), this.count) : [];
  }

  get entry() {
    return { name: this.item.name, colors: this.scheme };
  }

  get css() {
    return Colors.css(this.scheme, this.item.name);
  }

  get fileName() {
    return Files.safeName(this.item.name);
  }

  /** Keeps the sticker's element while its background changes. */
  frame(item) {
    DOM.find('color-card').replaceChildren(...Card.of(item, []).childNodes);
    DOM.find('color-card').className = `card ${item.kind}`;
  }

  draw() {
    const { item, scheme } = this;
    DOM.find('color-name').textContent = item.name;
    this.slider.value = this.count;
    DOM.find('color-count-value').textContent = this.count;
    DOM.find(`of-${this.side}`).checked = true;
    DOM.find('of-subject').disabled = !item.subject;
    DOM.find('color-card').firstElementChild.replaceWith(Card.backdrop(scheme));

    const facts = scheme.map((color) => Colors.facts(color.hex, color.weight));
    DOM.find('wheel').replaceChildren(...(facts.length ? [Wheel.draw(scheme, facts)] : []));
    DOM.find('swatches').replaceChildren(...facts.map((color) => SchemeView.row(color)));
    for (const id of ['copy-css', 'save-css', 'save-json', 'favorite']) DOM.find(id).disabled = !facts.length;
    this.slider.disabled = !facts.length;
    if (!facts.length) this.note('This photo’s colors are not available yet.');
    else if (facts.length < this.count) this.note(`Only ${Format.count(facts.length, 'color')} can be distinguished.`);
    else this.note('');
    this.drawFavorite();
  }

  static row(color) {
    const { lightness, chroma, hue } = color.oklch;
    const oklch = `oklch(${(lightness * 100).toFixed(1)}% ${chroma.toFixed(3)} ${Math.round(hue)})`;
    const ratio = (value) => `${value.toFixed(1)} : 1`;
    return DOM.make('li', {},
      SchemeView.swatch(color.hex, 'swatch'),
      DOM.make('div', { class: 'label' },
        DOM.make('strong', {}, color.name), DOM.make('code', {}, color.hex)),
      DOM.make('div', { class: 'numbers' },
        DOM.make('span', { class: 'figures' }, Format.percent(color.weight)), DOM.make('code', {}, oklch)),
      DOM.make('div', { class: 'contrast' },
        DOM.make('span', { class: 'figures' }, `on white ${ratio(color.contrast.white)}`),
        DOM.make('span', { class: 'figures' }, `on black ${ratio(color.contrast.black)}`)),
      DOM.make('div', { class: 'complement' },
        SchemeView.swatch(color.complement, 'swatch small'), DOM.make('code', {}, color.complement)));
  }

  static swatch(hex, kind) {
    const what = kind === 'swatch' ? 'Copy' : 'Copy the complement';
    const button = DOM.make('button', { type: 'button', class: kind, 'data-hex': hex, 'aria-label': `${what} ${hex}`, title: `${what} ${hex}` });
    return DOM.paint(button, { '--color': hex });
  }

  async copy(text, message) {
    const copied = await Files.copy(text);
    this.note(copied ? `${message}.` : 'Clipboard access is blocked.');
  }

  note(text) {
    DOM.find('color-note').textContent = text;
    DOM.find('color-note').hidden = !text;
    if (text) DOM.announce(text);
  }

  toggleFavorite() {
    if (this.favorites.has(this.item.key)) {
      this.favorites.set(this.item.key, null);
      this.drawFavorite();
    } else if (!this.keepFavorite()) this.note('This browser does not store favorites: this one is lost when the page is closed.');
    this.onChange();
  }

  keepFavorite() {
    const isKept = this.favorites.set(this.item.key, { name: this.item.name, of: this.side, count: this.count });
    this.drawFavorite();
    return isKept;
  }

  drawFavorite() {
    const isFavorite = this.favorites.has(this.item.key);
    DOM.find('favorite').setAttribute('aria-pressed', isFavorite);
  }
}
