/** The few things every part of the page does with elements. All text goes in as text: nothing here parses HTML. */
const DOM = {
  find: (id) => document.getElementById(id),

  /** Attributes whose value is null are left out, and true stands for an empty one. */
  make(tag, attributes = {}, ...children) {
    return DOM.fill(document.createElement(tag), attributes, children);
  },

  svg(tag, attributes = {}, ...children) {
    return DOM.fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
  },

  fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value != null && value !== false) element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child != null));
    return element;
  },

  /** A name in its own direction, whatever the text around it has. */
  name: (text) => DOM.make('bdi', {}, text),

  /** Sets custom properties; the policy of the page forbids `style` attributes, not this. */
  paint(element, properties) {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
    return element;
  },

  /** Makes `elements` the children of `parent` and moves only what must move: focus and scroll position stay. */
  sync(parent, elements) {
    const wanted = new Set(elements);
    for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
    let next = parent.firstElementChild;
    for (const element of elements) {
      if (element === next) next = next.nextElementSibling;
      else parent.insertBefore(element, next);
    }
  },

  /** Says something to a screen reader. */
  announce(text) {
    DOM.find('announcer').textContent = text;
  },

  isRightToLeft: () => document.documentElement.dir === 'rtl',

  prefersLessMotion: () => matchMedia('(prefers-reduced-motion: reduce)').matches,

  /** What an arrow key means in the reading direction: -1, 1 or 0. */
  step(key) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
    return DOM.isRightToLeft() ? -step : step;
  },
};

/** Numbers as the page writes them. */
const Format = {
  bytes(count) {
    if (count < 1000) return `${count} B`;
    if (count < 999_500) return `${Math.round(count / 1000)} kB`;
    return `${(count / 1_000_000).toFixed(count < 9_950_000 ? 1 : 0)} MB`;
  },

  count: (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`,

  percent: (share) => `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`,
};
