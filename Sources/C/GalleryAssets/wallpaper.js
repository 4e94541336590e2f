/** A sticker on its gradient, as an image of the screen's size. */
const Wallpaper = {
  /** Browsers refuse larger images; Safari on phones has the lowest limit. */
  maxPixels: 16_777_216,
  /** The largest shares of the screen's width and height that the sticker fills: phones show a clock and icons above and below. */
  fill: [0.76, 0.62],
  /** Steps between two neighbors of the gradient's four colors: canvases interpolate in sRGB, the page in OKLab. */
  steps: 12,
  /** As in the page, where the paper shows through. */
  opacity: 0.7,

  get size() {
    const size = [screen.width, screen.height].map((side) => Math.round(side * devicePixelRatio));
    const scale = Math.min(1, Math.sqrt(Wallpaper.maxPixels / (size[0] * size[1])));
    return size.map((side) => Math.max(1, Math.floor(side * scale)));
  },

  /** - colors: as `Colors.scheme` returns them. Returns a PNG. */
  async draw(item, colors, [width, height] = Wallpaper.size) {
    const blob = new Blob([await Files.fetch(item)], { type: Files.typeOf(item) });
    const sticker = await createImageBitmap(blob);
    const canvas = Picture.canvas(width, height);
    const pen = canvas.getContext('2d');
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, width, height);
    pen.globalAlpha = Wallpaper.opacity;
    pen.fillStyle = Wallpaper.gradient(pen, Colors.gradient(colors), width, height);
    pen.fillRect(0, 0, width, height);
    pen.globalAlpha = 1;

    const [across, down] = Wallpaper.fill;
    const scale = Math.min(across * width / sticker.width, down * height / sticker.height);
    const [wide, high] = [sticker.width * scale, sticker.height * scale];
    pen.imageSmoothingQuality = 'high';
    Object.assign(pen, { shadowColor: '#00000047', shadowBlur: high * 0.06, shadowOffsetY: high * 0.025 });
    pen.drawImage(sticker, (width - wide) / 2, (height - high) / 2, wide, high);
    return Picture.png(canvas);
  },

  /** From corner to corner as in CSS: the other two corners have the color in the middle. */
  gradient(pen, stops, width, height) {
    const length = width * height / (width * width + height * height);
    const [x, y] = [height * length, width * length];
    const gradient = pen.createLinearGradient(width / 2 - x, height / 2 - y, width / 2 + x, height / 2 + y);
    const labs = stops.map(OKLab.labOf);
    const last = (labs.length - 1) * Wallpaper.steps;
    for (let step = 0; step <= last; step += 1) {
      const index = Math.min(Math.floor(step / Wallpaper.steps), labs.length - 2);
      const share = step / Wallpaper.steps - index;
      const lab = labs[index].map((value, axis) => value + (labs[index + 1][axis] - value) * share);
      gradient.addColorStop(step / last, OKLab.hexOfLab(lab));
    }
    return gradient;
  },

  /** Returns the message to show: {text, isTrouble}. */
  async save(item, colors) {
    if (!Files.canRead) return { text: 'Browsers do not let a local file read images. Serve this folder to save wallpapers.', isTrouble: true };
    try {
      const size = Wallpaper.size;
      Files.save(await Wallpaper.draw(item, colors, size), `${Files.safeName(item.name, 'sticker')} wallpaper.png`);
      return { text: `Saved a wallpaper of ${size.join(' × ')} pixels`, isTrouble: false };
    } catch (error) {
      return { text: `The wallpaper could not be made: ${error.message}`, isTrouble: true };
    }
  },
};
