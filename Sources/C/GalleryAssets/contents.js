/**
 * The page's data block as a list of items by place: the stickers in order of arrival, then the pending photos, then those
 * without a sticker. The page of a large pack has not all stickers in memory: `at` returns undefined for those, and
 * `onLoad` is called when they have come.
 *
 * An item: {key, kind: 'sticker' | 'waiting' | 'without', name, photo, subject, …}; its key stays the same in every
 * revision.
 */
class Contents {
  static opening = '<script type="application/json" id="contents">';

  static ofThisPage() {
    return new Contents(DOM.find('contents').textContent);
  }

  /**
   * The contents of another revision of the page, given as text; null if it is not such a page. Takes the pages in memory
   * that have not changed from `old`.
   */
  static ofPage(html, old) {
    const start = html.indexOf(Contents.opening);
    // Entries are escaped, so none can contain a closing tag.
    const end = html.indexOf('</' + 'script>', start);
    if (start < 0 || end < 0) return null;
    const json = html.slice(start + Contents.opening.length, end);
    try {
      // The policy of a small pack's page lets no code load the scripts of a large one.
      if (old && !old.isDivided && JSON.parse(json).pages) location.reload();
      return new Contents(json, old);
    } catch {
      return null;
    }
  }

  /** The same pack once it has no photos. */
  emptied(revision) {
    const { build, pack, colorCount } = this;
    const nothing = { pending: 0, total: 0, waiting: [], without: [], withoutCount: 0, stickers: [] };
    return new Contents(JSON.stringify({ build, revision, pack, colorCount, ...nothing }), this);
  }

  constructor(json, old) {
    Object.assign(this, JSON.parse(json));
    this.json = json;
    this.onLoad = old?.onLoad ?? (() => {});
    this.onMissing = old?.onMissing ?? (() => {});
    const numbered = new Map();
    const key = (kind, name) => {
      const number = (numbered.get(kind + name) ?? 0) + 1;
      numbered.set(kind + name, number);
      return `${kind}:${number}:${name}`;
    };
    this.others = [
      ...this.waiting.map((entry) => ({ ...entry, key: key('waiting', entry.name), kind: 'waiting' })),
      ...this.without.map((entry) => ({ ...entry, key: key('without', entry.name), kind: 'without' })),
    ];
    this.isDivided = this.pages !== undefined;
    if (this.isDivided) PageScripts.allow();
    // A small pack is one page, which is in memory.
    const list = this.pages ?? [['', this.stickers.length]];
    this.stickers = new Pages(list, this.stickers, old?.isDivided ? old.stickers : null, {
      onLoad: (from, to) => this.onLoad(from, to), onMissing: () => this.onMissing(),
    });
    this.places = new Map(this.others.map((item, index) => [item.key, this.stickerCount + index]));
    if (!this.isDivided) for (let place = 0; place < this.stickerCount; place += 1) this.places.set(this.at(place).key, place);
  }

  get stickerCount() {
    return this.stickers.count;
  }

  /** Of all items. */
  get count() {
    return this.stickerCount + this.others.length;
  }

  /** Of the items with a slide in the carousel, which come first: all but the photos without a sticker. */
  get slideCount() {
    return this.count - this.without.length;
  }

  /** The item at a place; undefined if there is none, or it is not in memory. */
  at(place) {
    if (place < this.stickerCount) return this.stickers.at(place);
    return this.others[place - this.stickerCount];
  }

  /** The place of an item; undefined if there is none, or it is not in memory. */
  indexOf(key) {
    return this.places.get(key) ?? (this.isDivided ? this.stickers.indexOf(key) : undefined);
  }

  item(key) {
    const place = this.indexOf(key);
    return place === undefined ? undefined : this.at(place);
  }

  /** Makes the items at these places come; `onLoad` says when. */
  want(from, to) {
    if (this.isDivided) this.stickers.want(Math.max(0, from), Math.min(to, this.stickerCount));
  }

  /**
   * All stickers in order, some at a time: {name, from, items}. Skips pages that cannot be read, and does not read those whose
   * names are `known`: these have no items.
   */
  async *walk(from = 0, to = this.stickerCount, known = new Map()) {
    const { stickers } = this;
    const numbers = [...stickers.names.keys()].slice(stickers.pageOf(from)).filter((number) => stickers.starts[number] < to);
    for await (const { number, items } of stickers.readAll(numbers, known)) {
      yield { name: stickers.names[number], from: stickers.starts[number], items };
    }
  }

  /**
   * The place of a reader who was at this item, as well as it is known without reading more: a pending photo may have
   * become a sticker meanwhile.
   */
  nearest({ key, name, index = 0 }) {
    const place = this.indexOf(key);
    if (place !== undefined) return place;
    if (!this.isDivided && name !== undefined) {
      for (let other = this.count - 1; other >= 0; other -= 1) if (this.at(other).name === name) return other;
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }

  /**
   * The same, reading what is needed: first the page that the item was on, then its neighbors, then all. A photo that was
   * pending is looked for on the last page alone.
   */
  async locate({ key, name, index = 0, page }) {
    const { stickers } = this;
    const known = this.indexOf(key);
    if (!this.isDivided || key === undefined || known !== undefined) return known;
    if (/^(waiting|without):/.test(key)) {
      const last = stickers.names.length - 1;
      const offset = (await stickers.read(last).catch(() => [])).findLastIndex((item) => item.name === name);
      return offset < 0 ? undefined : stickers.starts[last] + offset;
    }
    const likely = stickers.names.findIndex((name) => name.startsWith(`${page}-`));
    const start = likely >= 0 ? likely : stickers.pageOf(Math.min(index, this.stickerCount - 1));
    const order = [...stickers.names.keys()].sort((a, b) => Math.abs(a - start) - Math.abs(b - start));
    for await (const { number, items } of stickers.readAll(order)) {
      const offset = items.findIndex((item) => item.key === key);
      if (offset >= 0) return stickers.starts[number] + offset;
    }
    return undefined;
  }

  /** The number of the page that has a sticker, which stays the same for longer than its place. */
  pageNumber(place) {
    if (!this.isDivided || place >= this.stickerCount) return undefined;
    return this.stickers.names[this.stickers.pageOf(place)].split('-')[0];
  }

  /** Reads the pages of these places before the contents are shown. */
  async prepare(from, to) {
    if (!this.isDivided) return;
    const { stickers } = this;
    const end = Math.min(to, this.stickerCount);
    for (let number = stickers.pageOf(Math.max(0, from)); number < stickers.names.length && stickers.starts[number] < end; number += 1) {
      await stickers.load(number).catch(() => {});
    }
  }

  /** A path of the data block as an address: file names may contain any character. */
  static address(path) {
    return path.split('/').map(encodeURIComponent).join('/');
  }

  /** Whether two entries of the same key would look different. */
  static isSame(a, b) {
    return a === b || JSON.stringify(a) === JSON.stringify(b);
  }

  static reason(item) {
    return item.reason || 'unknown reason';
  }

  /** The reason why there is no sticker, as a sentence. */
  static excuse(item) {
    return `Unable to extract a sticker from this photo: ${Contents.reason(item)}`;
  }
}
