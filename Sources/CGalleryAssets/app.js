/** Connects the page's parts, and keeps the reader's place when the view changes. */
class App {
  static views = ['carousel', 'grid', 'colors'];
  /** How soon after the reader's last action a page opened as a file may reload. */
  static restMilliseconds = 1500;
  /** How long the reader must stay at a place before it is saved: browsers limit how often it may be. */
  static keepMilliseconds = 300;

  constructor() {
    this.contents = Contents.ofThisPage();
    const place = Memory.place();
    this.view = App.views.includes(place.view) ? place.view : 'carousel';
    this.key = this.contents.nearest(place);
    this.count = place.count ?? this.contents.colorCount;
    this.schemes = new Map();
    this.lastTouch = 0;

    const scheme = (item) => this.scheme(item);
    this.favorites = new Favorites(this.contents.pack.identifier);
    this.selection = new Selection(place.selection);
    this.carousel = new Carousel(scheme, (item) => this.choose(item.key));
    this.grid = new Grid(this.selection, (key) => this.open(key), () => this.keep());
    this.schemeView = new SchemeView(this.favorites, () => this.changeScheme());
    this.schemeView.of = place.of ?? 'photo';
    this.history = new SchemeHistory(this.favorites, (key) => this.showScheme(key));

    for (const view of App.views) DOM.find(`tab-${view}`).addEventListener('click', () => this.turnTo(view));
    document.addEventListener('keydown', (event) => this.press(event));
    for (const type of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'input', 'wheel']) {
      document.addEventListener(type, () => { this.lastTouch = performance.now(); }, { capture: true, passive: true });
    }
    addEventListener('pagehide', () => this.keepNow(true));
    addEventListener('hashchange', () => this.follow());
    DOM.find('caption-colors').addEventListener('click', () => this.turnTo('colors', true));
    DOM.find('caption-share').addEventListener('click', () => {
      Files.share([this.item]).catch((error) => error.name === 'AbortError' || DOM.announce(error.message));
    });

