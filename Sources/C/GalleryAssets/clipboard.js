/** Copies stickers as images and colors as text. */
const Clipboard = {
  /** The only image type that every browser can write to the clipboard. */
  type: 'image/png',

  /** Why this page cannot copy images, as a sentence; empty if it can. */
  get obstacle() {
    const instead = DOM.hasMouse()
      ? 'Right-click the sticker and choose “Copy image” instead.' : 'Touch and hold the sticker, and copy it from the menu instead.';
    if (!Files.canRead) return `Browsers do not let a local file read images. ${instead}`;
    if (!globalThis.ClipboardItem || !navigator.clipboard?.write) {
      return `This browser copies images only from pages on https or localhost. ${instead}`;
    }
    return '';
  },

  /** Returns the message to show: {text, isTrouble}. */
  async copySticker(item) {
    if (Clipboard.obstacle) return { text: Clipboard.obstacle, isTrouble: true };
    try {
      // Pass the promise itself: if the page awaited the image first, Safari would reject the copy, because it no longer
      // belongs to the click.
      await navigator.clipboard.write([new ClipboardItem({ [Clipboard.type]: Clipboard.picture(item) })]);
      return { text: `Copied “${item.name}” as an image`, isTrouble: false };
    } catch (error) {
      if (error.name === 'NotAllowedError') return { text: 'This browser does not let the page use the clipboard.', isTrouble: true };
      return { text: `The sticker could not be copied: ${error.message}`, isTrouble: true };
    }
  },

  /** The sticker as a PNG; a WebP is converted. */
  async picture(item) {
    const blob = new Blob([await Files.fetch(item)], { type: Files.typeOf(item) });
    if (blob.type === Clipboard.type) return blob;
    const bitmap = await createImageBitmap(blob);
    const canvas = Picture.canvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return Picture.png(canvas);
  },

  /** Copies text. Except on https and localhost, only the old copy command is available. */
  async copyText(text) {
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

/** Images that the page draws itself. */
const Picture = {
  canvas: (width, height) => Object.assign(document.createElement('canvas'), { width, height }),

  png(canvas) {
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the image is too large for this browser'))), 'image/png');
    });
  },
};
