/** The whole pack: select stickers, and download or share them. */
class Grid {
  /** - onOpen: called with the key of a sticker to open. */
  constructor(selection, onOpen, onSelect) {
    this.selection = selection;
    this.onOpen = onOpen;
    this.onSelect = onSelect;
    this.list = DOM.find('tiles');
    this.chunks = new Chunks(this.list);
    this.tiles = new Map();
    this.placeholders = new Map();
    this.order = [];
    this.isShown = false;

    this.list.addEventListener('click', (event) => this.click(event));
    this.list.addEventListener('dblclick', (event) => this.open(event.target.closest('.tile')));
    this.list.addEventListener('keydown', (event) => this.key(event));
    DOM.find('select-all').addEventListener('click', () => this.select(() => this.selection.all(this.order)));
    DOM.find('select-none').addEventListener('click', () => this.select(() => this.selection.clear()));
    DOM.find('download').addEventListener('click', () => this.download());
    DOM.find('share').addEventListener('click', () => this.share());
  }

  /** Creates no elements before the view is shown. */
  update(contents, focusKey) {
    this.contents = contents;
    this.order = contents.stickers.map((item) => item.key);
    this.selection.keep(this.order);
    this.focusKey = contents.places.has(focusKey) ? focusKey : this.order[0];
    if (this.isShown) this.build();
    this.tell();
  }

  show() {
    if (!this.isShown) this.build();
    this.isShown = true;
  }

  build() {
    const tile = (item) => {
      const old = this.tiles.get(item.key);
      return old && Contents.isSame(old.item, item) ? old : this.tile(item);
    };
    const tiles = this.contents.stickers.map(tile);
    this.tiles = new Map(tiles.map((tile) => [tile.item.key, tile]));
    this.chunks.fill(tiles);
    this.list.hidden = tiles.length === 0;

    const placeholder = (item) => {
      const old = this.placeholders.get(item.key);
      return old && Contents.isSame(old.item, item) ? old : this.placeholder(item);
    };
    const others = this.contents.items.filter((item) => item.kind !== 'sticker').map(placeholder);
    this.placeholders = new Map(others.map((tile) => [tile.item.key, tile]));
    DOM.sync(DOM.find('placeholders'), others);
    DOM.find('others').hidden = others.length === 0;
    const kinds = new Set(others.map((tile) => tile.item.kind));
    DOM.find('others-title').textContent = [
      kinds.has('waiting') ? 'Pending' : null, kinds.has('without') ? 'Without a sticker' : null,
    ].filter(Boolean).join(' · ');
    this.mark();
  }

  tile(item) {
    const picture = DOM.make('img', {
      src: Contents.address(item.thumbnail ?? item.file), width: item.width, height: item.height, loading: 'lazy',
      decoding: 'async', alt: '', draggable: 'false',
    });
    const tile = DOM.make('div', { class: 'tile', role: 'option', tabindex: '-1', 'aria-selected': 'false' },
      Grid.frame(item, picture), DOM.make('p', {}, DOM.name(item.name)));
    tile.item = item;
    return tile;
  }

  /** The background is a tint of the photo's largest color, the first one in its sample. */
  static frame(item, ...children) {
    const frame = DOM.make('div', { class: 'frame' }, ...children);
    if (!item.photo) return frame;
    frame.classList.add('tinted');
    return DOM.paint(frame, { '--tint': `#${item.photo.slice(0, 6)}` });
  }

  placeholder(item) {
    const text = item.kind === 'waiting' ? 'Making a sticker…' : Contents.excuse(item);
    const tile = DOM.make('li', { class: `tile ${item.kind}` },
      Grid.frame(item, DOM.make('div', { class: 'mark', 'aria-hidden': 'true' })),
      DOM.make('div', {}, DOM.make('p', {}, DOM.name(item.name)), DOM.make('p', { class: 'quiet' }, text)));
    tile.item = item;
    return tile;
  }

  click(event) {
    const key = event.target.closest('.tile')?.item.key;
    if (!key) return;
    this.focusKey = key;
    this.select(() => {
      if (event.shiftKey) this.selection.range(key, this.order);
      // A touch screen has no modifier keys.
      else if (event.ctrlKey || event.metaKey || event.pointerType === 'touch') this.selection.toggle(key);
      else this.selection.single(key);
    });
  }

