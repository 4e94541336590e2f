/** Downloads and shares the selected stickers, one by one or in a ZIP made by the page. */
class Downloads {
  /** - note: called with what the reader is to know; with an empty text if there is nothing. */
  constructor(selection, note) {
    this.selection = selection;
    this.note = note;
    this.contents = null;
    DOM.find('download').addEventListener('click', () => this.download());
    DOM.find('share').addEventListener('click', () => this.share());
  }

  /** The selected stickers in order, if all of them are in memory; otherwise null. */
  get selected() {
    if (this.contents.isDivided && (this.selection.isAll || this.selection.size > Chunks.maxElements)) return null;
    const places = this.selection.isAll
      ? [...Array(this.contents.stickerCount).keys()].filter((place) => this.selection.has(this.contents.at(place).key))
      : [...this.selection.keys].map((key) => this.contents.indexOf(key));
    if (places.includes(undefined)) return null;
    return places.sort((a, b) => a - b).map((place) => this.contents.at(place));
  }

  /** The same, reading the pages that are not in memory. */
  async gather() {
    const known = this.selected;
    if (known) return known;
    if (this.selection.size > Zip.maxEntries) throw new RangeError('The selection is too large for a ZIP');
    const found = [];
    for await (const { items } of this.contents.walk()) {
      for (const item of items) if (this.selection.has(item.key)) found.push(item);
      this.note(`Found ${found.length.toLocaleString('en')} of ${this.selection.size.toLocaleString('en')}…`);
      if (found.length >= this.selection.size) break;
    }
    return found;
  }

  async download() {
    this.note('');
    const known = this.selected;
    if (known?.length === 1) {
      Files.link(DOM.make('a'), known[0]).click();
      return;
    }
    if (!Files.canRead) {
      this.note(`Browsers can’t zip a selection from a local file. ${this.alternative}`);
      return;
    }
    await this.busy(DOM.find('download'), async () => {
      const items = await this.gather();
      const zip = await Files.zip(items, (done) => this.note(`Packing ${done} of ${items.length}…`));
      Files.save(zip, `${Files.safeName(this.contents.pack.name)}.zip`);
    });
  }

  /** What a page opened as a file offers instead of a ZIP of the selection. */
  get alternative() {
    const { archive } = this.contents;
    if (!archive) return 'Copy the images from this folder, or serve it.';
    if (archive.newest) return 'Download the newest stickers, or serve this folder.';
    return 'Download the whole pack, or serve this folder.';
  }

  async share() {
    await this.busy(DOM.find('share'), async () => Files.share(this.selected ?? await this.gather()));
  }

  async busy(button, work) {
    button.disabled = true;
    let trouble = '';
    try {
      await work();
    } catch (error) {
      // AbortError: the reader closed the share sheet.
      if (error.name !== 'AbortError') trouble = `Something went wrong: ${error.message}`;
    }
    this.note(trouble);
    button.disabled = false;
  }
}
