/**
 * OKLab as in the module PhotoColors: the same steps with the same numbers. Roots are computed by basic arithmetic, which
 * rounds the same on every machine; Math.pow and Math.cbrt do not.
 */
'use strict';

const OKLab = (() => {
  // Roots.

  const cubeRoot = (value) => {
    if (!(value > 0)) return 0;
    let rest = value;
    let scale = 1;
    while (rest < 0.125) {
      rest *= 8;
      scale *= 0.5;
    }
    let root = 0.43 + 0.57 * rest;
    for (let round = 0; round < 3; round += 1) {
      const cubed = root * root * root;
      root = root * (cubed + rest + rest) / (cubed + cubed + rest);
    }
    return root * scale;
  };

  const fifthRoot = (value) => {
    let root = 1;
    for (let round = 0; round < 16; round += 1) {
      const squared = root * root;
      root = (4 * root + value / (squared * squared)) / 5;
    }
    return root;
  };

  // sRGB, linear light, OKLab.

  const hexOf = (bytes) => `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

  const decoded = Array.from({ length: 256 }, (_, byte) => {
    const value = byte / 255;
    if (value <= 0.04045) return value / 12.92;
    const base = (value + 0.055) / 1.055;
    return base * base * fifthRoot(base * base);
  });
  const lightOf = (hex) => [1, 3, 5].map((start) => decoded[parseInt(hex.slice(start, start + 2), 16)]);

  const encoded = (light) => {
    if (light <= 0) return 0;
    if (light >= 1) return 255;
    if (light <= 0.0031308) return Math.floor(12.92 * light * 255 + 0.5);
    const root = cubeRoot(Math.sqrt(Math.sqrt(light)));
    const squared = root * root;
    return Math.floor((1.055 * (squared * squared * root) - 0.055) * 255 + 0.5);
  };
  const hexOfLight = (light) => hexOf(light.map(encoded));

  const labOf = (hex) => {
    const [red, green, blue] = lightOf(hex);
    const long = cubeRoot(0.412221469470763 * red + 0.5363325372617348 * green + 0.0514459932675022 * blue);
    const medium = cubeRoot(0.2119034958178252 * red + 0.6806995506452344 * green + 0.1073969535369405 * blue);
    const short = cubeRoot(0.0883024591900564 * red + 0.2817188391361215 * green + 0.6299787016738222 * blue);
    return [
      0.210454268309314 * long + 0.7936177747023054 * medium - 0.0040720430116193 * short,
      1.9779985324311684 * long - 2.42859224204858 * medium + 0.450593709617411 * short,
      0.0259040424655478 * long + 0.7827717124575296 * medium - 0.8086757549230774 * short,
    ];
  };

  const cube = (value) => value * value * value;
  const lightOfLab = ([lightness, a, b]) => {
    const long = cube(lightness + 0.3963377773761749 * a + 0.2158037573099136 * b);
    const medium = cube(lightness - 0.1055613458156586 * a - 0.0638541728258133 * b);
    const short = cube(lightness - 0.0894841775298119 * a - 1.2914855480194092 * b);
    return [
      4.076741636075957 * long - 3.307711539258062 * medium + 0.2309699031821044 * short,
      -1.2684379732850317 * long + 2.6097573492876887 * medium - 0.3413193760026573 * short,
      -0.0041960761386756 * long - 0.7034186179359362 * medium + 1.7076146940746117 * short,
    ];
  };
  const hexOfLab = (lab) => hexOfLight(lightOfLab(lab));

  const squaredDistance = (first, second) => {
    const x = first[0] - second[0];
    const y = first[1] - second[1];
    const z = first[2] - second[2];
    return x * x + y * y + z * z;
  };

  const hueProduct = ([, a, b], [, otherA, otherB]) => a * otherA + b * otherB;

  const chromaOf = ([, a, b]) => Math.sqrt(a * a + b * b);

  const isDisplayable = (light) => light.every((value) => value >= -1e-6 && value <= 1 + 1e-6);

  /** The color of the same lightness and hue with as much of the chroma as sRGB can show. */
  const mostColorful = ([lightness, a, b]) => {
    const reduced = (share) => lightOfLab([lightness, a * share, b * share]);
    if (isDisplayable(reduced(1))) return hexOfLight(reduced(1));
    let inside = 0;
    let outside = 1;
    for (let round = 0; round < 24; round += 1) {
      const middle = (inside + outside) / 2;
      if (isDisplayable(reduced(middle))) inside = middle;
      else outside = middle;
    }
    return hexOfLight(reduced(inside));
  };

  return { cubeRoot, lightOf, labOf, hexOfLab, squaredDistance, hueProduct, chromaOf, mostColorful };
})();
