/** The whole pack, or what the reader searches for: open a sticker, or select several to download or share them. */
class Grid {
  start = 'tiles';

  /** - scheme: of an item, for its background; - onOpen: called with the place of a sticker to open. */
  constructor({ focusKey, focusPlace }, selection, scheme, onOpen, onSelect) {
    this.selection = selection;
    this.scheme = scheme;
    this.onOpen = onOpen;
    this.onSelect = onSelect;
    this.list = DOM.find('tiles');
    this.chunks = new Chunks(this.list, (item, place) => this.tile(item, place), (tiles, isNear) => isNear && this.mark(tiles));
    this.placeholders = new Map();
    /** The hits of a search, [{item, place}]; null if there is none. */
    this.hits = null;
    /** What `note` shows, by who says it. */
    this.notes = { found: '', download: '' };
    /** The key of the tile that Tab reaches, and its place in the list that is shown. */
    this.focusKey = focusKey;
    this.focusPlace = focusPlace;
    this.isShown = false;
    this.find = new Find((hits, isDone) => this.showHits(hits, isDone));

    this.list.addEventListener('click', (event) => this.click(event));
    this.longPress = new LongPress(this.list, (target) => target.closest('.tile'), ({ target }) => this.check(target.closest('.tile')));
    new StickerDrag(this.list, (target) => {
      const tile = target.closest?.('.tile');
      return tile?.item && { item: tile.item, picture: tile.querySelector('img') };
    });
    this.list.addEventListener('keydown', (event) => this.press(event));
    DOM.find('select-all').addEventListener('click', () => this.selectAll());
    DOM.find('select-none').addEventListener('click', () => {
      this.select(() => this.selection.clear());
      // The button is now hidden.
      DOM.find('select-all').focus();
    });
    this.downloads = new Downloads(selection, (download) => this.note({ download }));
  }

  /** Creates no elements before the view is shown. */
  update(contents, index) {
    this.contents = contents;
    this.downloads.contents = contents;
    this.selection.update(contents);
    const { count } = this.source;
    const place = (this.hits ? undefined : contents.indexOf(this.focusKey)) ?? this.focusPlace ?? index;
    this.focusPlace = Math.max(0, Math.min(place, count - 1));
    this.focusKey = this.source.at(this.focusPlace)?.key;
    if (this.isShown) this.build();
    this.find.update(contents);
    this.tell();
  }

  get place() {
    return { focusKey: this.focusKey, focusPlace: this.focusPlace };
  }

  /** The places of the pack that are in view; null if others are. */
  get range() {
    return this.hits ? null : this.chunks.range;
  }

  /** The list that is shown, as in `Contents`. */
  get source() {
    const { contents, hits } = this;
    if (hits) return { count: hits.length, at: (place) => hits[place]?.item, want: () => {} };
    return { count: contents.stickerCount, at: (place) => contents.at(place), want: (from, to) => contents.want(from, to) };
  }

  /** The place of a tile of the list in the pack. */
  packPlace(place) {
    return this.hits ? this.hits[place].place : place;
  }

  show() {
    if (this.isShown) this.chunks.settle();
    else this.build();
    this.isShown = true;
  }

  /** Items at these places of the pack have come. */
  refresh(from, to) {
    if (this.isShown && !this.hits) this.chunks.refresh(from, to);
  }

  /** - of: 'photo' or 'subject', whose scheme has the color. */
  findColor(color, of) {
    this.find.field.value = '';
    this.find.choose(color, of);
    scrollTo({ top: 0, behavior: 'instant' });
    DOM.find('find-other').focus();
  }

  showHits(hits, isDone) {
    const wasSearching = this.hits !== null;
    this.hits = hits;
    if (hits || wasSearching) {
      const place = hits?.findIndex(({ item }) => item.key === this.focusKey) ?? this.contents.indexOf(this.focusKey);
      this.focusPlace = Math.max(0, place ?? 0);
      this.focusKey = this.source.at(this.focusPlace)?.key;
      if (this.isShown) this.build();
      this.tell();
    }
    if (!hits) {
      this.note({ found: '' });
      return;
    }
    const found = `${hits.length === Find.maxHits ? 'The first ' : ''}${Format.count(hits.length, 'sticker')} found`;
    this.note({ found: isDone ? found : `${found}; searching…` });
    if (isDone) DOM.announce(found);
  }

