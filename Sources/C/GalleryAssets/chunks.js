/**
 * A long list in chunks, whose contents the browser skips while they are out of view (`content-visibility`). For 5,000
 * separate elements, finding out which are in view would take longer than a frame. If the list is longer than
 * `maxElements`, there are only the chunks near the view, and gaps as high as the others.
 */
class Chunks {
  /**
   * The elements of a chunk of a list that keeps all: a multiple of every number of columns in the style sheets, so that
   * chunks end at the end of a row.
   */
  static size = 120;
  /** The rows of a chunk of a longer list: elements that scrolling passes are garbage, so there are few beyond the view. */
  static rows = 4;
  /** A list of up to this many elements keeps all, so that the browser finds names in the page. */
  static maxElements = 1200;

  /**
   * - make: returns the element of an item at a place, with the property `item`; - onNear: called with a chunk's elements when they
   * come near the view, or leave it.
   */
  constructor(list, make, onNear = () => {}) {
    this.list = list;
    this.make = make;
    this.onNear = onNear;
    this.source = { count: 0, at: () => undefined, want: () => {} };
    this.size = Chunks.size;
    /** The chunks' elements by number. */
    this.chunks = new Map();
    /** The elements by key. */
    this.elements = new Map();
    this.before = DOM.make('div', { class: 'gap', role: 'presentation' });
    this.after = DOM.make('div', { class: 'gap', role: 'presentation' });
    this.observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) this.onNear([...target.children], isIntersecting);
    }, { rootMargin: '50%' });
    for (const type of ['scroll', 'resize']) addEventListener(type, () => this.schedule(), { passive: true });
  }

  get isWhole() {
    return this.source.count <= Chunks.maxElements;
  }

  get columns() {
    return Number(getComputedStyle(this.list).getPropertyValue('--columns'));
  }

  /** The first and the last place of the chunks that are there. */
  get range() {
    const numbers = [...this.chunks.keys()];
    if (!numbers.length) return [0, 0];
    return [Math.min(...numbers) * this.size, Math.min(this.source.count, (Math.max(...numbers) + 1) * this.size)];
  }

  /**
   * Shows another list: {count, at, want}, as in `Contents`. Elements of the same items stay, with focus and scroll
   * position.
   */
  show(source) {
    this.source = source;
    this.list.classList.toggle('long', !this.isWhole);
    this.settle();
  }

  schedule() {
    if (this.isWhole || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.settle();
    });
  }

  /** Items at these places have come. */
  refresh(from, to) {
    const [first, last] = this.range;
    if (from < last && to > first) this.settle();
  }

  /** The numbers of the chunks near the view. */
  near() {
    const last = Math.ceil(this.source.count / this.size) - 1;
    if (this.isWhole) return [0, last];
    if (!this.chunks.size) this.space(0, -1);
    const view = this.geometry;
    if (!view) return [Math.min(...this.chunks.keys(), last), Math.min(last, Math.max(...this.chunks.keys(), 0))];
    const number = (y) => Math.max(0, Math.min(last, Math.floor((y - view.top) / (view.row * this.size / view.columns))));
    return [number(-innerHeight / 2), number(1.5 * innerHeight)];
  }

  /** Of a long list: its top in the view, and the height of a row with the space below it; undefined while hidden. */
  get geometry() {
    const { top, height } = this.list.getBoundingClientRect();
    const { columns } = this;
    return height > 0 ? { top, columns, row: height / Math.ceil(this.source.count / columns) } : undefined;
  }

  /** Has the chunks near the view, with their items as far as those are in memory, and no others. */
  settle() {
    const focused = document.activeElement;
    const isDivided = this.divide();
    const [first, last] = this.near();
    for (const [number, chunk] of this.chunks) if (number < first || number > last) this.leave(number, chunk);
    let [from, to] = [Infinity, 0];
    const all = [];
    for (let number = first; number <= last; number += 1) {
      const chunk = this.chunk(number);
      all.push(chunk);
      if (this.fill(chunk, number)) continue;
      from = Math.min(from, number * this.size);
      to = (number + 1) * this.size;
    }
    this.space(first, last, all);
    const shown = new Set(all.flatMap((chunk) => [...chunk.children]));
    for (const [key, element] of this.elements) if (!shown.has(element)) this.elements.delete(key);
    // An element that moves into another chunk loses the focus.
    if (isDivided && focused.isConnected) focused.focus({ preventScroll: true });
    if (to > 0) this.source.want(from, to);
  }

  /**
   * Drops the chunks if others must have another size, because the list has become long or short, or has another number of
   * columns. Returns whether it did.
   */
  divide() {
    const size = this.isWhole ? Chunks.size : Chunks.rows * (this.columns || 1);
    if (size === this.size) return false;
    for (const [number, chunk] of this.chunks) this.leave(number, chunk);
    this.size = size;
    return true;
  }

  chunk(number) {
    const chunk = this.chunks.get(number) ?? DOM.make('div', { class: 'chunk unfilled', role: 'presentation' });
    DOM.paint(chunk, { '--count': Math.min(this.size, this.source.count - number * this.size) });
    if (!this.chunks.has(number)) this.observer.observe(chunk);
    this.chunks.set(number, chunk);
    return chunk;
  }

  leave(number, chunk) {
    this.observer.unobserve(chunk);
    this.onNear([...chunk.children], false);
    this.chunks.delete(number);
  }

  /** Puts gaps as high as the missing chunks around these. */
  space(first, last, chunks = []) {
    const rest = this.source.count - (last + 1) * this.size;
    DOM.paint(this.before, { '--count': first * this.size });
    DOM.paint(this.after, { '--count': rest });
    DOM.sync(this.list, [first > 0 ? this.before : null, ...chunks, rest > 0 ? this.after : null].filter(Boolean));
  }

  /** Shows a chunk's items up to the first that is not in memory. Returns whether all are. */
  fill(chunk, number) {
    const items = [];
    const end = Math.min((number + 1) * this.size, this.source.count);
    for (let place = number * this.size; place < end; place += 1) {
      const item = this.source.at(place);
      if (!item) break;
      items.push(item);
    }
    const isWhole = number * this.size + items.length === end;
    // Elements that were there before a change stay until the others have come.
    if (!isWhole && items.length <= (chunk.shown?.length ?? 0)) return false;
    const isSame = chunk.shown?.length === items.length && items.every((item, index) => item === chunk.shown[index]);
    if (isSame && chunk.total === this.source.count) return isWhole;
    chunk.shown = items;
    chunk.total = this.source.count;
    const elements = items.map((item, index) => this.element(item, number * this.size + index));
    DOM.sync(chunk, elements);
    chunk.classList.toggle('unfilled', !elements.length);
    chunk.classList.toggle('partial', elements.length > 0 && !isWhole);
    if (this.isWhole) {
      // Reports the new elements, too, if the chunk was in view before.
      this.observer.unobserve(chunk);
      this.observer.observe(chunk);
    } else {
      this.onNear(elements, true);
    }
    return isWhole;
  }

  element(item, place) {
    const old = this.elements.get(item.key);
    const element = old && Contents.isSame(old.item, item) ? old : this.make(item, place);
    this.elements.set(item.key, element);
    element.place = place;
    if (!this.isWhole) {
      element.setAttribute('aria-setsize', this.source.count);
      element.setAttribute('aria-posinset', place + 1);
    }
    return element;
  }

  /** The element at a place; undefined if it is not near the view or its item is not in memory. */
  at(place) {
    return this.chunks.get(Math.floor(place / this.size))?.children[place % this.size];
  }

  /** Scrolls to a place; its element may come later. */
  reveal(place) {
    const view = this.isWhole ? undefined : this.geometry;
    if (view) {
      const y = view.top + Math.floor(place / view.columns) * view.row;
      if (y < 0 || y + view.row > innerHeight) scrollBy({ top: y - (innerHeight - view.row) / 2, behavior: 'instant' });
      this.settle();
    }
    this.at(place)?.scrollIntoView({ block: 'nearest' });
  }
}
