/**
 * Links to all packs of the outbox. Their list is a script beside the root pack's page, because a page opened as a file can
 * read no other file. From a server, it is read again while the page is open.
 */
class Navigation {
  static interval = 5000;

  /** - identifier: of the page's own pack. */
  constructor(identifier) {
    this.identifier = identifier;
    const script = DOM.find('packs-list');
    this.source = script.getAttribute('src');
    this.base = this.source.slice(0, this.source.lastIndexOf('/') + 1);
    this.links = new Map();
    script.addEventListener('load', () => this.update(globalThis.stickerdPacks));
    this.update(globalThis.stickerdPacks);
    document.addEventListener('visibilitychange', () => this.schedule());
    this.schedule();
  }

  update(list) {
    const packs = list?.packs ?? [];
    DOM.find('packs').hidden = packs.length < 2;
    DOM.sync(DOM.find('packs'), packs.map((pack) => this.link(pack)));
  }

  /** The same element as before if the pack has not changed: focus stays. */
  link(pack) {
    const text = JSON.stringify(pack);
    const known = this.links.get(pack.identifier);
    if (known?.text === text) return known.element;
    const page = `${pack.folder ? `${pack.folder}/` : ''}index.html`;
    const element = DOM.make(
      'a',
      {
        href: Contents.address(this.base + page),
        'aria-label': `${pack.name}, ${Format.count(pack.stickers, 'sticker')}`,
        'aria-current': pack.identifier === this.identifier ? 'page' : null,
      },
      pack.cover ? DOM.make('img', { src: Contents.address(this.base + pack.cover), alt: '', loading: 'lazy' }) : null,
      DOM.name(pack.name),
      DOM.make('span', { class: 'quiet' }, pack.stickers.toLocaleString('en')),
    );
    this.links.set(pack.identifier, { text, element });
    return element;
  }

  schedule() {
    clearTimeout(this.timer);
    if (document.hidden || !Files.canRead) return;
    this.timer = setTimeout(() => this.look(), Navigation.interval);
  }

  async look() {
    const list = await Files.assigned(this.source);
    if (list) this.update(list);
    this.schedule();
  }
}
