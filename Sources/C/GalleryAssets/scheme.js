/** The colors of one photo: as many as the slider says, recomputed from its sample at every change. */
class SchemeView {
  static counts = { least: 3, most: 10 };
  /** The groups of buttons that save files. */
  static exports = ['save-colors', 'save-wheel'];

  /**
   * - background: the scheme of an item's background; - onChange: called when the reader has chosen another scheme;
   * - onFind: with a color to find stickers by.
   */
  constructor({ of, count }, favorites, background, onChange, onFind) {
    Object.assign(this, { of, count, favorites, background, onChange });
    this.slider = DOM.find('color-count');
    this.slider.addEventListener('input', () => this.choose({ count: Number(this.slider.value) }));
    for (const of of ['photo', 'subject']) {
      DOM.find(`of-${of}`).addEventListener('change', () => this.choose({ of }));
    }
    DOM.find('favorite').addEventListener('click', () => this.toggleFavorite());
    DOM.find('copy-css').addEventListener('click', () => this.copy(this.css, 'CSS copied to the clipboard'));
    for (const id of SchemeView.exports) {
      DOM.find(id).addEventListener('click', (event) => {
        const { format } = event.target.closest('button')?.dataset ?? {};
        if (format) Saving.save(format, this.entry).catch((error) => Toast.show(`The file could not be saved: ${error.message}`, true));
      });
    }
    DOM.find('details').addEventListener('click', () => {
      const isOpen = DOM.find('swatches').classList.toggle('detailed');
      DOM.find('details').setAttribute('aria-expanded', isOpen);
    });
    DOM.find('swatches').addEventListener('click', (event) => {
      const { hex, find } = event.target.closest('button')?.dataset ?? {};
      if (hex) this.copy(hex, `${hex} copied to the clipboard`);
      if (find) onFind(find);
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

  frame(item) {
    DOM.find('color-card').replaceChildren(...Card.of(item, this.background(item)).childNodes);
    DOM.find('color-card').className = `card ${item.kind}`;
  }

  draw() {
    const { item, scheme } = this;
    DOM.find('color-name').textContent = item.name;
    this.slider.value = this.count;
    DOM.find('color-count-value').textContent = this.count;
    DOM.find(`of-${this.side}`).checked = true;
    DOM.find('of-subject').disabled = !item.subject;

    const facts = scheme.map((color) => Colors.facts(color.hex, color.weight));
    DOM.find('wheel').replaceChildren(...(facts.length ? [Wheel.draw(scheme, facts)] : []));
    DOM.find('swatches').replaceChildren(...facts.map((color) => SchemeView.row(color)));
    for (const id of ['copy-css', 'details', 'favorite']) DOM.find(id).disabled = !facts.length;
    for (const id of SchemeView.exports) DOM.find(id).hidden = !facts.length;
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
      DOM.make('span', { class: 'figures share' }, Format.percent(color.weight)),
      DOM.make('div', { class: 'detail' },
        DOM.make('code', {}, oklch),
        DOM.make('span', { class: 'figures' }, `on white ${ratio(color.contrast.white)}`),
        DOM.make('span', { class: 'figures' }, `on black ${ratio(color.contrast.black)}`)),
      DOM.make('div', { class: 'complement' },
        SchemeView.swatch(color.complement, 'swatch small'), DOM.make('code', {}, color.complement)),
      DOM.make('button', {
        type: 'button', class: 'seek', 'data-find': color.hex, 'aria-label': `Find stickers with ${color.hex}`, title: 'Find stickers with this color',
      }, SchemeView.lens()));
  }

  static lens() {
    return DOM.svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, DOM.svg('path', { d: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21' }));
  }

  static swatch(hex, kind) {
    const what = kind === 'swatch' ? 'Copy' : 'Copy the complement';
    const button = DOM.make('button', { type: 'button', class: kind, 'data-hex': hex, 'aria-label': `${what} ${hex}`, title: `${what} ${hex}` });
    return DOM.paint(button, { '--color': hex });
  }

  async copy(text, message) {
    const copied = await Clipboard.copyText(text);
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
    const { key, name, photo, subject } = this.item;
    const isKept = this.favorites.set(key, { name, of: this.side, count: this.count, photo, subject });
    this.drawFavorite();
    return isKept;
  }

  drawFavorite() {
    const isFavorite = this.favorites.has(this.item.key);
    DOM.find('favorite').setAttribute('aria-pressed', isFavorite);
  }
}
