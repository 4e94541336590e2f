/** The selected keys of a list, as in a file manager: one, a range from the last one clicked, or all. */
class Selection {
  /** - isAll: whether `keys` are those that are not selected. */
  constructor({ keys = [], isAll = false } = {}) {
    this.keys = new Set(keys);
    this.isAll = isAll;
    /** The key of the item that was clicked last, and its place in the pack. */
    this.anchor = null;
    /** How many items there are. */
    this.total = 0;
  }

  get size() {
    return this.isAll ? Math.max(0, this.total - this.keys.size) : this.keys.size;
  }

  has(key) {
    return this.isAll !== this.keys.has(key);
  }

  toggle(item, place) {
    if (!this.keys.delete(item.key)) this.keys.add(item.key);
    this.anchor = { key: item.key, place };
  }

  replace(keys) {
    this.keys = new Set(keys);
    this.isAll = false;
  }

  all() {
    this.keys.clear();
    this.isAll = true;
  }

  clear() {
    this.replace([]);
    this.anchor = null;
  }

  /** Deselects items that no longer exist, if all are known. */
  update(contents) {
    this.total = contents.stickerCount;
    if (contents.isDivided) return;
    for (const key of this.keys) if (!(contents.indexOf(key) < contents.stickerCount)) this.keys.delete(key);
    if (this.anchor && !contents.places.has(this.anchor.key)) this.anchor = null;
  }

  /** The most keys that the browser stores: it stores a few megabytes in all. */
  static maxStored = 5000;

  get stored() {
    return { keys: [...this.keys].slice(0, Selection.maxStored), isAll: this.isAll };
  }
}
