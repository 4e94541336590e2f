/** One sticker per view. Every item has a slide, but only those near the reader's place have content. */
class Carousel {
  /** How many slides on either side have content. */
  static margin = 2;

  /** - onTurn: called with the item that is now in front. */
  constructor(scheme, onTurn) {
    this.scheme = scheme;
    this.onTurn = onTurn;
    this.track = DOM.find('track');
    this.contents = null;
    this.slides = new Map();
    this.filled = new Set();
    this.index = 0;
    /** The target of a smooth scroll; null if there is none. */
    this.target = null;

    this.track.addEventListener('scroll', () => this.look(), { passive: true });
    for (const type of ['scrollend', 'pointerdown', 'wheel']) {
      this.track.addEventListener(type, () => { this.target = null; }, { passive: true });
    }
    DOM.find('previous').addEventListener('click', () => this.turn(-1));
    DOM.find('next').addEventListener('click', () => this.turn(1));
    // If a phone is rotated: the same slide, at another width.
    new ResizeObserver(() => this.jump()).observe(this.track);
  }

  get item() {
    return this.contents?.items[this.index];
  }

  update(contents, key) {
    const old = this.contents;
    this.contents = contents;
    const slides = contents.items.map((item) => {
      let slide = this.slides.get(item.key);
      if (slide && old && !Contents.isSame(old.item(item.key), item)) this.empty(slide);
      slide ??= DOM.make('div', { class: 'slide' });
      slide.item = item;
      return slide;
    });
    this.slides = new Map(slides.map((slide) => [slide.item.key, slide]));
    for (const slide of this.filled) if (this.slides.get(slide.item.key) !== slide) this.empty(slide);
    DOM.sync(this.track, slides);
    this.show(key);
  }

  /** Shows an item without animation. */
  show(key) {
    this.index = this.contents.places.get(key) ?? 0;
    this.jump();
    this.settle();
  }

  turn(step) {
    this.go((this.target ?? this.index) + step);
  }

  go(index) {
    const last = this.contents.items.length - 1;
    const target = Math.max(0, Math.min(last, index));
    const isNear = Math.abs(target - this.index) <= Carousel.margin && !DOM.prefersLessMotion();
    this.target = isNear ? target : null;
    this.scroll(target, isNear ? 'smooth' : 'instant');
    if (!isNear) this.look();
  }

  key(event) {
    const step = DOM.step(event.key);
    const last = this.contents.items.length - 1;
    if (step) this.turn(step);
    else if (event.key === 'Home') this.go(0);
    else if (event.key === 'End') this.go(last);
    else if (event.key === 'PageUp') this.go(this.index - 10);
    else if (event.key === 'PageDown') this.go(this.index + 10);
    else return false;
    return true;
  }

  jump() {
    if (this.track.clientWidth > 0) this.scroll(this.index, 'instant');
  }

  scroll(index, behavior) {
    const left = index * this.track.clientWidth * (DOM.isRightToLeft() ? -1 : 1);
    if (Math.abs(this.track.scrollLeft - left) >= 1) this.track.scrollTo({ left, behavior });
  }

  /** Finds the slide that the reader scrolled to. */
  look() {
    const width = this.track.clientWidth;
    if (width === 0 || !this.contents?.items.length) return;
    const index = Math.round(Math.abs(this.track.scrollLeft) / width);
    if (index === this.target) this.target = null;
    if (index === this.index || index >= this.contents.items.length) return;
    this.index = index;
    this.settle();
    this.onTurn(this.item);
  }

  settle() {
    const { items } = this.contents;
    const near = new Set();
    for (let index = this.index - Carousel.margin; index <= this.index + Carousel.margin; index += 1) {
      if (items[index]) near.add(this.slides.get(items[index].key));
    }
    for (const slide of this.filled) if (!near.has(slide)) this.empty(slide);
    for (const slide of near) this.fill(slide);
    DOM.find('previous').disabled = this.index <= 0;
    DOM.find('next').disabled = this.index >= items.length - 1;
  }

  fill(slide) {
    const { items, places } = this.contents;
    const { item } = slide;
    const label = `${item.name}, ${places.get(item.key) + 1} of ${items.length}`;
    slide.setAttribute('aria-label', label);
    if (this.filled.has(slide)) return;
    this.filled.add(slide);
    slide.setAttribute('role', 'group');
    slide.setAttribute('aria-roledescription', 'slide');
    slide.classList.add('filled');
    const card = Card.of(item, this.scheme(item));
    // Brightness is added, not multiplied, by white light on top (see carousel.css).
    card.append(DOM.make('div', { class: 'light' }));
    slide.append(card);
  }

  empty(slide) {
    this.filled.delete(slide);
    slide.classList.remove('filled');
    for (const name of ['role', 'aria-label', 'aria-roledescription']) slide.removeAttribute(name);
    slide.replaceChildren();
  }
}

/** A rounded card with a photo's gradient, and on it the sticker, or the text for a photo without one. */
const Card = {
  of(item, colors) {
    const card = DOM.make('div', { class: `card ${item.kind}` }, Card.backdrop(colors));
    if (item.kind === 'sticker') {
      card.append(DOM.make('img', {
        src: Contents.address(item.file), width: item.width, height: item.height, decoding: 'async',
        alt: `Sticker: ${item.name}`, draggable: 'false',
      }));
    } else {
      const text = item.kind === 'waiting' ? 'Making a sticker…' : Contents.excuse(item);
      card.append(DOM.make('div', { class: 'message' },
        DOM.make('div', { class: 'mark', 'aria-hidden': 'true' }), DOM.make('p', {}, text)));
    }
    return card;
  },

  backdrop(colors) {
    const backdrop = DOM.make('div', { class: 'backdrop' });
    if (!colors.length) return backdrop;
    backdrop.classList.add('colored');
    Colors.gradient(colors).forEach((hex, index) => DOM.paint(backdrop, { [`--color-${index}`]: hex }));
    return backdrop;
  },
};
