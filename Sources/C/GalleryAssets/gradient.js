/** A photo's gradient, with the numbers of `PhotoColorScheme.gradient`, which gives the reasons. Change both together. */
'use strict';

const Gradient = (() => {
  const { labOf, hueProduct, chromaOf, mostColorful } = OKLab;

  const lifted = ([lightness, a, b]) => {
    const step = lightness < 0.8 ? (0.8 - lightness) * 0.4 : 0;
    return [lightness + step, a * 1.15, b * 1.15];
  };

  /** Increases with the difference in hue, -2…2. */
  const angleFrom = (lead, { lab, chroma }) => {
    const turn = 1 - hueProduct(lab, lead.lab) / (chroma * lead.chroma);
    return lead.lab[1] * lab[2] - lead.lab[2] * lab[1] < 0 ? -turn : turn;
  };

  const colorfulStops = (colors) => {
    const candidates = colors.map(({ hex, weight }) => {
      const lab = labOf(hex);
      const chroma = chromaOf(lab);
      return { lab, chroma, score: chroma * Math.sqrt(Math.sqrt(weight)) };
    }).filter(({ chroma }) => chroma >= 0.04);
    if (!candidates.length) return [];
    const lead = candidates.reduce((best, color) => (color.score > best.score ? color : best));
    const stops = candidates
      .filter(({ lab, chroma }) =>
        chroma >= 0.5 * lead.chroma && hueProduct(lab, lead.lab) >= -0.5 * (chroma * lead.chroma))
      .sort((first, second) => second.score - first.score)
      .slice(0, 3)
      .map((color) => ({ lab: color.lab, angle: angleFrom(lead, color) }))
      .sort((first, second) => (first.angle === second.angle ? second.lab[0] - first.lab[0] : first.angle - second.angle))
      .map(({ lab }) => lifted(lab));
    return stops[0][0] < stops.at(-1)[0] ? stops.reverse() : stops;
  };

  const grayStops = (colors) => {
    const heaviest = colors.length === 0 ? ['#e0e0e0'] : colors.slice(0, 4).map(({ hex }) => hex);
    return heaviest
      .map((hex) => ({ hex, lab: labOf(hex) }))
      .sort((first, second) =>
        (first.lab[0] === second.lab[0] ? (first.hex < second.hex ? -1 : 1) : second.lab[0] - first.lab[0]))
      .map(({ lab }) => lifted(lab));
  };

  const mixed = (first, second, share) => {
    const mixture = first.map((value, axis) => {
      const step = (second[axis] - value) * share;
      return value + step;
    });
    const own = chromaOf(mixture);
    const wanted = chromaOf(first) + (chromaOf(second) - chromaOf(first)) * share;
    if (!(own > 1e-6)) return mixture;
    const factor = wanted / own;
    return [mixture[0], mixture[1] * factor, mixture[2] * factor];
  };

  const sloped = (stops) => {
    const [first, last] = [stops[0], stops.at(-1)];
    const missing = 0.16 - (first[0] - last[0]);
    if (!(missing > 0)) return stops;
    const lighter = [Math.min(first[0] + missing / 2, 1), first[1], first[2]];
    const darker = [Math.max(last[0] - missing / 2, 0), last[1], last[2]];
    return [lighter, ...stops.slice(1, -1), darker];
  };

  /** Always four colors, from the top leading to the bottom trailing corner. */
  const of = (colors) => {
    let stops = colorfulStops(colors);
    if (!stops.length) stops = grayStops(colors);
    if (stops.length === 1) stops = [stops[0], stops[0]];
    stops = sloped(stops);
    return [0, 1, 2, 3].map((place) => {
      const position = place * (stops.length - 1) / 3;
      const index = Math.min(Math.floor(position), stops.length - 2);
      return mostColorful(mixed(stops[index], stops[index + 1], position - index));
    });
  };

  return { of };
})();
