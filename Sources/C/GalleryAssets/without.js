/** The folded list below the carousel: photos without a sticker, with the reasons. */
const WithoutList = {
  show({ without, withoutCount, slideCount }) {
    const list = DOM.find('without');
    // There is nothing else to see.
    if (list.hidden && slideCount === 0) list.open = true;
    list.hidden = without.length === 0;
    DOM.find('without-count').textContent = `${Format.count(withoutCount, 'photo')} without a sticker`;
    const lines = without.map((item) => DOM.make('li', {}, DOM.name(item.name), ` – ${Contents.reason(item)}`));
    const unlisted = withoutCount - without.length;
    if (unlisted > 0) lines.push(DOM.make('li', {}, `and ${Format.count(unlisted, 'more photo')}`));
    DOM.find('without-list').replaceChildren(...lines);
  },
};
