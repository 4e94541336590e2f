/**
 * Loads the scripts of a large pack's pages. Each calls `stickerd.page` with its entries: a page opened as a file may load
 * scripts, but not read other files.
 */
const stickerd = {
  page: (name, entries) => PageScripts.receive(name, entries),
};

const PageScripts = {
  /** A script that takes longer counts as missing. */
  timeoutMilliseconds: 20_000,
  /** What takes the entries that a script brings, by name. */
  expected: new Map(),

  receive(name, entries) {
    PageScripts.expected.get(name)?.(entries);
  },

  /** Decides which addresses may be loaded; null until `allow`. */
  policy: null,

  /** Allows the pack's scripts, and no other code to allow more. The page of a small pack allows no policy. */
  allow() {
    const createScriptURL = (name) => {
      if (!/^[0-9]+-[0-9]+$/.test(name)) throw new TypeError('Not a page of the pack');
      return `pack/${name}.js`;
    };
    PageScripts.policy ??= globalThis.trustedTypes?.createPolicy('pages', { createScriptURL }) ?? { createScriptURL };
  },

  /** What is being loaded, by name: a script that is loaded twice at once would bring its entries only once. */
  loading: new Map(),

  /** The entries of a page; rejects if its script does not exist any more. */
  load(name) {
    if (!PageScripts.loading.has(name)) {
      PageScripts.loading.set(name, PageScripts.fetch(name).finally(() => PageScripts.loading.delete(name)));
    }
    return PageScripts.loading.get(name);
  },

  fetch(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      const end = () => {
        clearTimeout(timer);
        script.remove();
        if (PageScripts.expected.get(name) === resolve) PageScripts.expected.delete(name);
        // Has no effect if it brought them.
        reject(new Error(`pack/${name}.js cannot be read`));
      };
      const timer = setTimeout(end, PageScripts.timeoutMilliseconds);
      script.onload = end;
      script.onerror = end;
      PageScripts.expected.set(name, resolve);
      script.src = PageScripts.policy.createScriptURL(name);
      document.head.append(script);
    });
  },
};

/** The stickers of a large pack: which page has which, and those of the pages that were used last. */
class Pages {
  /** The most pages in memory; a page has up to 100 stickers. */
  static maxLoaded = 60;
  /** How many scripts are loaded at once. */
  static maxAtOnce = 4;
  /** How long a page whose script failed is not tried again. */
  static retryMilliseconds = 5000;

  /**
   * - list: [name, number of stickers] of each page, in order; - first: the entries of the first pages; - old: the pages
   * of an earlier revision, if there was one; - onLoad: called with the first and the last place of a page that has come;
   * - onMissing: called if a script does not exist any more.
   */
  constructor(list, first, old, { onLoad, onMissing }) {
    this.names = list.map(([name]) => name);
    this.starts = [0];
    for (const [, count] of list) this.starts.push(this.starts.at(-1) + count);
    this.numbers = new Map(this.names.map((name, number) => [name, number]));
    this.onLoad = onLoad;
    this.onMissing = onMissing;
    /** The items by page, the page that was used last at the end. */
    this.loaded = new Map();
    this.loading = new Map();
    this.failed = new Map();
    this.wanted = [];
    for (const [number, items] of old?.loaded ?? []) {
      const same = this.numbers.get(old.names[number]);
      if (same !== undefined) this.loaded.set(same, items);
    }
    for (let number = 0; this.starts[number + 1] <= first.length; number += 1) {
      this.put(number, first.slice(this.starts[number], this.starts[number + 1]));
    }
  }

  get count() {
    return this.starts.at(-1);
  }

  pageOf(place) {
    let [low, high] = [0, this.names.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  put(number, entries) {
    this.loaded.set(number, entries.map((entry) => ({ ...entry, key: entry.id, kind: 'sticker' })));
  }

  /** The item at a place; undefined if its page is not in memory. */
  at(place) {
    const number = this.pageOf(place);
    const items = this.loaded.get(number);
    if (!items) return undefined;
    if (this.latest !== number) {
      this.loaded.delete(number);
      this.loaded.set(number, items);
      this.latest = number;
    }
    return items[place - this.starts[number]];
  }

  /** The place of an item in memory; undefined for any other. */
  indexOf(key) {
    for (const [number, items] of this.loaded) {
      const offset = items.findIndex((item) => item.key === key);
      if (offset >= 0) return this.starts[number] + offset;
    }
    return undefined;
  }

  /** Loads the pages of these places, and no longer those that were wanted before. */
  want(from, to) {
    this.wanted = [];
    if (to <= from) return;
    for (let number = this.pageOf(from); number <= this.pageOf(to - 1); number += 1) this.wanted.push(number);
    this.next();
  }

  next() {
    for (const number of this.wanted) {
      if (this.loading.size >= Pages.maxAtOnce) return;
      if (this.loaded.has(number) || this.loading.has(number) || this.hasFailed(number)) continue;
      this.load(number).then(() => this.onLoad(this.starts[number], this.starts[number + 1]), () => {}).finally(() => this.next());
    }
  }

  hasFailed(number) {
    return performance.now() < (this.failed.get(number) ?? 0);
  }

  /** The items of a page, which then stays in memory for a while. */
  async load(number) {
    const known = this.loaded.get(number);
    if (known) return known;
    if (!this.loading.has(number)) this.loading.set(number, this.fetch(number));
    await this.loading.get(number);
    return this.loaded.get(number) ?? [];
  }

  async fetch(number) {
    try {
      this.put(number, await PageScripts.load(this.names[number]));
      for (const oldest of this.loaded.keys()) {
        if (this.loaded.size <= Pages.maxLoaded) break;
        this.loaded.delete(oldest);
      }
    } catch (error) {
      this.failed.set(number, performance.now() + Pages.retryMilliseconds);
      this.onMissing();
      throw error;
    } finally {
      this.loading.delete(number);
    }
  }

  /** All items of a page, without keeping them. */
  async read(number) {
    const known = this.loaded.get(number);
    if (known) return known;
    const entries = await PageScripts.load(this.names[number]);
    return entries.map((entry) => ({ ...entry, key: entry.id, kind: 'sticker' }));
  }

  /** The items of these pages in this order: {number, items}. Skips those that cannot be read; `known` ones have no items. */
  async *readAll(numbers, known = new Map()) {
    const ahead = [];
    for (let index = 0; index < numbers.length; index += 1) {
      while (ahead.length < Pages.maxAtOnce && index + ahead.length < numbers.length) {
        const number = numbers[index + ahead.length];
        const reading = known.has(this.names[number]) ? Promise.resolve() : this.read(number);
        // Awaited below; an error before that must not count as unhandled.
        reading.catch(() => {});
        ahead.push(reading);
      }
      try {
        yield { number: numbers[index], items: await ahead.shift() };
      } catch {
        this.onMissing();
      }
    }
  }
}
