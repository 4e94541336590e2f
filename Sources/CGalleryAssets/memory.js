/**
 * What the browser keeps: the reader's place for as long as the tab lives (also across the reloads of a page opened as a
 * file), and the favorites for good. A browser may refuse either, and then it is forgotten; nothing else changes.
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
   * The address says the view and the item, so that it can be shared; the rest is kept beside it. The slash keeps it from
   * being some element's id, to which the browser would scroll.
   */
  place() {
    const kept = Memory.read('sessionStorage', Memory.placeKey) ?? {};
    // The address may be a little behind; only one that somebody has changed says more than what was kept.
    if (kept.address === location.hash) return kept;
    const [view, ...key] = location.hash.slice('#/'.length).split('/');
    if (!App.views.includes(view)) return kept;
    try {
      return { ...kept, view, key: key.length ? decodeURIComponent(key.join('/')) : kept.key };
    } catch {
      return { ...kept, view };
    }
  },

  /** On its way out a page may not change its address any more. */
  keepPlace(place, isLeaving) {
    try {
      if (!isLeaving) history.replaceState(null, '', `#/${place.view}${place.key ? `/${encodeURIComponent(place.key)}` : ''}`);
    } catch {
      // Some browsers allow no such thing to a page opened as a file, or not so often.
    }
    Memory.write('sessionStorage', Memory.placeKey, { ...place, address: location.hash });
  },
};

/** The schemes marked by the reader: for each photo at most one, {key, name, of, count}. */
class Favorites {
  constructor(pack) {
    this.storageKey = `stickerd favorites ${pack}`;
    const kept = Memory.read('localStorage', this.storageKey);
    this.entries = new Map((Array.isArray(kept) ? kept : []).map((entry) => [entry.key, entry]));
  }

  has(key) {
    return this.entries.has(key);
  }

  get(key) {
    return this.entries.get(key);
  }

  /** False where the browser does not keep it beyond this visit. */
  set(key, entry) {
    if (entry) this.entries.set(key, { key, ...entry });
    else this.entries.delete(key);
    return Memory.write('localStorage', this.storageKey, [...this.entries.values()]);
  }
}
