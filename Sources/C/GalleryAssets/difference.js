/** CIELAB and CIEDE2000 as in `CIELab` of the module PhotoColors, which has the source: the same steps with the same numbers. */
'use strict';

const ColorDifference = (() => {
  const { lightOf, cubeRoot } = OKLab;

  /** [lightness, a, b]. */
  const cielabOf = (hex) => {
    const light = lightOf(hex);
    const root = (red, green, blue) => {
      const value = red * light[0] + green * light[1] + blue * light[2];
      return value > 216 / 24389 ? cubeRoot(value) : (24389 / 27 * value + 16) / 116;
    };
    const x = root(0.4339499, 0.3762098, 0.1898403);
    const y = root(0.2126729, 0.7151522, 0.0721749);
    const z = root(0.0177566, 0.1094680, 0.8727754);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };

  const chromaOf = (a, b) => Math.sqrt(a * a + b * b);

  const saturation = (chroma) => {
    const cube = chroma * chroma * chroma;
    const seventh = cube * cube * chroma;
    return Math.sqrt(seventh / (seventh + 6103515625));
  };

  const decay = (value) => {
    let power = 1 / (1 + value / 1024);
    for (let round = 0; round < 10; round += 1) power *= power;
    return power;
  };

  /** Of two colors in CIELAB. */
  const between = ([l1, unstretched1, b1], [l2, unstretched2, b2]) => {
    const stretch = 1.5 - 0.5 * saturation((chromaOf(unstretched1, b1) + chromaOf(unstretched2, b2)) / 2);
    const a1 = unstretched1 * stretch;
    const a2 = unstretched2 * stretch;
    const c1 = chromaOf(a1, b1);
    const c2 = chromaOf(a2, b2);
    const meanLightness = (l1 + l2) / 2;
    const meanChroma = (c1 + c2) / 2;
    const offset = (meanLightness - 50) * (meanLightness - 50);
    const light = (l2 - l1) / (1 + 0.015 * offset / Math.sqrt(20 + offset));
    const strong = (c2 - c1) / (1 + 0.045 * meanChroma);

    const share1 = c2 > 0 ? c2 : 1;
    const share2 = c1 > 0 ? c1 : 1;
    const x = a1 * share1 + a2 * share2;
    const y = b1 * share1 + b2 * share2;
    const length = Math.sqrt(x * x + y * y);
    const cos1 = length > 0 ? x / length : 1;
    const sin1 = length > 0 ? y / length : 0;
    const cos2 = cos1 * cos1 - sin1 * sin1;
    const sin2 = 2 * cos1 * sin1;
    const cos3 = cos2 * cos1 - sin2 * sin1;
    const sin3 = sin2 * cos1 + cos2 * sin1;
    const cos4 = cos2 * cos2 - sin2 * sin2;
    const sin4 = 2 * cos2 * sin2;
    const wave30 = 0.17 * (cos1 * 0.8660254 + sin1 * 0.5);
    const wave6 = 0.32 * (cos3 * 0.9945219 - sin3 * 0.1045285);
    const wave63 = 0.2 * (cos4 * 0.4539905 + sin4 * 0.8910065);
    const wave = 1 - wave30 + 0.24 * cos2 + wave6 - wave63;
    const way = a2 - a1;
    const height = b2 - b1;
    const apart = Math.sqrt(Math.max(way * way + height * height - (c2 - c1) * (c2 - c1), 0));
    const turned = (a1 * b2 - a2 * b1 < 0 ? -apart : apart) / (1 + 0.015 * meanChroma * wave);

    const versine = 1 - (cos1 * 0.0871557 - sin1 * 0.9961947);
    const angle = 1.0471976 * decay(5.2525 * (2 * versine + versine * versine / 3));
    const square = angle * angle;
    const sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)));
    const rotation = -2 * saturation(meanChroma) * sine;
    return Math.sqrt(light * light + strong * strong + turned * turned + rotation * strong * turned);
  };

  return { cielabOf, between };
})();
