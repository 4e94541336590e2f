/** The schemes of all photos, also of those without a sticker; each is drawn when it comes into view. */
class SchemeHistory {
  constructor(favorites, onChoose) {
    this.favorites = favorites;
    this.list = DOM.find('schemes');
    this.chunks = new Chunks(this.list);
    this.rows = new Map();
    this.isShown = false;
    this.onlyFavorites = false;
    const options = { rootMargin: '50%' };
    this.observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.draw(target);
    }, options);
    this.chunkObserver = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        for (const row of target.children) this.observer[isIntersecting ? 'observe' : 'unobserve'](row);
      }
    }, options);
    this.list.addEventListener('click', (event) => {
      const row = event.target.closest('.scheme-row');
      if (row) onChoose(row.item.key);
    });
    DOM.find('only-favorites').addEventListener('click', () => {
      this.onlyFavorites = !this.onlyFavorites;
      this.build();
    });
    DOM.find('save-favorites').addEventListener('click', () => this.save());
  }

  update(contents, count, current) {
    this.contents = contents;
    this.count = count;
    this.current = current;
    if (this.isShown) this.build();
  }

  show() {
    this.isShown = true;
    this.build();
  }

  build() {
    const items = this.contents.items.filter(
      (item) => item.photo && (!this.onlyFavorites || this.favorites.has(item.key)));
    const rows = items.map((item) => {
      const old = this.rows.get(item.key);
      return old && Contents.isSame(old.item, item) ? old : this.row(item);
    });
    this.rows = new Map(rows.map((row) => [row.item.key, row]));
    this.chunks.fill(rows);
    this.chunkObserver.disconnect();
    for (const chunk of this.chunks.all) this.chunkObserver.observe(chunk);
    for (const row of rows) this.draw(row, row.drawn !== undefined);
    DOM.find('only-favorites').setAttribute('aria-pressed', this.onlyFavorites);
    DOM.find('save-favorites').hidden = !this.saved.length;
    const note = DOM.find('history-note');
    note.hidden = items.length > 0;
    note.textContent = this.onlyFavorites ? 'No favorites yet: mark a scheme with the heart above.' : 'No colors yet.';
  }

  row(item) {
    const button = DOM.make('button', { type: 'button' },
      DOM.make('span', { class: 'strip' }), DOM.make('span', { class: 'name' }, DOM.name(item.name)));
    const row = DOM.make('div', { class: 'scheme-row', role: 'listitem' }, button);
    row.item = item;
    return row;
  }

  /** A favorite keeps the look it was marked with; the others follow the slider. */
  look(item) {
    const { of = 'photo', count = this.count } = this.favorites.get(item.key) ?? {};
    return { sample: item[of] ?? item.photo, count };
  }

  draw(row, isNear = true) {
    const button = row.firstElementChild;
    const isFavorite = this.favorites.has(row.item.key);
    button.setAttribute('aria-current', row.item.key === this.current);
    button.classList.toggle('favorite', isFavorite);
    button.setAttribute('aria-label', `Colors of ${row.item.name}${isFavorite ? ', favorite' : ''}`);
    if (!isNear) return;
    const { sample, count } = this.look(row.item);
    if (row.drawn === sample + count) return;
    row.drawn = sample + count;
    button.firstElementChild.replaceChildren(...Colors.scheme(Colors.decodeSample(sample), count).map(
      ({ hex, weight }) => DOM.paint(DOM.make('span'), { '--color': hex, '--weight': Math.max(weight, 0.02) })));
  }

  get saved() {
    return this.contents.items.filter((item) => item.photo && this.favorites.has(item.key)).map((item) => {
      const { sample, count } = this.look(item);
      return { name: item.name, colors: Colors.scheme(Colors.decodeSample(sample), count) };
    });
  }

  save() {
    Files.saveText(Colors.tokens(this.saved), `${Files.safeName(this.contents.pack.name)} favorites.tokens.json`, 'application/json');
  }
}
