/** Element functions that every part of the page uses. All text is inserted as text: nothing here parses HTML. */
const DOM = {
  find: (id) => document.getElementById(id),

  /** Attributes with the value null are left out; true means an empty value. */
  make(tag, attributes = {}, ...children) {
    return DOM.fill(document.createElement(tag), attributes, children);
  },

  svg(tag, attributes = {}, ...children) {
    return DOM.fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
  },

  fill(element, { src, ...attributes }, children) {
    // WebKit begins to load an image as soon as it has a source: `loading` must be set before.
    for (const [name, value] of Object.entries({ ...attributes, src })) {
      if (value != null && value !== false) element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child != null));
    return element;
  },

  /** A name in its own text direction, independent of the text around it. */
  name: (text) => DOM.make('bdi', {}, text),

  /** An item's emoji, to stand beside its name; null if there are none, or if the name is nothing else. */
  emoji(item) {
    const emoji = item?.emoji ?? [];
    return emoji.length && !emoji.join('').startsWith(item.name) ? emoji.join(' ') : null;
  },

  /** Sets custom properties; the page's policy forbids `style` attributes, but not this. */
  paint(element, properties) {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
    return element;
  },

  /** Makes `elements` the children of `parent`, moving only those out of order: focus and scroll position stay. */
  sync(parent, elements) {
    const wanted = new Set(elements);
    for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
    let next = parent.firstElementChild;
    for (const element of elements) {
      if (element === next) next = next.nextElementSibling;
      else parent.insertBefore(element, next);
    }
  },

  /** Announces a text to screen readers. */
  announce(text) {
    DOM.find('announcer').textContent = text;
  },

  isRightToLeft: () => document.documentElement.dir === 'rtl',

  hasMouse: () => matchMedia('(hover: hover)').matches,

  prefersLessMotion: () => matchMedia('(prefers-reduced-motion: reduce)').matches,

  /** The direction of an arrow key in reading order: -1, 1 or 0. With a modifier it is the browser's: Alt and Left go back. */
  step({ key, altKey, ctrlKey, metaKey }) {
    const step = (!altKey && !ctrlKey && !metaKey && { ArrowLeft: -1, ArrowRight: 1 }[key]) || 0;
    return DOM.isRightToLeft() ? -step : step;
  },
};

/** The page's number formats. */
const Format = {
  bytes(count) {
    if (count < 1000) return `${count} B`;
    if (count < 999_500) return `${Math.round(count / 1000)} kB`;
    return `${(count / 1_000_000).toFixed(count < 9_950_000 ? 1 : 0)} MB`;
  },

  count: (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`,

  percent: (share) => `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`,
};
