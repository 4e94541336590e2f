/**
 * A long list in chunks, whose contents the browser skips while they are out of view (`content-visibility`). For 5,000
 * separate elements, finding out which are in view would take longer than a frame.
 */
class Chunks {
  /** A multiple of every number of columns in the style sheets, so that chunks end at the end of a row. */
  static size = 120;

  constructor(list) {
    this.list = list;
    this.all = [];
  }

  /** Like `DOM.sync`: elements that need not move stay, with focus and scroll position. */
  fill(elements) {
    const parts = [];
    for (let start = 0; start < elements.length; start += Chunks.size) parts.push(elements.slice(start, start + Chunks.size));
    this.all = parts.map((_, index) => this.all[index] ?? DOM.make('div', { class: 'chunk', role: 'presentation' }));
    parts.forEach((part, index) => {
      DOM.paint(this.all[index], { '--count': part.length });
      DOM.sync(this.all[index], part);
    });
    DOM.sync(this.list, this.all);
  }

  get columns() {
    return Number(getComputedStyle(this.list).getPropertyValue('--columns'));
  }
}
