/**
 * The colors of a photo, computed from the sample in the page as the daemon computes them from the same sample: the
 * steps of the module PhotoColors in the same order and with the same numbers. Change both together; Tests/Palettes
 * compares them. Roots are computed by basic arithmetic, which rounds the same on every machine; Math.pow and Math.cbrt
 * do not.
 */
'use strict';

const Colors = (() => {
  const maxEntries = 24;
  const whole = 10000;
  /** Colors that are closer than this look the same. */
  const sameColor = 0.02;

  // CSS Color 4's names without the synonyms: cyan, magenta and the spellings with "grey".
  const names = (
    'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 ' +
    'black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue ' +
    '5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c ' +
    'darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkkhaki bdb76b ' +
    'darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon ' +
    'e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 ' +
    'deeppink ff1493 deepskyblue 00bfff dimgray 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 ' +
    'forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray ' +
    '808080 green 008000 greenyellow adff2f honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory ' +
    'fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue ' +
    'add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 ' +
    'lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 ' +
    'lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 maroon 800000 ' +
    'mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370d8 mediumseagreen 3cb371 ' +
    'mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue ' +
    '191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive ' +
    '808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 ' +
    'paleturquoise afeeee palevioletred d87093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum ' +
    'dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 ' +
    'saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver ' +
    'c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan ' +
    'd2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff ' +
    'whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32'
  ).split(' ');

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

  // Samples and schemes.

  /** Largest weight first; for equal weights the smaller hex first. */
  const byWeight = (first, second) =>
    first.weight === second.weight ? (first.hex < second.hex ? -1 : 1) : second.weight - first.weight;

  /** [{hex, weight}] with weights in 1/10,000; empty if the text is not a sample. */
  const decodeSample = (text) => {
    const entries = /^(?:[0-9a-f]{10})+$/.test(text ?? '') ? text.match(/.{10}/g) : [];
    const sample = entries.map((entry) => ({
      hex: `#${entry.slice(0, 6)}`, weight: parseInt(entry.slice(6), 16),
    }));
    const sum = sample.reduce((total, { weight }) => total + weight, 0);
    return sample.length <= maxEntries && sum === whole ? sample : [];
  };

  const join = (clusters, first, second) => {
    const weight = clusters[first].weight + clusters[second].weight;
    const share = clusters[second].weight / weight;
    const center = clusters[first].center.map((value, axis) => {
      const step = (clusters[second].center[axis] - value) * share;
      return value + step;
    });
    clusters[first] = { center, weight };
    clusters.splice(second, 1);
  };

  /** Merges colors that look the same, then by Ward's criterion, until there are `count`. */
  const agglomerate = (clusters, count) => {
    while (clusters.length > 1) {
      let nearest = { first: 0, second: 1, distance: Infinity };
      let cheapest = { first: 0, second: 1, cost: Infinity };
      for (let first = 0; first < clusters.length; first += 1) {
        for (let second = first + 1; second < clusters.length; second += 1) {
          const distance = squaredDistance(clusters[first].center, clusters[second].center);
          const a = clusters[first].weight;
          const b = clusters[second].weight;
          const cost = a * b / (a + b) * distance;
          if (distance < nearest.distance) nearest = { first, second, distance };
          if (cost < cheapest.cost) cheapest = { first, second, cost };
        }
      }
      if (nearest.distance < sameColor * sameColor) join(clusters, nearest.first, nearest.second);
      else if (clusters.length > count) join(clusters, cheapest.first, cheapest.second);
      else return;
    }
  };

  /** At most `count` (3…10) of [{hex, weight}], weights 0…1, of a decoded sample. */
  const scheme = (sample, count) => {
    const clusters = sample.map(({ hex, weight }) => ({ center: labOf(hex), weight }));
    agglomerate(clusters, count);
    return clusters
      .map(({ center, weight }) => ({ hex: hexOfLab(center), weight }))
      .sort(byWeight)
      .map(({ hex, weight }) => ({ hex, weight: weight / whole }));
  };

  /** Always four colors, from the top leading to the bottom trailing corner. */
  const gradient = (colors) => {
    const heaviest = colors.length === 0 ? ['#e0e0e0'] : colors.slice(0, 4).map(({ hex }) => hex);
    let stops = heaviest
      .map((hex) => ({ hex, lab: labOf(hex) }))
      .sort((a, b) => (a.lab[0] === b.lab[0] ? (a.hex < b.hex ? -1 : 1) : b.lab[0] - a.lab[0]))
      .map(({ lab }) => lab);
    if (stops.length === 1) {
      const [[lightness, a, b]] = stops;
      stops = [[Math.min(lightness + 0.08, 1), a, b], [Math.max(lightness - 0.08, 0), a, b]];
    }
    return [0, 1, 2, 3].map((place) => {
      const position = place * (stops.length - 1) / 3;
      const index = Math.min(Math.floor(position), stops.length - 2);
      return hexOfLab(stops[index].map((value, axis) => {
        const step = (stops[index + 1][axis] - value) * (position - index);
        return value + step;
      }));
    });
  };

  // Facts.

  const isGray = (hex) => hex.slice(1, 3) === hex.slice(3, 5) && hex.slice(3, 5) === hex.slice(5);

  const chromaOf = ([, a, b]) => Math.sqrt(a * a + b * b);

  const named = names.filter((_, index) => index % 2 === 0).map((name, index) => {
    const center = labOf(`#${names[2 * index + 1]}`);
    return { name, center, chroma: chromaOf(center) };
  });

  /** The same limits as in `CSSColorName`, which gives the reasons. */
  const leastTint = 0.02;
  const leastColor = 0.04;
  const white = 0.9;
  const leastHueCosine = 0.766;

  const isOfAboutThatHue = (other, [, a, b], chroma) => {
    if (other.chroma < leastTint) return chroma < leastColor;
    if (chroma < leastTint) return false;
    return a * other.center[1] + b * other.center[2] >= leastHueCosine * (chroma * other.chroma);
  };

  const nameOf = (hex) => {
    const center = labOf(hex);
    const chroma = chromaOf(center);
    let best = { name: '', distance: Infinity };
    for (const other of named) {
      if (center[0] < white && !isOfAboutThatHue(other, center, chroma)) continue;
      const distance = squaredDistance(center, other.center);
      if (distance < best.distance) best = { name: other.name, distance };
    }
    return best.name;
  };

  const isDisplayable = (light) => light.every((value) => value >= -1e-6 && value <= 1 + 1e-6);

  const complement = (hex) => {
    if (isGray(hex)) return hex;
    const [lightness, a, b] = labOf(hex);
    const opposite = (share) => lightOfLab([lightness, -a * share, -b * share]);
    if (isDisplayable(opposite(1))) return hexOfLight(opposite(1));
    let inside = 0;
    let outside = 1;
    for (let round = 0; round < 24; round += 1) {
      const middle = (inside + outside) / 2;
      if (isDisplayable(opposite(middle))) inside = middle;
      else outside = middle;
    }
    return hexOfLight(opposite(inside));
  };

  const oklch = (hex) => {
    const [x, a, b] = labOf(hex);
    const lightness = Math.floor(x * 10000 + 0.5) / 10000;
    if (isGray(hex)) return { lightness, chroma: 0, hue: 0 };
    const degrees = Math.atan2(b, a) * 180 / Math.PI;
    const tenths = Math.floor((degrees < 0 ? degrees + 360 : degrees) * 10 + 0.5);
    return {
      lightness,
      chroma: Math.floor(Math.sqrt(a * a + b * b) * 10000 + 0.5) / 10000,
      hue: tenths >= 3600 ? 0 : tenths / 10,
    };
  };

  const roundedDown = (ratio) => Math.floor(ratio * 100 + 1e-6) / 100;
  const contrast = (hex) => {
    const [red, green, blue] = lightOf(hex);
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return { white: roundedDown(1.05 / (luminance + 0.05)), black: roundedDown((luminance + 0.05) / 0.05) };
  };

  /** A color's entry in pack.json. */
  const facts = (hex, weight) => ({
    hex, weight, name: nameOf(hex), oklch: oklch(hex), contrast: contrast(hex), complement: complement(hex),
  });

  // CSS.

  /** A text reduced to lower-case ASCII letters, digits and single hyphens. */
  const identifier = (text) => {
    let result = '';
    for (const character of text) {
      if (result.length >= 40) break;
      if (/^[a-z0-9]$/.test(character)) result += character;
      else if (/^[A-Z]$/.test(character)) result += character.toLowerCase();
      else if (result !== '' && !result.endsWith('-')) result += '-';
    }
    return result.replace(/-$/, '') || 'photo';
  };

  const percent = (weight) => {
    const hundredths = Math.round(weight * 10000);
    return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}%`;
  };

  /** The text of the palette format "css" for a scheme and a photo's name. */
  const css = (colors, name) => {
    const prefix = `--${identifier(name)}`;
    const lines = colors.flatMap(({ hex, weight }, index) => [
      `  ${prefix}-${index + 1}: ${hex}; /* ${nameOf(hex)}, ${percent(weight)} */`,
      `  ${prefix}-${index + 1}-complement: ${complement(hex)};`,
    ]);
    return [
      '/* The colors of a photo, heaviest first, each with its complement. */', ':root {', ...lines,
      `  ${prefix}-gradient: linear-gradient(to bottom right, ${gradient(colors).join(', ')});`, '}', '',
    ].join('\n');
  };

  // Design tokens.

  const rounded = (value) => Math.round(value * 10000) / 10000;

  const tokenValue = (hex) => ({
    colorSpace: 'srgb', components: [1, 3, 5].map((at) => rounded(parseInt(hex.slice(at, at + 2), 16) / 255)), alpha: 1, hex,
  });

  const tokenGroup = (colors, name) => ({
    $type: 'color',
    $description: `The colors of ${name}, heaviest first`,
    ...Object.fromEntries(colors.flatMap(({ hex, weight }, index) => {
      const { name: color, oklch: place, contrast: ratio, complement: opposite } = facts(hex, weight);
      const about = { weight: rounded(weight), name: color, oklch: place, contrast: ratio };
      return [
        [`color-${index + 1}`, {
          $value: tokenValue(hex), $description: `${color}, ${percent(weight)}`, $extensions: { stickerd: about },
        }],
        [`color-${index + 1}-complement`, { $value: tokenValue(opposite), $description: `complement of ${color}` }],
      ];
    })),
    gradient: {
      $type: 'gradient', $description: 'from the top leading to the bottom trailing corner',
      $value: gradient(colors).map((hex, index) => ({ color: tokenValue(hex), position: rounded(index / 3) })),
    },
  });

  /** Schemes in the palette format "json", with each one's photo name: one group per scheme. */
  const tokens = (entries) => {
    const groups = {};
    for (const { colors, name } of entries) {
      const key = identifier(name);
      let free = key;
      for (let number = 2; free in groups; number += 1) free = `${key}-${number}`;
      groups[free] = tokenGroup(colors, name);
    }
    return `${JSON.stringify(groups, null, 2)}\n`;
  };

  return { decodeSample, scheme, facts, gradient, css, tokens };
})();
