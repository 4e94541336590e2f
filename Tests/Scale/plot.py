"""Draws plots with two logarithmic axes as SVG: without fonts of their own, readable on a light and a dark background."""

import html
import math

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 170, 40, 48
#: The smallest distance between two labels.
LINE = 15
COLORS = ("#2f6fde", "#d9480f", "#2b8a3e", "#ae3ec9", "#0b7285", "#a86500", "#c2255c", "#5f6b7a")
STYLE = """
text { font: 12px sans-serif; fill: #24292f } .title { font-size: 15px } .grid { stroke: #d0d7de; stroke-width: 1 }
.dashed { stroke-dasharray: 5 4 } .line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .grid { stroke: #3d444d } .line, .dot { filter: brightness(1.5) } }
"""


def word(value):
    """A power of ten as people write it."""
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def decades(values):
    return range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)


def loglog(title, across, up, series, dashed=()):
    """`series` is {name: [(x, y)]}; those in `dashed` are comparisons."""
    points = [point for line in series.values() for point in line]
    xs, ys = decades([x for x, _ in points]), decades([y for _, y in points])
    span = lambda exponents: max(1, exponents[-1] - exponents[0])  # noqa: E731
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    place = lambda x, y: (  # noqa: E731
        LEFT + (math.log10(x) - xs[0]) / span(xs) * inner_width,
        HEIGHT - BOTTOM - (math.log10(y) - ys[0]) / span(ys) * inner_height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">', f"<title>{html.escape(title)}</title>",
        f"<style>{STYLE}</style>", f'<text class="title" x="{LEFT}" y="22">{html.escape(title)}</text>',
        f'<text x="{LEFT + inner_width / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(across)}</text>',
        f'<text transform="translate(14 {TOP + inner_height / 2:.0f}) rotate(-90)" text-anchor="middle">{html.escape(up)}</text>',
    ]
    for exponent in xs:
        x, _ = place(10.0**exponent, 10.0 ** ys[0])
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{word(10.0**exponent)}</text>')
    for exponent in ys:
        _, y = place(10.0 ** xs[0], 10.0**exponent)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{word(10.0**exponent)}</text>')
    labels = []
    for (name, line), color in zip(series.items(), COLORS):
        at = [place(*point) for point in line]
        kind = "line dashed" if name in dashed else "line"
        parts.append(f'<polyline class="{kind}" stroke="{color}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}"/>')
        parts += [f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in at]
        labels.append([at[-1][1], name, color])
    # Labels at the lines' ends, apart from each other.
    labels.sort()
    for before, label in zip([[TOP - LINE]] + labels, labels):
        label[0] = max(label[0], before[0] + LINE)
    for y, name, color in labels:
        parts.append(f'<circle class="dot" cx="{WIDTH - RIGHT + 12}" cy="{y:.1f}" r="4" fill="{color}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 21}" y="{y + 4:.1f}">{html.escape(name)}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def draw(results, folder):
    """Draws what `scale.py` measured, if it did."""
    names = {"claim": "claim", "resolve": "resolve", "finish": "finish", "count": "count", "list": "list 100 stickers"}
    # Processor time, because wall time shows what else the machine does.
    series = {name: [(int(size), times[call][2]) for size, times in results["calls"].items()] for call, name in names.items()}
    daemon = results["daemon"]
    series |= {
        "until READY": [(int(size), one["ready used"]) for size, one in daemon.items()],
        "rescan": [(int(size), one["scan used"]) for size, one in daemon.items()],
        "find": [(int(size), one["find used"]) for size, one in daemon.items()],
    }
    series = {name: line for name, line in series.items() if line}
    if series:
        (folder / "scale.svg").write_text(loglog("Cost against size", "files", "milliseconds of processor time", series, dashed=("find",)))
    workers = results["workers"]
    if workers:
        series = {
            "photos per second": [(one["workers"], one["photos"]) for one in workers],
            "if only workers limited": [(one["workers"], one["ideal"]) for one in workers],
            "fsyncs per second": [(one["workers"], one["fsyncs"]) for one in workers],
        }
        dashed = ("if only workers limited", "fsyncs per second")
        title = "Photos per second against sleeping workers"
        (folder / "workers.svg").write_text(loglog(title, "workers", "per second", series, dashed=dashed))
