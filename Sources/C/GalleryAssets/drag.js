/**
 * Lets the mouse drag stickers out of the page into other programs. The browser offers the image and its address, and this
 * class a file name. Touch screens have `LongPress` instead, because a drag would begin with one.
 */
class StickerDrag {
  /** - stickerAt: returns the sticker of an element and its image, as {item, picture}; or undefined. */
  constructor(area, stickerAt) {
    this.stickerAt = stickerAt;
    area.addEventListener('pointerdown', (event) => this.prepare(event));
    area.addEventListener('dragstart', (event) => this.start(event));
  }

  prepare({ target, pointerType }) {
    const { item, picture } = this.stickerAt(target) ?? {};
    if (!item) return;
    picture.draggable = pointerType === 'mouse';
    const address = Contents.address(item.file);
    // Other programs get the image that is dragged: it must not be the thumbnail.
    if (picture.draggable && picture.getAttribute('src') !== address) picture.src = address;
  }

  start(event) {
    const { item } = this.stickerAt(event.target) ?? {};
    if (!item) return;
    const data = event.dataTransfer;
    data.effectAllowed = 'copy';
    // WebKit offers the image only if the page sets nothing, and has no types yet.
    if (!data.types.length) return;
    const address = new URL(Contents.address(item.file), location.href).href;
    // Chromium: the file that file managers get.
    data.setData('DownloadURL', `${Files.typeOf(item)}:${Files.nameOf(item)}:${address}`);
  }
}

/** Calls `action(event)` after a long press of a finger or pen, and suppresses the browser's own reaction to it. */
class LongPress {
  static milliseconds = 450;
  static maxMovement = 10;

  /** - isWanted: whether to handle a press on this element; otherwise the browser's own menu appears. */
  constructor(area, isWanted, action) {
    this.isDone = false;
    /** Whether the last press was of a finger or pen; not every browser says so of the click that follows. */
    this.isTouch = false;
    area.addEventListener('pointerdown', (event) => {
      this.end();
      this.isDone = false;
      this.isTouch = event.pointerType !== 'mouse';
      if (!this.isTouch || !event.isPrimary || !isWanted(event.target)) return;
      this.start = event;
      this.timer = setTimeout(() => {
        this.end();
        this.isDone = true;
        action(event);
      }, LongPress.milliseconds);
    });
    area.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (this.start && Math.hypot(clientX - this.start.clientX, clientY - this.start.clientY) > LongPress.maxMovement) this.end();
    });
    for (const type of ['pointerup', 'pointercancel', 'scroll']) area.addEventListener(type, () => this.end(), { passive: true });
    area.addEventListener('contextmenu', (event) => {
      if (this.isTouch && isWanted(event.target)) event.preventDefault();
    });
    // Lifting the finger must not click as well.
    area.addEventListener('click', (event) => {
      if (!this.isDone) return;
      this.isDone = false;
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
  }

  end() {
    clearTimeout(this.timer);
    this.start = null;
  }
}
