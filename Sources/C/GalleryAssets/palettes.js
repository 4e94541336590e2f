/**
 * The palette formats of the daemon that are not in `colors.js`, byte for byte as the module PhotoColors writes them. Change
 * both together; Tests/Palettes compares them.
 */
'use strict';

const Palettes = (() => {
  // Text.

  /** As `PaletteName.shown`: on one line, and without marks that change the text's direction. */
  const shown = (name) => [...name].slice(0, 100)
    .map((scalar) => (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u.test(scalar) ? '\ufffd' : scalar)).join('');

  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

  /** Exactly this many digits after the point; halves are rounded up. */
  const decimals = (value, digits) => {
    const scale = 10 ** digits;
    const scaled = Math.floor(Math.abs(value) * scale + 0.5);
    const sign = value < 0 && scaled > 0 ? '-' : '';
    if (digits === 0) return `${sign}${scaled}`;
    return `${sign}${Math.floor(scaled / scale)}.${String(scaled % scale).padStart(digits, '0')}`;
  };
  const percent = (weight) => `${decimals(weight * 100, 2)}%`;

  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

  const gpl = (facts, name) => {
    const line = (hex, text) => `${channels(hex).map((channel) => String(channel).padStart(3)).join(' ')}\t${text}`;
    return [
      'GIMP Palette', `Name: ${shown(name)}`, `Columns: ${facts.length}`, '#',
      ...facts.map((color) => line(color.hex, `${color.name} ${percent(color.weight)}`)),
      ...facts.map((color) => line(color.complement, `complement of ${color.name}`)), '',
    ].join('\n');
  };

  const text = (facts, name) => {
    const width = Math.max(0, ...facts.map((color) => color.name.length));
    const lines = facts.map((color) =>
      `  ${color.hex}  ${color.name.padEnd(width)}  ${percent(color.weight).padStart(7)}  complement ${color.complement}\n`);
    return `${shown(name)}\n${lines.join('')}`;
  };

  // Adobe Swatch Exchange, big-endian.

  const number = (value, bytes) => Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 255);

  const float = (value) => {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, value);
    return [...new Uint8Array(view.buffer)];
  };

  const ase = (facts, name) => {
    const units = (value) => [...Array(value.length).keys()].flatMap((index) => number(value.charCodeAt(index), 2));
    const label = (value) => [...number(value.length + 1, 2), ...units(value), 0, 0];
    const block = (kind, content) => [...number(kind, 2), ...number(content.length, 4), ...content];
    const group = (title, colors) => [
      block(0xc001, label(title)),
      ...colors.map(([color, hex]) => block(0x0001, [
        ...label(color), ...[...'RGB '].map((letter) => letter.charCodeAt(0)),
        // The daemon computes with 32-bit floats.
        ...channels(hex).flatMap((channel) => float(Math.fround(channel / 255))), 0, 0,
      ])),
      block(0xc002, []),
    ];
    const blocks = [
      ...group(shown(name), facts.map((color) => [`${color.name} ${percent(color.weight)}`, color.hex])),
      ...group(`${shown(name)}, complements`, facts.map((color) => [`complement of ${color.name}`, color.complement])),
    ];
    return Uint8Array.from(
      [0x41, 0x53, 0x45, 0x46, ...number(1, 2), ...number(0, 2), ...number(blocks.length, 4), ...blocks.flat()]);
  };

  // The wheel.

  const center = { x: 400, y: 372 };
  const rings = { colors: [196, 320], complements: [128, 188] };
  const wheelWidth = 800;
  const [listTop, lineHeight] = [752, 44];
  const leastLabelled = 0.07;
  const paper = '#fcfcfb';
  const ink = '#232326';

  const wheelHeight = (count) => listTop + Math.max(count, 1) * lineHeight + 28;

  const position = (turn, radius) => {
    const angle = turn * 2 * Math.PI;
    return [center.x + radius * Math.sin(angle), center.y - radius * Math.cos(angle)];
  };
  const point = (turn, radius) => position(turn, radius).map((value) => decimals(value, 2)).join(' ');

  const label = (content, x, y, fill, attributes = '') =>
    `<text x="${decimals(x, 1)}" y="${decimals(y, 1)}" font-size="19" fill="${fill}" ${attributes}>${content}</text>`;

  const wedge = (hex, start, share, [inner, outer], title) => {
    const parts = share > 0.9999 ? [[start, start + 0.5], [start + 0.5, start + 1]] : [[start, start + share]];
    const path = parts.map(([from, to]) => {
      const large = to - from > 0.5 ? 1 : 0;
      return `M${point(from, outer)} A${outer} ${outer} 0 ${large} 1 ${point(to, outer)} `
        + `L${point(to, inner)} A${inner} ${inner} 0 ${large} 0 ${point(from, inner)} Z`;
    });
    return `<path d="${path.join(' ')}" fill="${hex}" stroke="${share > 0.9999 ? hex : paper}" stroke-width="3" `
      + `stroke-linejoin="round"><title>${title}</title></path>`;
  };

  /** By hue; colors with almost no chroma come last, light before dark. */
  const byHue = (first, second) => {
    const [a, b] = [first.oklch, second.oklch];
    const [isGray, isOtherGray] = [a.chroma < 0.02, b.chroma < 0.02];
    if (isGray !== isOtherGray) return isGray ? 1 : -1;
    const difference = isGray ? b.lightness - a.lightness : a.hue - b.hue;
    return difference || (first.hex < second.hex ? -1 : 1);
  };

  const wedges = (facts) => {
    const [shapes, labels] = [[], []];
    let start = 0;
    for (const color of [...facts].sort(byHue)) {
      const { hex, complement, name, weight } = color;
      shapes.push(
        wedge(hex, start, weight, rings.colors, `${name} ${hex} ${percent(weight)}`),
        wedge(complement, start + 0.5, weight, rings.complements, `complement of ${name} ${complement}`));
      if (weight >= leastLabelled) {
        const [x, y] = position(start + weight / 2, (rings.colors[0] + rings.colors[1]) / 2);
        const fill = color.contrast.white >= color.contrast.black ? '#ffffff' : '#000000';
        labels.push(label(hex, x, y + 6, fill, 'text-anchor="middle"'));
      }
      start += weight;
    }
    return [...shapes, ...labels];
  };

  const dot = (hex, x, y, radius) =>
    `<circle cx="${x}" cy="${decimals(y, 0)}" r="${radius}" fill="${hex}" stroke="${ink}" stroke-opacity="0.15"/>`;

  const legend = (facts) => facts.map(({ hex, complement, name, weight }, index) => {
    const y = listTop + index * lineHeight;
    return dot(hex, 150, y, 15) + dot(complement, 176, y, 9) + label(hex, 208, y + 6, ink)
      + label(name, 320, y + 6, '#6a6a70') + label(percent(weight), 650, y + 6, ink, 'text-anchor="end"');
  });

  const svg = (facts, gradient, name) => {
    const stops = gradient.map((hex, index) => `<stop offset="${decimals(index / 3, 4)}" stop-color="${hex}"/>`);
    const description = facts.map((color) => `${color.name} ${color.hex} ${percent(color.weight)}`).join(', ');
    const size = `viewBox="0 0 ${wheelWidth} ${wheelHeight(facts.length)}" width="${wheelWidth}" height="${wheelHeight(facts.length)}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title description" `
      + `font-family="system-ui, 'Helvetica Neue', Arial, sans-serif">
<title id="title">The colors of ${escaped(shown(name))}</title>
<desc id="description">${description || 'No colors'}</desc>
<defs><linearGradient id="gradient" x1="0" y1="0" x2="1" y2="1">${stops.join('')}</linearGradient></defs>
<rect width="100%" height="100%" rx="28" fill="${paper}"/>
${[...wedges(facts), `<circle cx="${center.x}" cy="${center.y}" r="112" fill="url(#gradient)"/>`, ...legend(facts)].join('\n')}
</svg>
`;
  };

  return { gpl, text, ase, svg, wheelWidth, wheelHeight };
})();
