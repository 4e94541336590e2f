/**
 * The clusters that schemes show: `ColorCluster` and `ColorAccent` of the module PhotoColors, which give the reasons. Change
 * both together.
 */
'use strict';

const Clusters = (() => {
  const { labOf, hexOfLab, squaredDistance, hueProduct, chromaOf } = OKLab;

  /** Of [{place, weight}]. */
  const meanOf = (colors) => {
    const sum = [0, 0, 0];
    let weight = 0;
    for (const color of colors) {
      for (const axis of [0, 1, 2]) sum[axis] += color.place[axis] * color.weight;
      weight += color.weight;
    }
    return { place: sum.map((value) => value / weight), weight };
  };

  const firstOf = (colors, weight) => {
    let left = weight;
    const found = [];
    for (const color of colors) {
      if (!(left > 0)) break;
      found.push({ place: color.place, weight: Math.min(color.weight, left) });
      left -= color.weight;
    }
    return found;
  };

  const cluster = (colors, isAccent = false) => {
    const members = colors.map((color) => ({ color, chroma: chromaOf(color.place) }))
      .sort((first, second) => second.chroma - first.chroma).map(({ color }) => color);
    const mean = meanOf(members);
    const vivid = meanOf(firstOf(members, 0.3 * mean.weight));
    const chroma = chromaOf(mean.place);
    const share = isAccent ? 1 : Math.min(Math.max((chroma - 0.04) / (0.08 - 0.04), 0), 1);
    const shown = hexOfLab(mean.place.map((value, axis) => {
      const step = (vivid.place[axis] - value) * share;
      return value + step;
    }));
    return { members, isAccent, mean, chroma, shown, name: Naming.spoken(shown), look: ColorDifference.cielabOf(shown) };
  };

  const isLike = (first, second) => first.name === second.name || ColorDifference.between(first.look, second.look) < 10.01;

  const cheapest = (clusters, canMerge) => {
    let best;
    for (let first = 0; first < clusters.length; first += 1) {
      for (let second = first + 1; second < clusters.length; second += 1) {
        const a = clusters[first].mean;
        const b = clusters[second].mean;
        const cost = a.weight * b.weight / (a.weight + b.weight) * squaredDistance(a.place, b.place);
        if (cost < (best?.cost ?? Infinity) && canMerge(clusters[first], clusters[second])) best = { first, second, cost };
      }
    }
    return best;
  };

  const agglomerated = (colors, count) => {
    const clusters = [...colors];
    for (;;) {
      const pair = cheapest(clusters, isLike)
        ?? (clusters.length > count ? cheapest(clusters, (first, second) => !first.isAccent && !second.isAccent) : undefined);
      if (!pair) return clusters;
      const [first, second] = [clusters[pair.first], clusters[pair.second]];
      clusters[pair.first] = cluster([...first.members, ...second.members], first.isAccent || second.isAccent);
      clusters.splice(pair.second, 1);
    }
  };

  const isListed = (color, place) => {
    const product = hueProduct(color.mean.place, place);
    return product >= 0.6 * (color.chroma * color.chroma) && product >= 0.87 * (color.chroma * chromaOf(place));
  };
  const isShade = (other, color) => !other.isAccent && squaredDistance(other.mean.place, color.mean.place) < 0.08 * 0.08;

  const greatestChroma = (cluster) => chromaOf(cluster.members[0].place);

  /**
   * - whole: the weight of the sample.
   * - most: the places for accents.
   * Returns the clusters with a new accent; undefined if none is missing, or all accents are more colorful.
   */
  const separated = (clusters, listed, whole, most) => {
    const places = listed.map(({ shown }) => labOf(shown));
    const weightOf = (colors) => colors.reduce((sum, { mean }) => sum + mean.weight, 0);
    const missing = clusters.filter((color) => !color.isAccent && color.chroma >= 0.08
      && !places.some((place) => isListed(color, place))
      && weightOf(clusters.filter((other) => isShade(other, color))) >= 0.008 * whole);
    if (!missing.length) return undefined;
    const accent = missing.reduce((best, color) => (greatestChroma(color) > greatestChroma(best) ? color : best));
    let others = clusters;
    const accents = clusters.filter(({ isAccent }) => isAccent);
    if (accents.length === most) {
      const least = accents.reduce((best, other) => (greatestChroma(other) < greatestChroma(best) ? other : best));
      if (greatestChroma(least) >= greatestChroma(accent)) return undefined;
      others = [...clusters.filter((other) => other !== least), ...least.members.map((color) => cluster([color]))];
    }
    const shades = others.filter((other) => isShade(other, accent));
    return [...others.filter((other) => !isShade(other, accent)), cluster(shades.flatMap(({ members }) => members), true)];
  };

  /** At most `count` of [{hex, weight}] with weights of this sum. */
  const of = (colors, count, whole) => {
    let clusters = colors.map(({ hex, weight }) => cluster([{ place: labOf(hex), weight }]));
    for (;;) {
      const listed = agglomerated(clusters, count);
      const more = separated(clusters, listed, whole, count - 1);
      if (!more) return listed.map(({ shown, mean }) => ({ hex: shown, weight: mean.weight }));
      clusters = more;
    }
  };

  return { of };
})();
