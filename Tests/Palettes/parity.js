"use strict";

/**
 * The differences between the colors of the gallery's script and the daemon's. `answers` is the file that
 * `ScriptParityTests` writes. The function also runs in a browser, with the page's `Colors` and `Palettes`.
 * Run by node: parity.js ANSWERS_JSON SCRIPT...
 */
const differences = (Colors, Palettes, answers) => {
  const found = [];
  // The order of an object's keys does not matter.
  const sorted = (_, value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  const compare = (what, here, there) => {
    const [ours, theirs] = [JSON.stringify(here, sorted), JSON.stringify(there, sorted)];
    if (ours !== theirs) found.push(`${what}: script ${ours}, daemon ${theirs}`);
  };
  for (const { sample, name, schemes } of answers) {
    const decoded = Colors.decodeSample(sample);
    for (const { count, colors, gradient, css, gpl, ase, svg, text } of schemes) {
      const what = `${sample} at ${count}`;
      const scheme = Colors.scheme(decoded, count);
      compare(what, scheme.map(({ hex, weight }) => Colors.facts(hex, weight)), colors);
      compare(`${what}, gradient`, Colors.gradient(scheme), gradient);
      compare(`${what}, css`, Colors.css(scheme, name), css);
      const facts = scheme.map(({ hex, weight }) => Colors.facts(hex, weight));
      compare(`${what}, gpl`, Palettes.gpl(facts, name), gpl);
      compare(`${what}, ase`, [...Palettes.ase(facts, name)].map((byte) => byte.toString(16).padStart(2, "0")).join(""), ase);
      compare(`${what}, svg`, Palettes.svg(facts, Colors.gradient(scheme), name), svg);
      compare(`${what}, text`, Palettes.text(facts, name), text);
    }
  }
  return found;
};

if (typeof process !== "undefined" && typeof require === "function" && require.main === module) {
  const { readFileSync } = require("node:fs");
  const [file, ...scripts] = process.argv.slice(2);
  const script = scripts.map((path) => readFileSync(path, "utf8")).join("\n");
  const [Colors, Palettes] = new Function(`${script}\nreturn [Colors, Palettes];`)();
  const answers = JSON.parse(readFileSync(file, "utf8"));
  const found = differences(Colors, Palettes, answers);
  for (const difference of found.slice(0, 5)) console.error(difference);
  const schemes = answers.reduce((sum, answer) => sum + answer.schemes.length, 0);
  console.log(`parity: ${answers.length} samples, ${schemes} schemes, ${found.length} differences`);
  process.exitCode = found.length === 0 && schemes > 0 ? 0 : 1;
}
