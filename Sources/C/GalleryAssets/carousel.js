/** One sticker or pending photo per view. Every item near the reader's place has a slide, and the nearest of these have content. */
class Carousel {
  start = 'track';
  /** How many slides on either side have content. */
  static margin = 2;
  /** The most slides: browsers limit the width of what can be scrolled, Chromium to 33 million pixels. */
  static maxSlides = 201;
  /** How long after the last scroll event the track is at rest: Safari has no `scrollend` before 26.2. */
  static restMilliseconds = 100;
  /** If fewer slides than this remain on one side, they are given to other items once the reader rests. */
  static minAhead = 50;

  /** - onTurn: called with the place of the item that is now in front; - onPress: with a sticker after a long press. */
  constructor(scheme, onTurn, onPress) {
    this.scheme = scheme;
    this.onTurn = onTurn;
    this.track = DOM.find('track');
    this.contents = null;
    this.slides = [];
    /** The place of the first slide's item. */
    this.first = 0;
    /** The items and cards of slides with content. */
    this.filled = new Map();
    this.index = 0;
    /** The target of a smooth scroll; null if there is none. */
    this.target = null;

    this.track.addEventListener('scroll', () => {
      this.look();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.rest(), Carousel.restMilliseconds);
    }, { passive: true });
    for (const type of ['pointerdown', 'wheel']) {
      this.track.addEventListener(type, () => { this.target = null; }, { passive: true });
    }
    new StickerDrag(this.track, (target) => this.sticker(target));
    new Tilt(this.track, () => this.slides[this.index - this.first]?.querySelector('.cutout'));
    // If the page cannot share, the browser's own menu offers more than the sheet would.
    new LongPress(
      this.track, (target) => Files.canShare('image/png') && this.sticker(target), ({ target }) => onPress(this.sticker(target).item));
    DOM.find('previous').addEventListener('click', () => this.turn(-1));
    DOM.find('next').addEventListener('click', () => this.turn(1));
    // If a phone is rotated: the same slide, at another width. A caption of two lines changes the height alone, and that
    // must not end a smooth scroll.
    new ResizeObserver(() => {
      if (this.width !== this.track.clientWidth) this.jump();
    }).observe(this.track);
  }

  /** The sticker of an element, for `StickerDrag`. */
  sticker(target) {
    const picture = target.closest?.('.cutout')?.querySelector('img');
    const item = picture && this.filled.get(picture.closest('.slide'))?.item;
    return item && { item, picture };
  }

  update(contents, index) {
    this.contents = contents;
    const count = Math.min(contents.slideCount, Carousel.maxSlides);
    while (this.slides.length < count) this.slides.push(DOM.make('div', { class: 'slide' }));
    for (const slide of this.slides.splice(count)) this.empty(slide);
    DOM.sync(this.track, this.slides);
    DOM.find('stage').hidden = count === 0;
    this.show(index);
  }

  /** Photos without a sticker have no slides: the last item before them is shown instead. */
  nearest({ slideCount }, index) {
    return slideCount > 0 ? Math.min(index, slideCount - 1) : index;
  }

  announce(item) {
    if (item) DOM.announce(`${item.name}, ${DOM.find('position').textContent}`);
  }

  /** Items at these places have come. */
  refresh(from, to) {
    if (this.index + Carousel.margin >= from && this.index - Carousel.margin < to) this.settle();
  }

  /** Shows an item without animation. */
  show(index) {
    this.index = Math.max(0, Math.min(index, this.contents.slideCount - 1));
    this.center();
    this.jump();
    this.settle();
  }

  /** Gives the slides to the items around the reader's place, if there are too few on one side. */
  center() {
    const count = this.contents.slideCount;
    const last = this.first + this.slides.length - 1;
    const isInside = this.index >= this.first + Math.min(this.first, Carousel.minAhead)
      && this.index <= last - Math.min(count - 1 - last, Carousel.minAhead);
    if (isInside && last < count) return false;
    this.first = Math.max(0, Math.min(this.index - (this.slides.length >> 1), count - this.slides.length));
    return true;
  }

  /** The same once the track is at rest, so that the reader sees no change. */
  rest() {
    // A finger may hold it between two slides.
    if (!this.contents?.slideCount || Math.abs(this.track.scrollLeft - this.left(this.index)) > 1) return;
    // WebKit may drop a smooth scroll that replaces another.
    if (this.target != null && this.target !== this.index) {
      this.scroll(this.target, 'smooth');
      return;
    }
    this.target = null;
    if (!this.center()) return;
    this.settle();
    this.jump();
  }

  turn(step) {
    this.go((this.target ?? this.index) + step);
  }

  go(index) {
    const last = this.contents.slideCount - 1;
    const target = Math.max(0, Math.min(last, index));
    const isNear = Math.abs(target - this.index) <= Carousel.margin && !DOM.prefersLessMotion()
      && target >= this.first && target < this.first + this.slides.length;
    this.target = isNear ? target : null;
    if (isNear) {
      this.scroll(target, 'smooth');
    } else if (target !== this.index) {
      this.show(target);
      this.onTurn(this.index);
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.contents.at(this.index)) return;
    const step = DOM.step(event);
    if (step) this.turn(step);
    else if (event.key === 'Home') this.go(0);
    else if (event.key === 'End') this.go(this.contents.slideCount - 1);
    else if (event.key === 'PageUp') this.go(this.index - 10);
    else if (event.key === 'PageDown') this.go(this.index + 10);
    else return;
    event.preventDefault();
  }

  jump() {
    this.target = null;
    this.width = this.track.clientWidth;
    if (this.width > 0) this.scroll(this.index, 'instant');
  }

  scroll(index, behavior) {
    const left = this.left(index);
    if (Math.abs(this.track.scrollLeft - left) >= 1) this.track.scrollTo({ left, behavior });
  }

  /** The scroll position of an item's slide. */
  left(index) {
    return (index - this.first) * this.track.clientWidth * (DOM.isRightToLeft() ? -1 : 1);
  }

  /** Finds the slide that the reader scrolled to. */
  look() {
    const width = this.track.clientWidth;
    if (width === 0 || !this.contents?.slideCount) return;
    const index = this.first + Math.round(Math.abs(this.track.scrollLeft) / width);
    if (index === this.index || index >= this.contents.slideCount) return;
    this.index = index;
    this.settle();
    this.onTurn(index);
  }

  settle() {
    const count = this.contents.slideCount;
    const from = Math.max(0, this.index - Carousel.margin);
    const to = Math.min(count, this.index + Carousel.margin + 1);
    const near = new Map();
    for (let place = from; place < to; place += 1) {
      const slide = this.slides[place - this.first];
      if (slide) near.set(slide, place);
    }
    const cards = new Map();
    for (const [slide, { item, card }] of this.filled) if (item) cards.set(item.key, { item, card, slide });
    let isWhole = true;
    for (const [slide, place] of near) {
      const item = this.contents.at(place);
      isWhole &&= Boolean(item);
      this.fill(slide, place, item, cards);
    }
    for (const slide of [...this.filled.keys()]) if (!near.has(slide)) this.empty(slide);
    // Turning several pages at once needs no others; the pages around are wanted, too.
    if (!isWhole) this.contents.want(from, to);
    DOM.find('previous').disabled = this.index <= 0;
    DOM.find('next').disabled = this.index >= count - 1;
  }

  /** - cards: those of other slides, by key, whose elements are used again. */
  fill(slide, place, item, cards) {
    slide.setAttribute('aria-label', `${item?.name ?? 'Loading'}, ${place + 1} of ${this.contents.slideCount}`);
    const known = this.filled.get(slide);
    if (known && (item ? known.item && Contents.isSame(known.item, item) : !known.item)) return;
    slide.setAttribute('role', 'group');
    slide.setAttribute('aria-roledescription', 'slide');
    slide.classList.add('filled');
    const old = item && cards.get(item.key);
    const isKept = old && Contents.isSame(old.item, item);
    const card = isKept ? old.card : this.card(item);
    if (item && !isKept) Card.greet(card, item, place);
    if (old?.slide && old.card === card) this.filled.delete(old.slide);
    this.filled.set(slide, { item, card });
    slide.replaceChildren(card);
  }

  card(item) {
    const card = item ? Card.of(item, this.scheme(item)) : DOM.make('div', { class: 'card' }, Card.backdrop([]));
    // Brightness is added, not multiplied, by white light on top (see carousel.css).
    card.append(DOM.make('div', { class: 'light' }));
    return card;
  }

  empty(slide) {
    this.filled.delete(slide);
    slide.classList.remove('filled');
    for (const name of ['role', 'aria-label', 'aria-roledescription']) slide.removeAttribute(name);
    slide.replaceChildren();
  }
}

