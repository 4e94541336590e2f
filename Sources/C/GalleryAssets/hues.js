/** Decides which stickers have a given color. */
const Hues = {
  /** The choices in the grid, as [name, color]. */
  choices: [
    ['red', '#e5383b'], ['orange', '#f58a1f'], ['yellow', '#f6d02f'], ['green', '#4caf50'], ['teal', '#22b8b0'],
    ['blue', '#3a7bf0'], ['purple', '#8d58d6'], ['pink', '#f27fb2'], ['brown', '#8a5a33'], ['black', '#1d1d1f'],
    ['gray', '#8f8f94'], ['white', '#f7f7f5'],
  ],
  /** How much of the subject must have the color. */
  leastShare: 0.08,
  /**
   * Colors with less chroma than `gray` look gray. A match for any other color has at least `leastChroma`, and at least
   * `chromaShare` of its chroma.
   */
  gray: 0.035,
  leastChroma: 0.045,
  chromaShare: 0.45,
  /** The cosine of the largest difference in hue, 26 degrees. */
  leastCosine: 0.9,
  /** The largest differences in lightness, for colors and for grays. */
  lightness: 0.26,
  grayLightness: 0.17,

  isNear(wanted, chroma, lab) {
    const own = OKLab.chromaOf(lab);
    const distance = Math.abs(lab[0] - wanted[0]);
    if (chroma < Hues.gray) return own < Hues.gray && distance < Hues.grayLightness;
    return own >= Math.max(Hues.leastChroma, Hues.chromaShare * chroma) && distance < Hues.lightness && OKLab.hueProduct(lab, wanted) >= Hues.leastCosine * own * chroma;
  },

  /**
   * The share of an item's subject that is near this color, 0…1; of the whole photo if the subject's colors are unknown, or
   * with `of` = 'photo'.
   */
  share(item, hex, of = 'subject') {
    const wanted = OKLab.labOf(hex);
    const chroma = OKLab.chromaOf(wanted);
    const sample = Colors.decodeSample(item[of] ?? item.photo);
    return sample.reduce((sum, color) => sum + (Hues.isNear(wanted, chroma, OKLab.labOf(color.hex)) ? color.weight : 0), 0) / 10000;
  },
};
