"""Geofences and visits from tables of positions: what a phone, a car or a boat did, and when.

>>> import waymark
>>> track = waymark.read("day.gpx")
>>> waymark.events(track, fences={"depot": (52.5163, 13.3777, 100)})
>>> waymark.visits(track)

The engine is that of the program ``waymark``: the same fixes give the same events.
"""

from ._engine import Engine, events, read, visits
from ._errors import WaymarkError, WaymarkWarning
from ._library import version as _version
from ._rules import Fences, fences

__version__ = _version()

__all__ = [
    "Engine", "Fences", "WaymarkError", "WaymarkWarning", "events", "fences", "read", "visits",
]
