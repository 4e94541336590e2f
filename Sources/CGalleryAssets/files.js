/** Saves files, copies text, and shares files with other apps. */
const Files = {
  /** A page opened as a file may not read other files (https://html.spec.whatwg.org, "opaque origin"). */
  canRead: location.protocol !== 'file:',

  /** How many files are fetched at once. */
  lanes: 4,

  canShare(type) {
    if (!Files.canRead || !navigator.canShare) return false;
    return navigator.canShare({ files: [new File([], 'sticker', { type })] });
  },

  typeOf: (item) => (item.file.endsWith('.webp') ? 'image/webp' : 'image/png'),

  async fetch(item) {
    const response = await fetch(Contents.address(item.file));
    if (!response.ok) throw new Error(`${item.file} no longer exists`);
    return new Uint8Array(await response.arrayBuffer());
  },

  /** Calls `use(item, bytes)` in order, while the next few files are being fetched. */
  async fetchAll(items, use) {
    const ahead = [];
    for (let index = 0; index < items.length; index += 1) {
      while (ahead.length < Files.lanes && index + ahead.length < items.length) {
        const request = Files.fetch(items[index + ahead.length]);
        // Awaited below; an error before that must not count as unhandled.
        request.catch(() => {});
        ahead.push(request);
      }
      use(items[index], await ahead.shift(), index);
    }
  },

  async zip(items, progress) {
    const zip = new Zip();
    await Files.fetchAll(items, (item, bytes, index) => {
      zip.add(item.file, bytes, new Date(item.added));
      progress(index + 1);
    });
    return zip.blob();
  },

  async share(items) {
    const files = [];
    await Files.fetchAll(items, (item, bytes) => files.push(new File([bytes], item.file, { type: Files.typeOf(item) })));
    await navigator.share({ files });
  },

  /** Links to a file next to the page; if it cannot be downloaded, in another tab, so that the gallery stays open. */
  link(link, file) {
    link.href = Contents.address(file);
    link.download = file;
    if (!Files.canRead) Object.assign(link, { target: '_blank', rel: 'noopener' });
    return link;
  },

  save(blob, name) {
    const url = URL.createObjectURL(blob);
    DOM.make('a', { href: url, download: name }).click();
    // A download that has begun keeps its own reference to the blob.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },

  saveText(text, name, type) {
    Files.save(new Blob([text], { type }), name);
  },

  /** A name that is valid on every file system. */
  safeName: (name) => name.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]+/g, ' ').trim().slice(0, 80) || 'stickers',

  /** Except on https and localhost, only the old copy command is available. */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = DOM.make('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' });
      const focused = document.activeElement;
      area.value = text;
      document.body.append(area);
      area.select();
      const copied = document.execCommand('copy');
      area.remove();
      focused?.focus();
      return copied;
    }
  },
};
