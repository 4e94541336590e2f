/**
 * The page's data block as a list of items: the stickers in order of arrival, then the pending photos, then those
 * without a sticker.
 *
 * An item: {key, kind: 'sticker' | 'waiting' | 'without', name, photo, subject, …}; its key stays the same in every
 * revision.
 */
class Contents {
  static opening = '<script type="application/json" id="contents">';

  static ofThisPage() {
    return new Contents(DOM.find('contents').textContent);
  }

  /** The contents of another revision of the page, given as text; null if it is not such a page. */
  static ofPage(html) {
    const start = html.indexOf(Contents.opening);
    // Entries are escaped, so none can contain a closing tag.
    const end = html.indexOf('</' + 'script>', start);
    if (start < 0 || end < 0) return null;
    try {
      return new Contents(html.slice(start + Contents.opening.length, end));
    } catch {
      return null;
    }
  }

  constructor(json) {
    Object.assign(this, JSON.parse(json));
    this.json = json;
    const numbered = new Map();
    const key = (kind, name) => {
      const number = (numbered.get(kind + name) ?? 0) + 1;
      numbered.set(kind + name, number);
      return `${kind}:${number}:${name}`;
    };
    this.items = [
      ...this.stickers.map((entry) => ({ ...entry, key: entry.id, kind: 'sticker' })),
      ...this.waiting.map((entry) => ({ ...entry, key: key('waiting', entry.name), kind: 'waiting' })),
      ...this.without.map((entry) => ({ ...entry, key: key('without', entry.name), kind: 'without' })),
    ];
    this.stickers = this.items.filter((item) => item.kind === 'sticker');
    this.places = new Map(this.items.map((item, index) => [item.key, index]));
  }

  item(key) {
    return this.items[this.places.get(key)];
  }

  /** The place of a reader who was at this item: a pending photo may have become a sticker meanwhile. */
  nearest({ key, name, index = 0 }) {
    if (this.places.has(key)) return key;
    const same = this.items.findLast((item) => item.name === name);
    return (same ?? this.items[Math.min(index, this.items.length - 1)])?.key;
  }

  /** A path of the data block as an address: file names may contain any character. */
  static address(path) {
    return path.split('/').map(encodeURIComponent).join('/');
  }

  /** Whether two entries of the same key would look different. */
  static isSame(a, b) {
    return JSON.stringify(a) === JSON.stringify(b);
  }

  /** The reason why there is no sticker, as a sentence. */
  static excuse(item) {
    return `Unable to extract a sticker from this photo: ${item.reason || 'unknown reason'}`;
  }
}
