/** Elements as Playwright's locators name them: each step looks in what the step before has found. */
(steps) => {
  const TAGS = {
    button: 'button', link: 'a[href]', slider: 'input[type=range]', heading: 'h1, h2, h3', navigation: 'nav', main: 'main',
    dialog: 'dialog[open]', radio: 'input[type=radio]', searchbox: 'input[type=search]', group: 'details',
  };
  const plain = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const nameOf = (element) => {
    const labels = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);
    return plain(element.getAttribute('aria-label') ?? (labels.join('') || element.labels?.[0]?.textContent || element.alt || element.textContent));
  };
  const matches = (text, wanted, isExact) => (
    isExact ? plain(text) === plain(wanted) : plain(text).toLowerCase().includes(plain(wanted).toLowerCase()));
  const STEPS = {
    css: (roots, selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]),
    role: (roots, role, { name, exact, selected }) => STEPS
      .css(roots, `[role=${role}]${TAGS[role] ? `, :is(${TAGS[role]}):not([role])` : ''}`)
      .filter((element) => isShown(element)
        && (name === undefined || matches(nameOf(element), name, exact))
        && (selected === undefined || element.getAttribute('aria-selected') === String(selected))),
    // The innermost elements.
    text: (roots, text, { exact }) => STEPS.css(roots, '*').filter((element) => !/^(SCRIPT|STYLE)$/.test(element.tagName)
      && matches(element.textContent, text, exact)
      && ![...element.children].some((child) => matches(child.textContent, text, exact))),
    label: (roots, text, { exact }) => STEPS.css(roots, '*').filter((element) => (
      matches(element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? '', text, exact)
      && (element.hasAttribute('aria-label') || element.labels?.length))),
    has: (roots, text) => roots.filter((element) => matches(element.textContent, text, false)),
    nth: (roots, place) => [roots.at(place)].filter(Boolean),
  };
  return steps.reduce((roots, [kind, ...rest]) => [...new Set(STEPS[kind](roots, ...rest))], [document]);
}
