/** Takes files out of the page: into the downloads, into the clipboard, or to another app. */
const Files = {
  /** A page opened as a file may not read its neighbors (https://html.spec.whatwg.org, "opaque origin"). */
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
    if (!response.ok) throw new Error(`${item.file} is not there any more`);
    return new Uint8Array(await response.arrayBuffer());
  },

  /** Calls `use(item, bytes)` in order, while the next few are on their way. */
  async fetchAll(items, use) {
    const ahead = [];
    for (let index = 0; index < items.length; index += 1) {
      while (ahead.length < Files.lanes && index + ahead.length < items.length) {
        const request = Files.fetch(items[index + ahead.length]);
        // Waited for below; until then nobody else would take its error.
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

  /** Has `link` lead to a file beside the page; where that cannot be downloaded, in another tab: the gallery stays. */
  link(link, file) {
    link.href = Contents.address(file);
    link.download = file;
    if (!Files.canRead) Object.assign(link, { target: '_blank', rel: 'noopener' });
    return link;
  },

  save(blob, name) {
    const url = URL.createObjectURL(blob);
    DOM.make('a', { href: url, download: name }).click();
    // The download has its own hold on the blob once it has begun.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },

  saveText(text, name, type) {
    Files.save(new Blob([text], { type }), name);
  },

  /** A name that every file system takes. */
  safeName: (name) => name.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]+/g, ' ').trim().slice(0, 80) || 'stickers',

  /** Elsewhere than on https and localhost there is only the old command for it. */
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