    this.update(this.contents, place.focusKey);
    this.turnTo(this.view);
    this.restore(place);
    new Live(this.contents, (contents) => this.change(contents), () => this.isIdle());
  }

  get item() {
    return this.contents.item(this.key);
  }

  isIdle() {
    return performance.now() - this.lastTouch > App.restMilliseconds && getSelection().isCollapsed;
  }

  /** As many of the photo's colors as the pack sets; cached for cards that are shown again. */
  scheme(item) {
    if (!item.photo) return [];
    let scheme = this.schemes.get(item.photo);
    if (!scheme) {
      scheme = Colors.scheme(Colors.decodeSample(item.photo), this.contents.colorCount);
      this.schemes.set(item.photo, scheme);
    }
    return scheme;
  }

  /** Applies another revision while the page is open. */
  change(contents) {
    const old = this.contents;
    this.key = contents.nearest(this.whereabouts);
    this.update(contents, this.grid.focusKey);
    const added = contents.stickers.length - old.stickers.length;
    if (added > 0) DOM.announce(`${Format.count(added, 'new sticker')}; ${contents.pending} pending`);
  }

  update(contents, focusKey) {
    this.contents = contents;
    const { pack, packs, pending, stickers, total, without } = contents;
    document.title = pack.name;
    document.querySelector('h1').textContent = pack.name;
    DOM.find('summary').textContent = [
      stickers.length || !pending ? Format.count(stickers.length, 'sticker') : null,
      without.length ? `${Format.count(without.length, 'photo')} without` : null,
    ].filter(Boolean).join(' · ');
    DOM.find('packs').hidden = packs.length === 0;
    DOM.sync(DOM.find('packs'), packs.map(({ name, href }) => DOM.make('a', { href: Contents.address(href) }, DOM.name(name))));
    DOM.find('progress').hidden = pending === 0;
    DOM.find('progress-bar').max = Math.max(total, 1);
    DOM.find('progress-bar').value = total - pending;
    DOM.find('progress-text').textContent = `${(total - pending).toLocaleString('en')} of ${Format.count(total, 'photo')} done`;
    document.body.classList.toggle('bare', contents.items.length === 0);
    DOM.find('empty').hidden = contents.items.length > 0;

    this.carousel.update(contents, this.key);
    this.grid.update(contents, focusKey ?? this.key);
    this.caption();
    if (this.item) this.schemeView.show(this.item, { count: this.count });
    this.history.update(contents, this.count, this.key);
  }

  /** Another item is in front. */
  choose(key) {
    this.key = key;
    this.caption();
    if (this.view === 'carousel') DOM.announce(`${this.item.name}, ${DOM.find('position').textContent}`);
    this.keep();
  }

  caption() {
    const { item } = this;
    DOM.find('caption').hidden = !item;
    if (!item) return;
    const isSticker = item.kind === 'sticker';
    DOM.find('caption-name').textContent = item.name;
    DOM.find('position').textContent = `${(this.contents.places.get(this.key) + 1).toLocaleString('en')} of ${this.contents.items.length.toLocaleString('en')}`;
    DOM.find('caption-facts').textContent = isSticker ? `${item.width} × ${item.height} · ${Format.bytes(item.bytes)}` : '';
    const dots = this.scheme(item).map(({ hex }) => DOM.paint(DOM.make('span'), { '--color': hex }));
    DOM.find('caption-colors').replaceChildren(...dots);
    DOM.find('caption-colors').hidden = dots.length === 0;
    const download = DOM.find('caption-download');
    download.hidden = !isSticker;
    DOM.find('caption-share').hidden = !isSticker || !Files.canShare(Files.typeOf(item));
    if (!isSticker) return;
    Files.link(download, item.file);
  }

  open(key) {
    this.choose(key);
    this.turnTo('carousel', true);
  }

  showScheme(key) {
    const favorite = this.favorites.get(key);
    this.choose(key);
    if (favorite) ({ of: this.schemeView.of, count: this.count } = favorite);
    this.schemeView.show(this.item, { count: this.count });
    this.history.update(this.contents, this.count, key);
    DOM.find('color-name').scrollIntoView({ block: 'nearest' });
  }

  changeScheme() {
    this.count = this.schemeView.count;
    this.history.update(this.contents, this.count, this.key);
    this.keep();
  }

  turnTo(view, movesFocus = false) {
    this.view = view;
    for (const other of App.views) {
      const isShown = other === view;
      DOM.find(other).hidden = !isShown;
      DOM.find(`tab-${other}`).setAttribute('aria-selected', isShown);
      DOM.find(`tab-${other}`).tabIndex = isShown ? 0 : -1;
    }
    document.body.dataset.view = view;
    if (view === 'carousel') this.carousel.show(this.key);
    if (view === 'grid') this.grid.show();
    if (view === 'colors') {
      if (this.item) this.schemeView.show(this.item, { count: this.count });
      this.history.update(this.contents, this.count, this.key);
      this.history.show();
    }
    if (movesFocus) DOM.find({ carousel: 'track', grid: 'tiles', colors: 'color-count' }[view]).focus();
    this.keep();
  }

  press(event) {
    const tab = event.target.closest?.('[role=tab]');
    if (tab) {
      const step = DOM.step(event.key);
      if (!step) return;
      const count = App.views.length;
      const view = App.views[(App.views.indexOf(this.view) + step + count) % count];
      this.turnTo(view);
      DOM.find(`tab-${view}`).focus();
      event.preventDefault();
    } else if (this.view === 'carousel' && this.item && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (this.carousel.key(event)) event.preventDefault();
    } else if (this.view === 'grid' && event.target === document.body) this.grid.key(event);
  }

  /** Follows an address that the reader typed or went back to. */
  follow() {
    const { view, key } = Memory.place();
    if (this.contents.places.has(key)) this.key = key;
    if (view && view !== this.view) this.turnTo(view);
    else if (view === 'carousel') this.carousel.show(this.key);
  }

  get whereabouts() {
    return { key: this.key, name: this.item?.name, index: this.contents.places.get(this.key) };
  }

  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepNow(), App.keepMilliseconds);
  }

  keepNow(isLeaving = false) {
    const focused = document.activeElement;
    Memory.keepPlace({
      ...this.whereabouts, view: this.view, count: this.count, of: this.schemeView.of, selection: [...this.selection.keys],
      focusKey: this.grid.focusKey, scroll: scrollY,
      focus: focused?.closest('#tiles') ? 'tiles' : focused?.id,
    }, isLeaving);
  }

  restore({ scroll, focus }) {
    if (scroll) scrollTo({ top: scroll, behavior: 'instant' });
    if (focus === 'tiles') this.grid.tiles.get(this.grid.focusKey)?.focus({ preventScroll: true });
    else if (focus) DOM.find(focus)?.focus({ preventScroll: true });
  }
}

new App();
