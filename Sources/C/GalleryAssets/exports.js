/**
 * The pack as messengers and servers take it: a folded list of downloads. It comes from a script beside the exports, which
 * are finished after the page.
 */
class Exports extends AssignedList {
  constructor() {
    super();
    this.watch('exports-list', 'stickerdExports');
  }

  update(list) {
    const text = JSON.stringify(list);
    if (text === this.text) return;
    this.text = text;
    const exports = list ?? [];
    DOM.find('exports').hidden = exports.length === 0;
    DOM.find('exports-items').replaceChildren(...exports.map((one) => this.item(one)));
  }

  item({ name, title, purpose, downloads = [], notes = [], withheld }) {
    const links = downloads.map(({ file, bytes }) => {
      const own = file.slice(file.lastIndexOf('/') + 1);
      const link = DOM.make('a', { class: 'button' }, DOM.name(own), DOM.make('span', { class: 'quiet' }, Format.bytes(bytes)));
      // Several exports of a pack have files of the same name.
      return Files.offer(link, Contents.address(this.base + file), `${name}-${own}`);
    });
    return DOM.make(
      'li',
      {},
      DOM.make('h3', {}, title),
      DOM.make('p', { class: 'quiet' }, purpose),
      links.length ? DOM.make('p', { class: 'files' }, ...links) : null,
      ...[withheld, ...notes].filter(Boolean).map((line) => DOM.make('p', {}, line)),
    );
  }
}
