/** Connects the page's parts, and keeps the reader's place when the view changes. */
class App {
  static views = ['carousel', 'grid', 'colors'];
  /** How soon after the reader's last action a page opened as a file may reload. */
  static restMilliseconds = 1500;
  /** How long the reader must stay at a place before it is saved: browsers limit how often it may be. */
  static keepMilliseconds = 300;
  /** The most schemes that are kept for cards that are shown again. */
  static maxSchemes = 1000;

  constructor() {
    this.contents = Contents.ofThisPage();
    const place = Memory.place();
    this.view = App.views.includes(place.view) ? place.view : 'carousel';
    this.index = this.contents.nearest(place);
    this.key = place.key;
    this.count = place.count ?? this.contents.colorCount;
    this.schemes = new Map();
    this.lastTouch = 0;

    const scheme = (item) => this.scheme(item, item.subject ?? item.photo);
    this.favorites = new Favorites(this.contents.pack.identifier);
    this.selection = new Selection(Array.isArray(place.selection) ? { keys: place.selection } : place.selection ?? {});
    document.body.classList.toggle('shares', Files.canShare('image/png'));
    this.actions = new StickerActions(() => this.chosen, scheme);
    this.carousel = new Carousel(scheme, (index) => this.choose(index), (item) => this.actions.offer(item));
    this.grid = new Grid(this.selection, (index) => this.open(index), () => this.keep());
    this.schemeView = new SchemeView(this.favorites, () => this.changeScheme(), (color) => this.findColor(color));
    this.schemeView.of = place.of ?? 'photo';
    this.history = new SchemeHistory(this.favorites, (key, index) => this.showScheme(key, index));
    this.contents.onLoad = (from, to) => this.refresh(from, to);
    this.contents.onMissing = () => this.live?.refetch();

    for (const view of App.views) DOM.find(`tab-${view}`).addEventListener('click', () => this.turnTo(view));
    document.addEventListener('keydown', (event) => this.press(event));
    for (const type of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'input', 'wheel']) {
      document.addEventListener(type, () => { this.lastTouch = performance.now(); }, { capture: true, passive: true });
    }
    addEventListener('pagehide', () => this.keepNow(true));
    addEventListener('hashchange', () => this.follow());
    DOM.find('caption-colors').addEventListener('click', () => this.turnTo('colors', true));

