/** The nearest names of colors, as `NamedColors` of the module PhotoColors chooses them. It gives the reasons for the limits. */
'use strict';

const Naming = (() => {
  const { labOf, chromaOf } = OKLab;

  /** Names of a list, each with its color's place. */
  const located = (list) => list.map((entry) => {
    const center = labOf(`#${entry.slice(-6)}`);
    return { name: entry.slice(0, -7), center, chroma: chromaOf(center) };
  });

  const leastTint = 0.02;

  const isOfAboutThatHue = (other, [, a, b], chroma, { leastColor, leastHueCosine }) => {
    if (other.chroma < leastTint) return chroma < leastColor;
    if (chroma < leastTint) return false;
    return a * other.center[1] + b * other.center[2] >= leastHueCosine * (chroma * other.chroma);
  };

  const nearest = (limits, hex) => {
    const center = labOf(hex);
    const chroma = chromaOf(center);
    let best = { name: '', distance: Infinity };
    for (const other of limits.named) {
      const x = center[0] - other.center[0];
      const y = center[1] - other.center[1];
      const z = center[2] - other.center[2];
      const distance = x * x + limits.tintFactor * (y * y + z * z);
      if (distance < best.distance && (center[0] >= limits.white || isOfAboutThatHue(other, center, chroma, limits))) {
        best = { name: other.name, distance };
      }
    }
    return best.name;
  };

  const spokenNames = { named: located(ColorNames.spoken), white: Infinity, leastColor: 0.025, leastHueCosine: 0.92, tintFactor: 2.5 };
  const cssNames = { named: located(ColorNames.css), white: 0.9, leastColor: 0.04, leastHueCosine: 0.766, tintFactor: 1 };

  return { spoken: (hex) => nearest(spokenNames, hex), css: (hex) => nearest(cssNames, hex) };
})();