  key(event) {
    const index = this.order.indexOf(this.focusKey);
    const { columns } = this.chunks;
    const moves = {
      ArrowLeft: DOM.step('ArrowLeft'), ArrowRight: DOM.step('ArrowRight'), ArrowUp: -columns, ArrowDown: columns,
      Home: -index, End: this.order.length - 1 - index,
    };
    if (event.key in moves) {
      const target = index + moves[event.key];
      if (target >= 0 && target < this.order.length) {
        this.focusKey = this.order[target];
        if (event.shiftKey) {
          this.selection.anchor ??= this.order[index];
          this.selection.range(this.focusKey, this.order);
        }
        this.select(() => {});
        this.tiles.get(this.focusKey).focus();
      }
    } else if (event.key === ' ') this.select(() => this.selection.toggle(this.focusKey));
    else if (event.key === 'Enter') this.open(this.tiles.get(this.focusKey));
    else if (event.key === 'Escape') this.select(() => this.selection.clear());
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      this.select(() => this.selection.all(this.order));
    } else return;
    event.preventDefault();
  }

  open(tile) {
    if (tile) this.onOpen(tile.item.key);
  }

  select(change) {
    change();
    this.mark();
    this.tell();
    this.onSelect();
  }

  /** Updates the tiles' marks; Tab reaches the tile where the reader was last. */
  mark() {
    for (const [key, tile] of this.tiles) {
      const isSelected = String(this.selection.has(key));
      if (tile.getAttribute('aria-selected') !== isSelected) tile.setAttribute('aria-selected', isSelected);
      const index = key === this.focusKey ? 0 : -1;
      if (tile.tabIndex !== index) tile.tabIndex = index;
    }
  }

  /** Updates the actions for the selection. */
  tell() {
    const { archive, stickers } = this.contents;
    const { size } = this.selection;
    const all = Format.count(stickers.length, 'sticker');
    DOM.find('selection-count').textContent = size ? `${size.toLocaleString('en')} of ${stickers.length.toLocaleString('en')} selected` : all;
    DOM.find('select-all').disabled = size === stickers.length;
    DOM.find('select-none').disabled = size === 0;
    DOM.find('download').disabled = size === 0;
    DOM.find('download').textContent = size > 1 ? 'Download as ZIP' : 'Download';
    DOM.find('share').hidden = !Files.canShare('image/png');
    DOM.find('share').disabled = size === 0;
    const link = DOM.find('archive');
    link.hidden = !archive;
    if (archive) {
      link.href = Contents.address(archive.file);
      link.download = `${Files.safeName(this.contents.pack.name)}.zip`;
      const isWhole = archive.stickers === stickers.length;
      link.textContent = `${isWhole ? 'Whole pack' : Format.count(archive.stickers, 'sticker')} (ZIP, ${Format.bytes(archive.bytes)})`;
    }
    this.note('');
  }

  note(text) {
    DOM.find('grid-note').textContent = text;
    DOM.find('grid-note').hidden = !text;
  }

  get selected() {
    return this.contents.stickers.filter((item) => this.selection.has(item.key));
  }

  async download() {
    const items = this.selected;
    if (items.length === 1) {
      Files.link(DOM.make('a'), items[0].file).click();
      return;
    }
    if (!Files.canRead) {
      this.note('This page was opened as a file, and browsers do not let such pages read other files. '
        + (this.contents.archive
          ? 'Download the whole pack’s ZIP instead, or copy the images from this folder. On a web server, selections work too.'
          : 'Copy the images from this folder. On a web server, selections work too.'));
      return;
    }
    await this.busy(DOM.find('download'), async () => {
      const zip = await Files.zip(items, (done) => this.note(`Packing ${done} of ${items.length}…`));
      Files.save(zip, `${Files.safeName(this.contents.pack.name)}.zip`);
      this.note('');
    });
  }

  async share() {
    await this.busy(DOM.find('share'), () => Files.share(this.selected));
  }

  async busy(button, work) {
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      // AbortError: the reader closed the share sheet.
      if (error.name !== 'AbortError') this.note(`Something went wrong: ${error.message}`);
    }
    button.disabled = this.selection.size === 0;
  }
}
