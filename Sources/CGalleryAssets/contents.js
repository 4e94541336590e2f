/**
 * What the page's data block says, as the items that are shown: the stickers in order of arrival, then the photos that
 * wait, then those that have none.
 *
 * An item: {key, kind: 'sticker' | 'waiting' | 'without', name, photo, subject, …}; its key stays the same from revision
 * to revision.
 */
class Contents {
  static opening = '<script type="application/json" id="contents">';

  static ofThisPage() {
    return new Contents(DOM.find('contents').textContent);
  }

  /** Of another revision of the page, as text; null if that is no such page. */
  static ofPage(html) {
    const start = html.indexOf(Contents.opening);
    // No entry can hold a closing tag.
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

  /** Where a reader is who was at such an item before: a photo that waited may have become a sticker meanwhile. */
  nearest({ key, name, index = 0 }) {
    if (this.places.has(key)) return key;
    const same = this.items.findLast((item) => item.name === name);
    return (same ?? this.items[Math.min(index, this.items.length - 1)])?.key;
  }

  /** A path of the data block as an address: file names may hold anything. */
  static address(path) {
    return path.split('/').map(encodeURIComponent).join('/');
  }

  /** Whether two entries of the same key would look different. */
  static isSame(a, b) {
    return JSON.stringify(a) === JSON.stringify(b);
  }

  /** Why there is no sticker, as a sentence. */
  static excuse(item) {
    return `Unable to extract a sticker from this photo: ${item.reason || 'no reason is known'}`;
  }
}
