/**
 * A long list in chunks, whose insides the browser skips while they are out of sight (`content-visibility`). For 5,000
 * elements one by one, finding out which are in sight would take longer than a frame.
 */
class Chunks {
  /** A multiple of every number of columns in the style sheets, so that rows end where chunks do. */
  static size = 120;

  constructor(list) {
    this.list = list;
    this.all = [];
  }

  /** As `DOM.sync` does it: what need not move stays, with focus and scroll position. */
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
