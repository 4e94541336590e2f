/** The schemes of all photos, also of those without a sticker; each is drawn when it comes into view. */
class SchemeHistory {
  /** - onChoose: called with the key of an item, and its place if that is known. */
  constructor(favorites, onChoose) {
    this.favorites = favorites;
    this.list = DOM.find('schemes');
    this.isShown = false;
    this.onlyFavorites = false;
    this.observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.draw(target);
    }, { rootMargin: '50%' });
    this.chunks = new Chunks(this.list, (item) => this.row(item), (rows, isNear) => {
      for (const row of rows) this.observer[isNear ? 'observe' : 'unobserve'](row);
    });
    this.list.addEventListener('click', (event) => {
      const row = event.target.closest('.scheme-row');
      if (row) onChoose(row.item.key, this.places?.[row.place] ?? (this.places ? undefined : row.place));
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

  /** Items at these places have come. */
  refresh(from, to) {
    if (this.isShown && !this.places) this.chunks.refresh(from, to);
  }

  /** The list that is shown, as in `Contents`; `places` are those of its items in the pack, if it has not all of them. */
  source() {
    const { contents } = this;
    this.places = null;
    if (contents.isDivided && !this.onlyFavorites) return contents;
    let items;
    if (contents.isDivided) {
      // Their entries have what is needed to draw them.
      items = [...this.favorites.entries.values()].map((entry) => contents.item(entry.key) ?? entry);
      this.places = items.map((item) => contents.indexOf(item.key));
    } else {
      this.places = [...Array(contents.count).keys()].filter((place) => {
        const item = contents.at(place);
        return item.photo && (!this.onlyFavorites || this.favorites.has(item.key));
      });
      items = this.places.map((place) => contents.at(place));
    }
    return { count: items.length, at: (place) => items[place], want: () => {} };
  }

  build() {
    const source = this.source();
    this.chunks.show(source);
    for (const row of this.chunks.elements.values()) this.draw(row, row.drawn !== undefined);
    DOM.find('only-favorites').setAttribute('aria-pressed', this.onlyFavorites);
    DOM.find('save-favorites').hidden = !this.saved.length;
    const note = DOM.find('history-note');
    note.hidden = source.count > 0;
    note.textContent = this.onlyFavorites ? 'No favorites yet: mark a scheme with the heart above.' : 'No colors yet.';
  }

  row(item) {
    const button = DOM.make('button', { type: 'button' },
      DOM.make('span', { class: 'strip' }), DOM.make('span', { class: 'name' }, DOM.name(item.name)));
    const row = DOM.make('div', { class: 'scheme-row', role: 'listitem' }, button);
    row.item = item;
    this.draw(row, false);
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
    if (!sample || row.drawn === sample + count) return;
    row.drawn = sample + count;
    button.firstElementChild.replaceChildren(...Colors.scheme(Colors.decodeSample(sample), count).map(
      ({ hex, weight }) => DOM.paint(DOM.make('span'), { '--color': hex, '--weight': Math.max(weight, 0.02) })));
  }

  get saved() {
    const { contents } = this;
    const items = [...this.favorites.entries.values()]
      .map((entry) => contents.item(entry.key) ?? (contents.isDivided ? entry : undefined)).filter((item) => item?.photo);
    if (!contents.isDivided) items.sort((a, b) => contents.indexOf(a.key) - contents.indexOf(b.key));
    return items.map((item) => {
      const { sample, count } = this.look(item);
      return { name: item.name, colors: Colors.scheme(Colors.decodeSample(sample), count) };
    });
  }

  save() {
    Files.saveText(Colors.tokens(this.saved), `${Files.safeName(this.contents.pack.name)} favorites.tokens.json`, 'application/json');
  }
}
