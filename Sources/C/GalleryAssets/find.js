/**
 * Finds stickers by name, emoji and color. In a large pack it reads one page after the other, and shows what it has found so far.
 */
class Find {
  /** The most stickers shown. */
  static maxHits = 1000;
  /** The most hits that are kept: of the pages read so far, for when the pack changes; and of a color, during a search. */
  static maxKept = 20_000;
  /** How long the reader must pause before the search begins. */
  static restMilliseconds = 150;
  /** How often hits are shown while the search goes on. */
  static showMilliseconds = 200;

  /** - onFind: called with the hits, [{item, place}], and whether the search has ended; with null if there is none. */
  constructor(onFind) {
    this.onFind = onFind;
    this.field = DOM.find('find');
    this.picker = DOM.find('find-other');
    this.text = '';
    /** The color to find; null for any. */
    this.color = null;
    /** Whether that is a color of a photo's or a subject's scheme; null for a choice of the grid. */
    this.of = null;
    /** The hits of each page's script, which never changes, and how many there are. */
    this.known = new Map();
    this.kept = 0;
    this.field.addEventListener('input', () => this.startSoon());
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.clear();
      event.preventDefault();
    });
    this.chips = Hues.choices.map(([name, hex]) => Find.chip(name, hex));
    DOM.find('find-colors').prepend(...this.chips);
    DOM.find('find-colors').addEventListener('click', (event) => {
      const { hex } = event.target.closest('[data-hex]')?.dataset ?? {};
      if (!hex) return;
      this.reach(event.target);
      this.choose(hex === this.color ? null : hex);
    });
    // Tab reaches one of the colors; arrow keys reach the others, and the picker, which WebKit's Tab skips.
    this.reach(this.chips[0]);
    DOM.find('find-colors').addEventListener('keydown', (event) => {
      const all = [...this.chips, this.picker];
      const next = all[all.indexOf(event.target) + DOM.step(event)];
      if (!DOM.step(event) || !all.includes(event.target) || !next) return;
      if (next !== this.picker) this.reach(next);
      next.focus();
      event.preventDefault();
    });
    this.picker.addEventListener('input', () => {
      this.mark(this.picker.value);
      this.startSoon();
    });
  }

  reach(chip) {
    for (const other of this.chips) other.tabIndex = other === chip ? 0 : -1;
  }

  static chip(name, hex) {
    const label = `Find ${name} stickers`;
    const chip = DOM.make('button', { type: 'button', class: 'chip', 'data-hex': hex, 'aria-label': label, title: label, 'aria-pressed': 'false' });
    return DOM.paint(chip, { '--color': hex });
  }

  /** As it is compared: without case and accents. */
  static plain(text) {
    return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
  }

  /** The text of an item that a search compares. */
  static words(item) {
    return Find.plain([item.name, ...item.emoji ?? []].join(' '));
  }

  get isActive() {
    return this.text !== '' || this.color !== null;
  }

  clear() {
    this.field.value = '';
    this.choose(null);
  }

  /** - color: null for any; - of: 'photo' or 'subject' if it is a color of a scheme of that. */
  choose(color, of = null) {
    this.mark(color, of);
    this.start();
  }

  mark(color, of = null) {
    Object.assign(this, { wanted: color, wantedOf: of });
    for (const chip of this.chips) chip.setAttribute('aria-pressed', chip.dataset.hex === color);
    const isOther = color !== null && !this.chips.some((chip) => chip.dataset.hex === color);
    DOM.find('find-other-label').classList.toggle('chosen', isOther);
    if (isOther) {
      this.picker.value = color;
      DOM.paint(DOM.find('find-other-label'), { '--color': color });
    }
  }

  /** The contents have changed. */
  update(contents) {
    this.contents = contents;
    if (this.isActive) this.run();
  }

  startSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.start(), Find.restMilliseconds);
  }

  start() {
    clearTimeout(this.waiting);
    const text = Find.plain(this.field.value);
    const [color, of] = [this.wanted ?? null, this.wantedOf ?? null];
    if (text === this.text && color === this.color && of === this.of) return;
    Object.assign(this, { text, color, of });
    this.known.clear();
    this.kept = 0;
    this.run();
  }

  /** How well an item matches, 0…1; 0 if it does not. */
  score(item) {
    if (this.text && !Find.words(item).includes(this.text)) return 0;
    if (!this.color) return 1;
    const share = Hues.share(item, this.color, this.of ?? 'subject');
    // A scheme has small shares, too: its own sticker must be found.
    return this.of || share >= Hues.leastShare ? share : 0;
  }

  /** The hits to show: in order of arrival; with a color, those with the most of it first. */
  sorted(hits) {
    const found = this.color ? [...hits].sort((first, second) => second.score - first.score) : [...hits];
    return found.slice(0, Find.maxHits);
  }

  async run() {
    const run = {};
    // A later run ends this one.
    this.latest = run;
    if (!this.isActive) {
      this.onFind(null, true);
      return;
    }
    const hits = [];
    let shown = performance.now();
    for await (const { name, from, items } of this.contents.walk(0, this.contents.stickerCount, this.known)) {
      if (this.latest !== run) return;
      let found = this.known.get(name);
      if (!found) {
        found = [];
        items.forEach((item, offset) => {
          const score = this.score(item);
          if (score > 0) found.push({ item, offset, score });
        });
        // A small pack is one page without a name, which changes.
        if (name && this.kept < Find.maxKept) {
          this.known.set(name, found);
          this.kept += found.length;
        }
      }
      for (const { item, offset, score } of found) hits.push({ item, place: from + offset, score });
      // With a color, the best hit may be on the last page.
      if (hits.length >= Find.maxHits && !this.color) break;
      if (hits.length > Find.maxKept) hits.splice(0, hits.length, ...this.sorted(hits));
      if (performance.now() - shown > Find.showMilliseconds) {
        shown = performance.now();
        this.onFind(this.sorted(hits), false);
      }
    }
    if (this.latest === run) this.onFind(this.sorted(hits), true);
  }
}
