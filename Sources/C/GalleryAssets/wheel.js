/** A scheme as a wheel: outside, a wedge per color in proportion to its weight; inside, its complement opposite it. */
const Wheel = {
  size: 240,
  /** Radii in the wheel's own units. */
  rings: { colors: [70, 116], complements: [34, 64] },

  draw(scheme, facts) {
    const half = Wheel.size / 2;
    const wheel = DOM.svg('svg', {
      viewBox: `${-half} ${-half} ${Wheel.size} ${Wheel.size}`, role: 'img', class: 'wheel',
      'aria-label': `Color wheel: ${facts.map((color) => `${color.name} ${Format.percent(color.weight)}`).join(', ')}`,
    });
    const total = scheme.reduce((sum, color) => sum + color.weight, 0) || 1;
    let start = 0;
    for (const color of facts) {
      const end = start + color.weight / total;
      wheel.append(
        Wheel.wedge(Wheel.rings.colors, start, end, color.hex, `${color.name} ${color.hex}`),
        Wheel.wedge(Wheel.rings.complements, start + 0.5, end + 0.5, color.complement, `Opposite: ${color.complement}`));
      start = end;
    }
    return wheel;
  },

  /** From one angle to another, in turns (0 is up, clockwise). */
  wedge([inner, outer], start, end, fill, title) {
    const label = DOM.svg('title', {}, title);
    if (end - start > 0.9999) {
      const radius = (inner + outer) / 2;
      return DOM.svg('circle', { r: radius, fill: 'none', stroke: fill, 'stroke-width': outer - inner }, label);
    }
    const point = (radius, turn) => {
      const angle = (turn - 0.25) * 2 * Math.PI;
      return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
    };
    const long = end - start > 0.5 ? 1 : 0;
    const path = `M${point(outer, start)} A${outer} ${outer} 0 ${long} 1 ${point(outer, end)} `
      + `L${point(inner, end)} A${inner} ${inner} 0 ${long} 0 ${point(inner, start)} Z`;
    return DOM.svg('path', { d: path, fill }, label);
  },
};