/** A rounded card with a photo's gradient, and on it the sticker, or a text while the photo is pending. */
const Card = {
  /** Whether the sticker at this place arrived while the page was open; its first display is then animated. */
  isNew: () => false,

  /** Longer than the animation. */
  newMilliseconds: 2000,

  /** Animates the element of a new sticker; if it is out of view now, it is not animated later. */
  greet(element, item, place) {
    if (!Card.isNew(item, place)) return;
    element.classList.add('new');
    setTimeout(() => element.classList.remove('new'), Card.newMilliseconds);
  },

  of(item, colors) {
    const card = DOM.make('div', { class: `card ${item.kind}` }, Card.backdrop(colors));
    if (item.kind === 'sticker') {
      const picture = DOM.make('img', {
        src: Contents.address(item.file), width: item.width, height: item.height, decoding: 'async',
        alt: `Sticker: ${item.name}`, draggable: 'false',
      });
      const sticker = DOM.make('div', { class: 'cutout' }, picture);
      // A page opened as a file cannot use an image as a mask.
      if (Files.canRead) {
        sticker.append(DOM.make('div', { class: 'shine' }));
        DOM.paint(sticker, { '--picture': `url("${new URL(Contents.address(item.file), location.href).href}")` });
      }
      card.append(DOM.paint(sticker, { '--ratio': item.width / item.height }));
    } else {
      card.append(DOM.make('div', { class: 'message' },
        DOM.make('div', { class: 'mark', 'aria-hidden': 'true' }), DOM.make('p', {}, 'Making a sticker…')));
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