    this.update(this.contents, this.contents.indexOf(place.focusKey) ?? place.focusPlace);
    this.turnTo(this.view);
    this.restore(place);
    new Navigation(this.contents.pack.identifier);
    new Exports();
    this.live = new Live(this.contents, (contents) => this.change(contents), () => this.isIdle());
    if (place.key !== undefined) this.seek(place);
  }

  /** The item in front; undefined until its page is in memory. */
  get item() {
    return this.contents.at(this.index);
  }

  /** The item that a keyboard or menu command applies to. */
  get chosen() {
    return this.view === 'grid' ? this.grid.focused : this.item;
  }

  /** Goes to an item that may be on any page of a large pack, unless the reader turns to another one meanwhile. */
  async seek(place) {
    const { contents, index } = this;
    // The browser counts scripts that are added before as part of the page that it is still loading.
    if (document.readyState !== 'complete') await new Promise((done) => { addEventListener('load', done, { once: true }); });
    const found = await contents.locate(place);
    if (found === undefined || contents !== this.contents || index !== this.index) return;
    await contents.prepare(found, found + 1);
    if (found === this.index) return;
    this.choose(found);
    if (this.view === 'carousel') this.carousel.show(found);
    if (this.view === 'colors') this.showScheme(this.key, found);
  }

  /** The items at these places of a large pack have come. */
  refresh(from, to) {
    if (this.view === 'carousel') this.carousel.refresh(from, to);
    if (this.view === 'grid') this.grid.refresh(from, to);
    if (this.view === 'colors') this.history.refresh(from, to);
    if (this.index < from || this.index >= to) return;
    this.key = this.item.key;
    this.caption();
    if (this.view === 'colors') this.schemeView.show(this.item, { count: this.count });
  }

  isIdle() {
    return performance.now() - this.lastTouch > App.restMilliseconds && getSelection().isCollapsed && !this.grid.find.isActive;
  }

  /** As many of a sample's colors, by default the photo's, as the pack sets; cached for cards that are shown again. */
  scheme(item, sample = item.photo) {
    if (!sample) return [];
    let scheme = this.schemes.get(sample);
    if (!scheme) {
      if (this.schemes.size >= App.maxSchemes) this.schemes.clear();
      scheme = Colors.scheme(Colors.decodeSample(sample), this.contents.colorCount);
      this.schemes.set(sample, scheme);
    }
    return scheme;
  }

  /** Applies another revision while the page is open, once the pages that are in view are in memory. */
  async change(contents) {
    const old = this.contents;
    const index = (await contents.locate(this.whereabouts)) ?? contents.nearest(this.whereabouts);
    await contents.prepare(index - Carousel.margin, index + Carousel.margin + 1);
    if (this.view === 'grid' && !this.grid.hits) await contents.prepare(...this.grid.chunks.range);
    this.index = index;
    this.key = contents.at(index)?.key;
    Card.isNew = (item, place) => item.kind === 'sticker' && (contents.isDivided ? place >= old.stickerCount : !old.places.has(item.key));
    this.update(contents, contents.indexOf(this.grid.focusKey) ?? this.grid.focusPlace);
    Card.isNew = () => false;
    const added = contents.stickerCount - old.stickerCount;
    if (added > 0) DOM.announce(`${Format.count(added, 'new sticker')}; ${contents.pending} pending`);
  }

  /** - focusPlace: of the tile that Tab reaches. */
  update(contents, focusPlace) {
    this.contents = contents;
    if (this.view === 'carousel') this.clamp();
    const { pack, pending, stickerCount, total, withoutCount } = contents;
    document.title = pack.name;
    document.querySelector('h1').textContent = pack.name;
    DOM.find('summary').textContent = [
      stickerCount || !pending ? Format.count(stickerCount, 'sticker') : null,
      withoutCount ? `${Format.count(withoutCount, 'photo')} without` : null,
    ].filter(Boolean).join(' · ');
    DOM.find('progress').hidden = pending === 0;
    DOM.find('progress-bar').max = Math.max(total, 1);
    DOM.find('progress-bar').value = total - pending;
    DOM.find('progress-text').textContent = `${(total - pending).toLocaleString('en')} of ${Format.count(total, 'photo')} done`;
    document.body.classList.toggle('bare', contents.count === 0);
    DOM.find('empty').hidden = contents.count > 0;

    this.carousel.update(contents, this.index);
    WithoutList.show(contents);
    this.grid.update(contents, focusPlace ?? this.index);
    this.caption();
    if (this.item) this.schemeView.show(this.item, { count: this.count });
    this.history.update(contents, this.count, this.key);
  }

  /** Photos without a sticker have no slides: the carousel shows the last item before them instead. */
  clamp() {
    const { slideCount } = this.contents;
    if (this.index < slideCount || slideCount === 0) return;
    this.index = slideCount - 1;
    this.key = this.item?.key;
  }

  /** Another item is in front. */
  choose(index) {
    this.index = index;
    this.key = this.item?.key;
    this.caption();
    if (this.view === 'carousel' && this.item) DOM.announce(`${this.item.name}, ${DOM.find('position').textContent}`);
    this.keep();
  }

  caption() {
    const { contents, item } = this;
    DOM.find('caption').hidden = contents.slideCount === 0;
    DOM.find('position').textContent = `${(this.index + 1).toLocaleString('en')} of ${contents.slideCount.toLocaleString('en')}`;
    DOM.find('caption-name').textContent = item?.name ?? 'Loading…';
    DOM.find('caption-emoji').textContent = DOM.emoji(item) ?? '';
    if (!item) contents.want(this.index, this.index + 1);
    const isSticker = item?.kind === 'sticker';
    DOM.find('caption-facts').textContent = isSticker ? `${item.width} × ${item.height} · ${Format.bytes(item.bytes)}` : '';
    const dots = (item ? this.scheme(item) : []).map(({ hex }) => DOM.paint(DOM.make('span'), { '--color': hex }));
    DOM.find('caption-colors').replaceChildren(...dots);
    DOM.find('caption-colors').hidden = dots.length === 0;
    const download = DOM.find('caption-download');
    download.hidden = !isSticker;
    for (const action of ['copy', 'wallpaper']) DOM.find(`caption-${action}`).hidden = !isSticker;
    DOM.find('caption-share').hidden = !isSticker || !Files.canShare(Files.typeOf(item));
    if (!isSticker) return;
    Files.link(download, item);
  }

  open(index) {
    this.choose(index);
    this.turnTo('carousel', true);
  }

  /** - index: undefined if the item is on a page that is not in memory. */
  async showScheme(key, index) {
    const favorite = this.favorites.get(key);
    const place = index ?? await this.contents.locate({ key });
    if (place === undefined) {
      DOM.announce('This photo is no longer in the pack');
      return;
    }
    if (!this.contents.at(place)) await this.contents.prepare(place, place + 1);
    this.choose(place);
    if (!this.item) return;
    if (favorite) ({ of: this.schemeView.of, count: this.count } = favorite);
    this.schemeView.show(this.item, { count: this.count });
    this.history.update(this.contents, this.count, key);
    DOM.find('color-name').scrollIntoView({ block: 'nearest' });
  }

  findColor(color) {
    this.turnTo('grid');
    this.grid.find.field.value = '';
    this.grid.find.choose(color, this.schemeView.of);
    scrollTo({ top: 0, behavior: 'instant' });
    DOM.find('find-other').focus();
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
    if (view === 'carousel') {
      this.clamp();
      this.caption();
      this.carousel.show(this.index);
    }
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
    const place = Memory.place();
    const { view, key } = place;
    const index = this.contents.indexOf(key);
    if (index !== undefined) this.choose(index);
    if (view && view !== this.view) this.turnTo(view);
    else if (view === 'carousel') this.carousel.show(this.index);
    if (index === undefined && key !== undefined) this.seek(place);
  }

  get whereabouts() {
    return { key: this.key, name: this.item?.name, index: this.index, page: this.contents.pageNumber(this.index) };
  }

  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepNow(), App.keepMilliseconds);
  }

  keepNow(isLeaving = false) {
    const focused = document.activeElement;
    Memory.keepPlace({
      ...this.whereabouts, view: this.view, count: this.count, of: this.schemeView.of, selection: this.selection.stored,
      focusKey: this.grid.focusKey, focusPlace: this.grid.focusPlace, scroll: scrollY,
      focus: focused?.closest('#tiles') ? 'tiles' : focused?.id,
    }, isLeaving);
  }

  restore({ scroll, focus }) {
    if (scroll) scrollTo({ top: scroll, behavior: 'instant' });
    if (focus === 'tiles') this.grid.chunks.at(this.grid.focusPlace)?.focus({ preventScroll: true });
    else if (focus) DOM.find(focus)?.focus({ preventScroll: true });
  }
}

new App();
