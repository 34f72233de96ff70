"""Targets."""


class Target:
    """A figure with a lower or an upper bound."""

    def __init__(self, name, wanted, got, unit="", is_most=False):
        self.name, self.wanted, self.got, self.unit, self.is_most = \
            name, wanted, got, unit, is_most

    @property
    def is_met(self):
        return self.got <= self.wanted if self.is_most else self.got >= self.wanted

    def row(self):
        bound = "at most" if self.is_most else "at least"
        return [self.name, f"{bound} {self.wanted:,}{self.unit}", f"{shown(self.got)}{self.unit}",
                "met" if self.is_met else "missed"]


def shown(value):
    """Three digits, or all digits before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

