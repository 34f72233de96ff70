"""Line charts as SVG, with a scale of powers of ten on both axes, for light and for dark pages."""

import math

WIDTH, HEIGHT = 380, 330
# Above the lines are the title and two names.
LEFT, RIGHT, TOP, BOTTOM = 62, 18, 66, 46
# Okabe and Ito's colours, which the colour-blind tell apart, on white and on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73")
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .grid { stroke: #d1d9e0; }
  .line { fill: none; stroke-width: 2; }
  @media (prefers-color-scheme: dark) { text { fill: #f0f6fc; } .grid { stroke: #3d444d; } }
"""


class Chart:
    """A title, the axes, and series: names with lists of pairs above zero."""

    def __init__(self, title, across, series):
        self.title, self.across, self.series = title, across, series
        xs, ys = ([pair[axis] for pairs in series.values() for pair in pairs] for axis in (0, 1))
        self.low_x, self.high_x = decades(xs)
        self.low_y, self.high_y = decades(ys)

    def x(self, value):
        share = (math.log10(value) - self.low_x) / (self.high_x - self.low_x)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        share = (math.log10(value) - self.low_y) / (self.high_y - self.low_y)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def drawn(self):
        """The elements of the picture."""
        yield f'<text class="title" x="{LEFT}" y="18">{self.title}</text>'
        for power in range(self.low_x, self.high_x + 1):
            at = f"{self.x(10 ** power):.1f}"
            yield f'<path class="grid" d="M{at} {TOP}V{HEIGHT - BOTTOM}"/>'
            yield (f'<text x="{at}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
                   f"{short(power)}</text>")
        for power in range(self.low_y, self.high_y + 1):
            at = self.y(10 ** power)
            yield f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>'
            yield f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{short(power)}</text>'
        yield (f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
               f"{self.across}</text>")
        for place, ((name, pairs), colour) in enumerate(zip(self.series.items(), COLOURS)):
            points = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in pairs)
            yield f'<polyline class="line" stroke="{colour}" points="{points}"/>'
            for x, y in pairs:
                yield (f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3" fill="{colour}">'
                       f"<title>{x:,}: {y:,.0f}</title></circle>")
            below = 34 + 16 * place
            yield f'<rect x="{LEFT}" y="{below - 5}" width="12" height="3" fill="{colour}"/>'
            yield f'<text x="{LEFT + 18}" y="{below}">{name}</text>'


def decades(values):
    """The powers of ten around some numbers, without duplicates."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = math.ceil(math.log10(max(values)) - 1e-9)
    return low, max(high, low + 1)


def short(power):
    """1, 10, 100, 1k … for a power of ten."""
    unit = {0: "", 1: "k", 2: "M", 3: "G"}.get(power // 3)
    return f"{10 ** (power % 3)}{unit}" if unit is not None else f"{10 ** power:g}"


def picture(charts, description):
    """An SVG of charts side by side."""
    body = "\n".join(
        f'<g transform="translate({number * WIDTH} 0)">\n' + "\n".join(chart.drawn()) + "\n</g>"
        for number, chart in enumerate(charts))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(charts)} {HEIGHT}" '
            f'width="{WIDTH * len(charts)}" height="{HEIGHT}" role="img">\n'
            f"<title>{description}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n")
