/** Saves files, and shares them with other apps. */
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
    const names = new Set();
    await Files.fetchAll(items, (item, bytes) => files.push(Files.file(item, bytes, names)));
    await navigator.share({ files });
  },

  /** - names: the lowercase names of the other files; this file's is added. */
  file(item, bytes, names = new Set()) {
    let name = Files.nameOf(item);
    for (let number = 2; names.has(name.toLowerCase()); number += 1) name = Files.nameOf(item, ` ${number}`);
    names.add(name.toLowerCase());
    return new File([bytes], name, { type: Files.typeOf(item) });
  },

  /** The sticker's name with its file's extension, without the digits that make file names in the pack unique. */
  nameOf(item, ending = '') {
    return `${Files.safeName(item.name, 'sticker')}${ending}.${item.file.slice(item.file.lastIndexOf('.') + 1)}`;
  },

  /** Links to a sticker's file; if it cannot be downloaded, in another tab, so that the gallery stays open. */
  link(link, item) {
    if (!Files.canRead) Object.assign(link, { target: '_blank', rel: 'noopener' });
    return Files.offer(link, Contents.address(item.file), Files.nameOf(item));
  },

  /** Links to a file to download. A page opened as a file cannot choose its name, and WebKit warns if it tries. */
  offer: (link, href, name) => Object.assign(link, Files.canRead ? { href, download: name } : { href }),

  save(blob, name) {
    const url = URL.createObjectURL(blob);
    DOM.make('a', { href: url, download: name }).click();
    // A download that has begun keeps its own reference to the blob.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },

  saveText(text, name, type) {
    Files.save(new Blob([text], { type }), name);
  },

  maxName: 80,

  /**
   * A name that is valid on every file system, without marks that change the text's direction: they could make a file's
   * extension look like another.
   */
  safeName(name, otherwise = 'stickers') {
    const safe = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\\/:*?"<>|]+/gu, ' ').trim();
    return [...safe].slice(0, Files.maxName).join('').trim() || otherwise;
  },
};
