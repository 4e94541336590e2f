/** The colors of the item in front, and below them the schemes of all photos. */
class ColorsView {
  start = 'color-count';

  /**
   * - background: the scheme of an item's background; - onOpen: called with the place of an item of the history;
   * - onChange: called when another scheme was chosen.
   */
  constructor({ of = 'photo', count }, favorites, background, onOpen, onChange, onFind) {
    this.favorites = favorites;
    this.onOpen = onOpen;
    this.scheme = new SchemeView({ of, count }, favorites, background, () => {
      this.list();
      onChange();
    }, onFind);
    this.history = new SchemeHistory(favorites, (key, index) => this.open(key, index));
    // Another tab changed the favorites.
    window.addEventListener('storage', ({ key }) => {
      if (key !== favorites.storageKey || !this.contents) return;
      favorites.read();
      this.update(this.contents, this.index);
    });
  }

  get place() {
    return { of: this.scheme.of, count: this.scheme.count };
  }

  update(contents, index) {
    this.contents = contents;
    this.index = index;
    if (this.item) this.scheme.show(this.item);
    this.list();
  }

  show(index) {
    this.opening = null;
    this.history.isShown = true;
    this.update(this.contents, index);
  }

  refresh(from, to) {
    this.history.refresh(from, to);
    if (this.index >= from && this.index < to) this.scheme.show(this.item);
  }

  get item() {
    return this.contents.at(this.index);
  }

  list() {
    this.history.update(this.contents, this.scheme.count, this.item?.key);
  }

  /** - index: undefined if the item is on a page that is not in memory. */
  async open(key, index) {
    const { contents } = this;
    this.opening = key;
    const place = index ?? await contents.locate({ key });
    if (place === undefined) {
      DOM.announce('This photo is no longer in the pack');
      return;
    }
    if (!contents.at(place)) await contents.prepare(place, place + 1);
    // While pages were read, the reader may have chosen something else, or the pack changed.
    if (this.opening !== key || DOM.find('colors').hidden) return;
    if (contents !== this.contents) {
      await this.open(key);
      return;
    }
    this.onOpen(place);
    const item = this.contents.at(place);
    if (item) this.scheme.show(item, this.favorites.get(key));
    this.update(this.contents, place);
    DOM.find('color-name').scrollIntoView({ block: 'nearest' });
  }
}