  build() {
    const { source } = this;
    this.chunks.show(source);
    this.list.hidden = source.count === 0;

    const placeholder = (item) => {
      const old = this.placeholders.get(item.key);
      return old && Contents.isSame(old.item, item) ? old : this.placeholder(item);
    };
    const { pending, waiting, without, withoutCount } = this.contents;
    const others = this.contents.others.map(placeholder);
    this.placeholders = new Map(others.map((tile) => [tile.item.key, tile]));
    DOM.sync(DOM.find('placeholders'), others);
    DOM.find('others').hidden = others.length === 0 || this.hits !== null;
    const kinds = new Set(others.map((tile) => tile.item.kind));
    DOM.find('others-title').textContent = [
      kinds.has('waiting') ? 'Pending' : null, kinds.has('without') ? 'Without a sticker' : null,
    ].filter(Boolean).join(' · ');
    const unlisted = Math.max(0, pending - waiting.length) + withoutCount - without.length;
    DOM.find('others-more').hidden = unlisted <= 0;
    DOM.find('others-more').textContent = `and ${Format.count(unlisted, 'more photo')}`;
    this.mark();
  }

  tile(item, place) {
    const picture = DOM.make('img', {
      src: Contents.address(item.thumbnail ?? item.file), width: item.width, height: item.height, loading: 'lazy',
      decoding: 'async', alt: '', draggable: 'false',
    });
    const frame = DOM.make('div', { class: 'frame' }, picture);
    // Pictures far from the view load later, and the background takes longer than all else.
    picture.addEventListener('load', () => this.tint(frame, item), { once: true });
    const tile = DOM.make('div', { class: 'tile', role: 'option', tabindex: '-1', 'aria-selected': 'false' },
      frame, DOM.make('span', { class: 'check' }),
      DOM.make('p', {}, DOM.name(item.name), DOM.emoji(item) && ` ${DOM.emoji(item)}`));
    tile.item = item;
    if (!this.hits) Card.greet(tile, item, place);
    return tile;
  }

  /** Sets a frame's background, a calm step of the carousel's gradient. */
  tint(frame, item) {
    const colors = this.scheme(item);
    if (!colors.length) return;
    frame.classList.add('tinted');
    DOM.paint(frame, { '--tint': Colors.gradient(colors)[1] });
  }

  placeholder(item) {
    const text = item.kind === 'waiting' ? 'Making a sticker…' : Contents.excuse(item);
    const frame = DOM.make('div', { class: 'frame' }, DOM.make('div', { class: 'mark', 'aria-hidden': 'true' }));
    this.tint(frame, item);
    const tile = DOM.make('li', { class: `tile ${item.kind}` }, frame,
      DOM.make('div', {}, DOM.make('p', {}, DOM.name(item.name)), DOM.make('p', { class: 'quiet' }, text)));
    tile.item = item;
    return tile;
  }

  /** Opens a sticker. Its check circle selects it, as do Ctrl, Shift, a long press and the space bar. */
  click(event) {
    const tile = event.target.closest('.tile');
    if (!tile?.item) return;
    this.focusKey = tile.item.key;
    this.focusPlace = tile.place;
    // On a touch screen, taps select once something is selected: the circles are small.
    const isSelecting = event.target.closest('.check') || (this.longPress.isTouch && this.selection.size > 0);
    if (event.shiftKey) this.selectRange(tile.place);
    else if (event.ctrlKey || event.metaKey || isSelecting) this.check(tile);
    else this.open(tile);
  }

  check(tile) {
    this.focusKey = tile.item.key;
    this.focusPlace = tile.place;
    this.select(() => this.selection.toggle(tile.item, this.packPlace(tile.place)));
  }

  key(event) {
    if (event.target === document.body) this.press(event);
  }

