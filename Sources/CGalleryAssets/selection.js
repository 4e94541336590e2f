/** The selected keys of a list, as in a file manager: one, a range from the last one clicked, or all. */
class Selection {
  constructor(keys = []) {
    this.keys = new Set(keys);
    this.anchor = null;
  }

  get size() {
    return this.keys.size;
  }

  has(key) {
    return this.keys.has(key);
  }

  /** Selects only this key; clears the selection if it was the only one. */
  single(key) {
    const wasOnly = this.size === 1 && this.has(key);
    this.keys.clear();
    if (!wasOnly) this.keys.add(key);
    this.anchor = key;
  }

  toggle(key) {
    if (!this.keys.delete(key)) this.keys.add(key);
    this.anchor = key;
  }

  /** Selects from the anchor to `key`; `order` has all keys as shown. */
  range(key, order) {
    const from = Math.max(0, order.indexOf(this.anchor));
    const to = order.indexOf(key);
    this.keys = new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1));
  }

  all(order) {
    this.keys = new Set(order);
  }

  clear() {
    this.keys.clear();
    this.anchor = null;
  }

  /** Deselects keys that no longer exist. */
  keep(order) {
    const there = new Set(order);
    this.keys = new Set([...this.keys].filter((key) => there.has(key)));
    if (!there.has(this.anchor)) this.anchor = null;
  }
}
