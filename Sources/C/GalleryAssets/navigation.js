/** Links to all packs of the outbox. Their list is beside the root pack's page. */
class Navigation extends AssignedList {
  /** - identifier: of the page's own pack. */
  constructor(identifier) {
    super();
    this.identifier = identifier;
    this.links = new Map();
    this.isPlaced = false;
    this.watch('packs-list', 'stickerdPacks');
    // There is no scrollbar: a mouse has only its wheel.
    DOM.find('packs').addEventListener('wheel', (event) => {
      const { currentTarget: bar, ctrlKey, shiftKey, deltaX, deltaY } = event;
      if (ctrlKey || shiftKey || deltaX) return;
      const before = bar.scrollLeft;
      bar.scrollLeft += DOM.isRightToLeft() ? -deltaY : deltaY;
      // At its ends, the page scrolls.
      if (bar.scrollLeft !== before) event.preventDefault();
    }, { passive: false });
  }

  update(list) {
    if (list === null) return;
    const packs = list?.packs ?? [];
    DOM.find('packs').hidden = packs.length < 2;
    DOM.sync(DOM.find('packs'), packs.map((pack) => this.link(pack)));
    const own = this.links.get(this.identifier)?.element;
    if (!own || this.isPlaced) return;
    this.isPlaced = true;
    // Not scrollIntoView: that may also scroll the page.
    const [bar, link] = [DOM.find('packs'), own].map((element) => element.getBoundingClientRect());
    DOM.find('packs').scrollLeft += link.left + link.width / 2 - bar.left - bar.width / 2;
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
}