  press(event) {
    const isAll = event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey);
    // The browser's, such as Alt and Left, which go back.
    if (event.altKey || (event.metaKey && !isAll)) return;
    const { source } = this;
    const { columns } = this.chunks;
    const place = this.focusPlace;
    const moves = {
      ArrowLeft: DOM.step({ key: 'ArrowLeft' }), ArrowRight: DOM.step({ key: 'ArrowRight' }), ArrowUp: -columns, ArrowDown: columns,
      Home: -place, End: source.count - 1 - place,
    };
    const item = source.at(place);
    if (event.key in moves) {
      const target = place + moves[event.key];
      if (target >= 0 && target < source.count) this.moveTo(target, event.shiftKey);
    } else if (event.key === ' ') this.select(() => item && this.selection.toggle(item, this.packPlace(place)));
    else if (event.key === 'Enter') this.open(this.chunks.at(place));
    else if (event.key === 'Escape') this.select(() => this.selection.clear());
    else if (isAll) this.selectAll();
    else return;
    event.preventDefault();
  }

  /** The item of the tile that has the focus. */
  get chosen() {
    return document.activeElement.closest('.tile')?.item;
  }

  /** Moves the focus; a tile whose sticker is not in memory gets it when that has come. */
  async moveTo(place, isRange) {
    const from = this.source.at(this.focusPlace);
    const old = this.focusPlace;
    this.focusPlace = place;
    if (!this.chunks.at(place)) {
      this.chunks.reveal(place);
      await this.prepare(place, place + 1);
      if (this.focusPlace !== place) return;
    }
    this.focusKey = this.source.at(place)?.key;
    if (isRange) {
      if (from) this.selection.anchor ??= { key: from.key, place: this.packPlace(old) };
      await this.selectRange(place);
    }
    this.select(() => {});
    this.chunks.settle();
    const { size } = this.chunks;
    const first = place - place % size;
    if (!this.chunks.at(place)) await this.prepare(first, first + size);
    if (this.focusPlace === place) this.chunks.at(place)?.focus();
  }

  /** Reads the pages of these places of the list. */
  async prepare(from, to) {
    if (!this.hits) await this.contents.prepare(from, to);
  }

  open(tile) {
    if (tile) this.onOpen(this.packPlace(tile.place));
  }

  selectAll() {
    const { hits } = this;
    this.select(() => (hits ? this.selection.replace(hits.map(({ item }) => item.key)) : this.selection.all()));
  }

  /** Where a range to this place of the list starts: at the last tile that was clicked, if the list has it. */
  rangeStart(place) {
    const { anchor } = this.selection;
    if (!anchor) return 0;
    // It may have moved since.
    if (!this.hits) return this.contents.indexOf(anchor.key) ?? anchor.place;
    const start = this.hits.findIndex(({ item }) => item.key === anchor.key);
    return start < 0 ? place : start;
  }

  /** Selects from the last tile that was clicked to this one. */
  async selectRange(place) {
    const { source } = this;
    const start = this.rangeStart(place);
    const [from, to] = [Math.min(start, place), Math.max(start, place)];
    const keys = [];
    for (let index = from; index <= to && source.at(index); index += 1) keys.push(source.at(index).key);
    if (!this.hits && keys.length <= to - from) {
      keys.length = 0;
      for await (const { from: first, items } of this.contents.walk(from, to + 1)) {
        items.forEach((item, offset) => { if (first + offset >= from && first + offset <= to) keys.push(item.key); });
      }
    }
    this.select(() => this.selection.replace(keys));
  }

  select(change) {
    change();
    this.mark();
    this.tell();
    this.onSelect();
  }

  /** Updates the tiles' marks; Tab reaches the tile where the reader was last. */
  mark(tiles = this.chunks.elements.values()) {
    for (const tile of tiles) {
      const isSelected = String(this.selection.has(tile.item.key));
      if (tile.getAttribute('aria-selected') !== isSelected) tile.setAttribute('aria-selected', isSelected);
      const index = tile.item.key === this.focusKey ? 0 : -1;
      if (tile.tabIndex !== index) tile.tabIndex = index;
    }
  }

  /** Updates the actions for the selection. */
  tell() {
    const { archive, stickerCount } = this.contents;
    const { size } = this.selection;
    this.list.classList.toggle('selecting', size > 0);
    const all = Format.count(stickerCount, 'sticker');
    DOM.find('selection-count').textContent = size ? `${size.toLocaleString('en')} of ${stickerCount.toLocaleString('en')} selected` : all;
    DOM.find('select-all').disabled = size === stickerCount;
    DOM.find('select-none').hidden = size === 0;
    DOM.find('download').hidden = size === 0;
    DOM.find('download').textContent = size > 1 ? 'Download as ZIP' : 'Download';
    DOM.find('share').hidden = size === 0 || !Files.canShare('image/png');
    const link = DOM.find('archive');
    link.hidden = !archive;
    if (archive) {
      Files.offer(link, Contents.address(archive.file), `${Files.safeName(this.contents.pack.name)}.zip`);
      const isWhole = archive.stickers === stickerCount;
      const some = `${archive.newest ? 'Newest ' : ''}${Format.count(archive.stickers, 'sticker')}`;
      link.textContent = `${isWhole ? 'Whole pack' : some} (ZIP, ${Format.bytes(archive.bytes)})`;
    }
  }

  note(notes) {
    Object.assign(this.notes, notes);
    const text = Object.values(this.notes).filter(Boolean).join(' · ');
    DOM.find('grid-note').textContent = text;
    DOM.find('grid-note').hidden = !text;
  }
}
