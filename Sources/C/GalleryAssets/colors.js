/**
 * The colors of a photo, computed from the sample in the page as the daemon computes them from the same sample: the
 * steps of the module PhotoColors in the same order and with the same numbers. Change both together; Tests/Palettes
 * compares them.
 */
'use strict';

const Colors = (() => {
  const { lightOf, labOf, mostColorful } = OKLab;
  const gradient = Gradient.of;

  const maxEntries = 24;
  const whole = 10000;

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

  /** At most `count` (3…10) of [{hex, weight}], weights 0…1, of a decoded sample. */
  const scheme = (sample, count) => Clusters.of(sample, count, whole)
    .sort(byWeight)
    .map(({ hex, weight }) => ({ hex, weight: weight / whole }));

  // Facts.

  const isGray = (hex) => hex.slice(1, 3) === hex.slice(3, 5) && hex.slice(3, 5) === hex.slice(5);

  const complement = (hex) => {
    if (isGray(hex)) return hex;
    const [lightness, a, b] = labOf(hex);
    return mostColorful([lightness, -a, -b]);
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
    hex, weight, name: Naming.spoken(hex), oklch: oklch(hex), contrast: contrast(hex), complement: complement(hex),
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
      `  ${prefix}-${index + 1}: ${hex}; /* ${Naming.css(hex)}, ${percent(weight)} */`,
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
      for (let number = 2; Object.hasOwn(groups, free); number += 1) free = `${key}-${number}`;
      groups[free] = tokenGroup(colors, name);
    }
    return `${JSON.stringify(groups, null, 2)}\n`;
  };

  return { decodeSample, scheme, facts, gradient, css, tokens };
})();
