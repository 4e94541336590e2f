"use strict";

/**
 * The differences between the colors of the gallery's script and the daemon's. `answers` is the file that
 * `ScriptParityTests` writes. The function also runs in a browser, with the page's `Colors`.
 * Run by node: parity.js COLORS_JS ANSWERS_JSON
 */
const differences = (Colors, answers) => {
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
    for (const { count, colors, gradient, css } of schemes) {
      const what = `${sample} at ${count}`;
      const scheme = Colors.scheme(decoded, count);
      compare(what, scheme.map(({ hex, weight }) => Colors.facts(hex, weight)), colors);
      compare(`${what}, gradient`, Colors.gradient(scheme), gradient);
      compare(`${what}, css`, Colors.css(scheme, name), css);
    }
  }
  return found;
};

if (typeof process !== "undefined" && typeof require === "function" && require.main === module) {
  const { readFileSync } = require("node:fs");
  const [script, file] = process.argv.slice(2);
  const Colors = new Function(`${readFileSync(script, "utf8")}\nreturn Colors;`)();
  const answers = JSON.parse(readFileSync(file, "utf8"));
  const found = differences(Colors, answers);
  for (const difference of found.slice(0, 5)) console.error(difference);
  const schemes = answers.reduce((sum, answer) => sum + answer.schemes.length, 0);
  console.log(`parity: ${answers.length} samples, ${schemes} schemes, ${found.length} differences`);
  process.exitCode = found.length === 0 && schemes > 0 ? 0 : 1;
}
