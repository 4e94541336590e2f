/**
 * The commands for one sticker: the buttons with `data-action` in the caption and in the sheet of a long press, and the
 * browser's copy command.
 */
class StickerActions {
  /** - item: returns the sticker that commands apply to; - scheme: returns an item's colors. */
  constructor(item, scheme) {
    this.item = item;
    this.scheme = scheme;
    this.sheet = DOM.find('sheet');
    /** The sticker of the sheet, which stays the same if the page changes behind it. */
    this.offered = null;
    document.addEventListener('click', (event) => this.click(event));
    document.addEventListener('copy', (event) => this.copy(event));
  }

  /** Shows the sheet of a long press. Only one of its buttons can share: browsers require a click for that. */
  offer(item) {
    this.offered = item;
    DOM.find('sheet-picture').replaceChildren(...Card.of(item, this.scheme(item)).childNodes);
    DOM.find('sheet-name').textContent = item.name;
    this.sheet.showModal();
    navigator.vibrate?.(10);
  }

  async click(event) {
    // The backdrop is part of the dialog.
    if (event.target === this.sheet) this.sheet.close();
    const action = event.target.closest('[data-action]')?.dataset.action;
    if (!action) return;
    const item = this.sheet.open ? this.offered : this.item();
    this.sheet.close();
    if (item?.kind !== 'sticker') return;
    if (action === 'copy') this.tell(await Clipboard.copySticker(item));
    if (action === 'save') Files.link(DOM.make('a'), item).click();
    if (action === 'wallpaper') this.tell(await Wallpaper.save(item, this.scheme(item)));
    if (action === 'share') {
      Files.share([item]).catch((error) => {
        // AbortError: the reader closed the browser's share sheet.
        if (error.name !== 'AbortError') this.tell({ text: `The sticker could not be shared: ${error.message}`, isTrouble: true });
      });
    }
  }

  /** On Ctrl+C or the browser menu's Copy, unless text is selected. */
  async copy(event) {
    const item = this.item();
    if (item?.kind !== 'sticker' || !getSelection().isCollapsed || /^(input|textarea)$/i.test(event.target.tagName)) return;
    event.preventDefault();
    this.tell(await Clipboard.copySticker(item));
  }

  tell({ text, isTrouble }) {
    Toast.show(text, isTrouble);
  }
}
