/**
 * State stored by the browser: the reader's place for the life of the tab (also across reloads of a page opened as a
 * file), and the favorites permanently. A browser may refuse either; then that state is lost, and nothing else changes.
 */
const Memory = {
  placeKey: `stickerd place ${location.pathname}`,

  read(storage, key) {
    try {
      return JSON.parse(window[storage].getItem(key));
    } catch {
      return null;
    }
  },

  write(storage, key, value) {
    try {
      window[storage].setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },

  /**
   * The address contains the view and the item, so that it can be shared; the rest is stored separately. The slash
   * prevents the address from being an element's ID, to which the browser would scroll. The address overrides the stored
   * place only if the reader changed it, never at a reload: it may be out of date, and WebKit may reload an earlier one.
   */
  place(isReload) {
    const kept = Memory.read('sessionStorage', Memory.placeKey) ?? {};
    if (kept.address === location.hash || (isReload && kept.view)) return kept;
    const [view, ...rest] = location.hash.slice('#/'.length).split('/');
    if (!DOM.find(`tab-${view}`)) return kept;
    // The scroll position belonged to another view or another item.
    const place = { ...kept, view, scroll: undefined, focus: undefined };
    try {
      if (!rest.length) return place;
      // In a large pack, the number of the item's page comes first.
      const page = rest.length > 1 && /^[0-9]+$/.test(rest[0]) ? rest.shift() : undefined;
      const key = decodeURIComponent(rest.join('/'));
      return key === kept.key ? place : { ...place, key, page, name: undefined, index: undefined };
    } catch {
      return place;
    }
  },

  address({ view, page, key }) {
    return ['#', view, key ? page : null, key ? encodeURIComponent(key) : null].filter((part) => part != null).join('/');
  },

  /** While a page is being left, it may no longer change its address. */
  keepPlace(place, isLeaving) {
    try {
      if (!isLeaving) history.replaceState(null, '', Memory.address(place));
    } catch {
      // Some browsers forbid this to a page opened as a file, or limit how often it may be done.
    }
    Memory.write('sessionStorage', Memory.placeKey, { ...place, address: location.hash });
  },
};

/**
 * The schemes that the reader marked, at most one per photo: {key, name, of, count, photo, subject}. The samples draw it
 * without its page in memory; those that were marked by an earlier release have none.
 */
class Favorites {
  constructor(pack) {
    this.storageKey = `stickerd favorites ${pack}`;
    this.entries = new Map();
    this.read();
  }

  read() {
    const kept = Memory.read('localStorage', this.storageKey);
    if (Array.isArray(kept)) this.entries = new Map(kept.map((entry) => [entry.key, entry]));
  }

  has(key) {
    return this.entries.has(key);
  }

  get(key) {
    return this.entries.get(key);
  }

  /** Returns false if the browser does not keep it beyond this visit. */
  set(key, entry) {
    // Another tab may have changed them.
    this.read();
    if (entry) this.entries.set(key, { key, ...entry });
    else this.entries.delete(key);
    return Memory.write('localStorage', this.storageKey, [...this.entries.values()]);
  }
}
