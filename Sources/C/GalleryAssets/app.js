/** Connects the page's parts, and keeps the reader's place when the view changes. */
class App {
  /** How soon after the reader's last action a page opened as a file may reload. */
  static restMilliseconds = 1500;
  /** How long the reader must stay at a place before it is saved: browsers limit how often it may be. */
  static keepMilliseconds = 300;
  /** The most schemes that are kept for cards that are shown again. */
  static maxSchemes = 1000;

  constructor() {
    this.contents = Contents.ofThisPage();
    const place = Memory.place(performance.getEntriesByType('navigation')[0]?.type === 'reload');
    this.index = this.contents.nearest(place);
    this.key = place.key;
    this.schemes = new Map();
    this.lastTouch = 0;

    const scheme = (item) => this.scheme(item, item.subject ?? item.photo);
    const favorites = new Favorites(this.contents.pack.identifier);
    this.selection = new Selection(Array.isArray(place.selection) ? { keys: place.selection } : place.selection ?? {});
    document.body.classList.toggle('shares', Files.canShare('image/png'));
    this.actions = new StickerActions(() => this.chosen, scheme);
    this.grid = new Grid(place, this.selection, scheme, (index) => this.open(index), () => this.keep());
    /**
     * By the names of their tabs and sections. Each has `update(contents, index)` for another revision, `show(index)` when the
     * reader turns to it, `refresh(from, to)` when the items at these places have come, and `start`, the element that then
     * gets the focus. Where it needs them: `nearest(contents, index)`, the place that it shows instead of another; `range`, the
     * places in view; `place`, what is kept of it; `chosen`, the item that commands apply to; `announce(item)`; `key(event)`.
     */
    this.views = {
      carousel: new Carousel(scheme, (index) => this.choose(index), (item) => this.actions.offer(item)),
      grid: this.grid,
      colors: new ColorsView(
        { of: place.of, count: place.count ?? this.contents.colorCount }, favorites, scheme, (index) => this.choose(index),
        () => this.keep(), (color) => this.findColor(color)),
    };
    this.viewName = Object.hasOwn(this.views, place.view) ? place.view : 'carousel';
    this.contents.onLoad = (from, to) => this.refresh(from, to);
    this.contents.onMissing = () => this.live?.refetch();

    for (const name of Object.keys(this.views)) DOM.find(`tab-${name}`).addEventListener('click', () => this.turnTo(name));
    document.addEventListener('keydown', (event) => this.press(event));
    for (const type of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'input', 'wheel']) {
      document.addEventListener(type, () => { this.lastTouch = performance.now(); }, { capture: true, passive: true });
    }
    addEventListener('pagehide', () => this.keepNow(true));
    addEventListener('hashchange', () => this.follow());
    DOM.find('caption-colors').addEventListener('click', () => this.turnTo('colors', true));

    this.update(this.contents);
    this.turnTo(this.viewName);
    this.restore(place);
    new Navigation(this.contents.pack.identifier);
    new Exports();
    this.live = new Live(this.contents, (contents) => this.change(contents), () => this.isIdle());
    if (place.key !== undefined) this.seek(place);
  }

  get view() {
    return this.views[this.viewName];
  }

  /** The item in front; undefined until its page is in memory. */
  get item() {
    return this.contents.at(this.index);
  }

  /** The item that a keyboard or menu command applies to. */
  get chosen() {
    return 'chosen' in this.view ? this.view.chosen : this.item;
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
    this.view.show(found);
  }

  /** The items at these places of a large pack have come. */
  refresh(from, to) {
    this.view.refresh(from, to);
    if (this.index < from || this.index >= to) return;
    this.key = this.item.key;
    this.caption();
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
    let [before, index] = [];
    do {
      // While pages are read, the reader may turn to another item.
      before = this.index;
      index = (await contents.locate(this.whereabouts)) ?? contents.nearest(this.whereabouts);
      await contents.prepare(index - Carousel.margin, index + Carousel.margin + 1);
      if (this.view.range) await contents.prepare(...this.view.range);
    } while (before !== this.index);
    if (contents.colorCount !== old.colorCount) this.schemes.clear();
    this.index = index;
    this.key = contents.at(index)?.key;
    Card.isNew = (item, place) => item.kind === 'sticker' && (contents.isDivided ? place >= old.stickerCount : !old.places.has(item.key));
    this.update(contents);
    Card.isNew = () => false;
    const added = contents.stickerCount - old.stickerCount;
    if (added > 0) DOM.announce(`${Format.count(added, 'new sticker')}; ${contents.pending} pending`);
  }

  update(contents) {
    this.contents = contents;
    this.clamp();
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

    for (const view of Object.values(this.views)) view.update(contents, this.index);
    WithoutList.show(contents);
    this.caption();
  }

  clamp() {
    const index = this.view.nearest?.(this.contents, this.index) ?? this.index;
    if (index === this.index) return;
    this.index = index;
    this.key = this.item?.key;
  }

  /** Another item is in front. */
  choose(index) {
    this.index = index;
    this.key = this.item?.key;
    this.caption();
    this.view.announce?.(this.item);
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

  findColor(color) {
    this.turnTo('grid');
    this.grid.findColor(color, this.views.colors.place.of);
  }

  turnTo(name, movesFocus = false) {
    this.viewName = name;
    for (const other of Object.keys(this.views)) {
      const isShown = other === name;
      DOM.find(other).hidden = !isShown;
      DOM.find(`tab-${other}`).setAttribute('aria-selected', isShown);
      DOM.find(`tab-${other}`).tabIndex = isShown ? 0 : -1;
    }
    document.body.dataset.view = name;
    this.clamp();
    this.caption();
    this.view.show(this.index);
    if (movesFocus) DOM.find(this.view.start).focus();
    this.keep();
  }

  press(event) {
    if (document.querySelector('dialog[open]')) return;
    const tab = event.target.closest?.('[role=tab]');
    if (tab) {
      const step = DOM.step(event);
      if (!step) return;
      const names = Object.keys(this.views);
      const name = names.at((names.indexOf(this.viewName) + step) % names.length);
      this.turnTo(name);
      DOM.find(`tab-${name}`).focus();
      event.preventDefault();
    } else this.view.key?.(event);
  }

  /** Follows an address that the reader typed or went back to. */
  follow() {
    const place = Memory.place();
    const { view, key } = place;
    scrollTo({ top: 0, behavior: 'instant' });
    const index = this.contents.indexOf(key);
    if (index !== undefined) this.choose(index);
    this.turnTo(view ?? this.viewName);
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
      ...this.whereabouts, ...Object.assign({}, ...Object.values(this.views).map(({ place }) => place)), view: this.viewName,
      selection: this.selection.stored, scroll: scrollY,
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
