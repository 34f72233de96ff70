"""What is watched: the config of the program, and fences of other kinds."""

from __future__ import annotations

import functools
import json
import os
import re
from dataclasses import dataclass, replace
from typing import Any, Mapping, Optional, Union

import numpy as np

from ._errors import WaymarkError
from ._library import Rules

#: The path of a config file, or its keys and values.
Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]


@dataclass(frozen=True)
class Source:
    """Where rules come from, as texts and paths, so that another process can make the same."""

    #: The path of a config file, or the keys of a config as JSON.
    path: Optional[str] = None
    settings: Optional[str] = None
    #: Fences as GeoJSON, or the path of compiled ones.
    geojson: Optional[str] = None
    compiled: Optional[str] = None
    #: What the GeoJSON was made of, for people.
    given: Optional[str] = None

    def __str__(self) -> str:
        settings = "a config" if self.settings else None
        return " and ".join(filter(None, [self.given, self.compiled, self.path, settings]))

    def rules(self) -> Rules:
        try:
            return Rules(path=self.path, text=self._text(), fences=self.geojson)
        except WaymarkError as error:
            raise WaymarkError(self._named(str(error))) from None

    def _named(self, text: str) -> str:
        """An error of the GeoJSON with the file or the fence that it is about."""
        found = re.match(r"fences(:\d+:\d+: )(features\[(\d+)\]\S*: )?", text)
        if found is None or self.geojson is None:
            return text
        if self.given not in _MADE:
            return f"{self.given}{text[len('fences'):]}"
        rest = text[found.end():]
        if found[3] is not None:
            fence = json.loads(self.geojson)["features"][int(found[3])]["id"]
            rest = f"fence {fence!r}: {rest}"
        if self.given == _DICT:
            # The advice is for writers of GeoJSON.
            rest = rest.split("; ")[0] + "; a circle is (latitude, longitude, radius in metres)"
        return rest

    def _text(self) -> Optional[str]:
        if self.compiled is None:
            return self.settings
        if self.path is not None:
            raise WaymarkError(
                f"fences are {self.compiled} beside a config file, expected them in the config as "
                "'fences: [{include: …}]', or a config that is a dict")
        settings = json.loads(self.settings or "{}")
        fences = settings.setdefault("fences", [])
        if isinstance(fences, list):
            fences.append({"include": os.path.abspath(self.compiled)})
        return json.dumps(settings)


class Fences:
    """Fences and settings that are checked and indexed once, for any number of tables and threads.

    :func:`waymark.fences` makes them. They can be pickled, so other processes can have them too.

    >>> depots = waymark.fences("depots.geojson")
    >>> depots
    <waymark.Fences: 1 fence from depots.geojson>
    >>> len(depots)
    1
    >>> depots.ids
    ['depot']
    """

    __module__ = "waymark"

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rules = source.rules()

    def __reduce__(self) -> tuple:
        return Fences, (self._source,)

    def __repr__(self) -> str:
        count = f"{len(self)} fence{'' if len(self) == 1 else 's'}"
        source = str(self._source)
        return f"<waymark.Fences: {count}{' from ' if source else ''}{source}>"

    def __len__(self) -> int:
        return self._table.num_rows

    def __bool__(self) -> bool:
        # Without a fence there are settings still.
        return True

    @property
    def ids(self) -> "list[str]":
        """The ids of the fences, in the order in which they were given."""
        return self._table["id"].to_pylist()

    def to_geodataframe(self) -> Any:
        """The fences as a GeoDataFrame, in their order: the columns id, latitude, longitude, radius
        and geometry, in degrees on WGS 84 and metres.

        A circle has its centre and its radius. Its geometry is the polygon of 64 corners on its edge,
        whose area is 0.16 % too small. Longitudes of a circle over the antimeridian go on beyond 180
        degrees. Other fences have their polygons, and neither a centre nor a radius.

        >>> frame = waymark.fences({"depot": (52.5163, 13.3777, 100)}).to_geodataframe()
        >>> frame["radius"].tolist()
        [100.0]
        """
        try:
            import geopandas
            import shapely
        except ImportError as error:
            raise ImportError(
                "to_geodataframe needs geopandas: pip install 'waymark[geopandas]'") from error
        table = self._table
        frame = table.drop_columns(["geometry"]).to_pandas()
        shapes = shapely.from_wkt(table["geometry"].to_numpy(zero_copy_only=False))
        circles = np.flatnonzero(frame["radius"].notna())
        for start in range(0, len(circles), _CIRCLES_AT_A_TIME):
            rows = circles[start:start + _CIRCLES_AT_A_TIME]
            shapes[rows] = shapely.polygons(_corners(frame.iloc[rows]))
        return geopandas.GeoDataFrame(frame, geometry=shapes, crs=4326)

    @functools.cached_property
    def _table(self) -> Any:
        return self._rules.fences()


_CIRCLES_AT_A_TIME = 1 << 12


def _corners(circles: Any) -> np.ndarray:
    """The corners of the polygons that stand for circles, counter-clockwise."""
    from pyproj import Geod

    bearings = np.linspace(360, 0, 64, endpoint=False)
    latitudes, longitudes, radii, bearings = np.broadcast_arrays(
        *(circles[name].to_numpy()[:, None] for name in ("latitude", "longitude", "radius")),
        bearings)
    east, north, _ = Geod(ellps="WGS84").fwd(longitudes, latitudes, bearings, radii)
    east += 360 * np.round((longitudes - east) / 360)
    return np.stack([east, north], axis=-1)


def fences(fences: Any = None, *, config: Optional[Config] = None) -> Fences:
    """Checks and indexes fences and settings once; the arguments are those of :func:`events`.

    >>> depots = waymark.fences("depots.geojson", config={"visits": {"radius": "80 m"}})
    >>> for day in days:
    ...     waymark.events(day, fences=depots)
    """
    return Fences(source_of(fences, config))


def source_of(fences: Any, config: Optional[Config]) -> Source:
    if isinstance(fences, Fences):
        if config is not None:
            raise WaymarkError(
                "config is given beside fences that have one, expected it in waymark.fences")
        return fences._source
    try:
        if isinstance(config, Mapping):
            source = Source(settings=json.dumps(_plain(config)))
        else:
            source = Source(path=None if config is None else os.fspath(config))
    except TypeError as error:
        raise WaymarkError(
            f"the config cannot be used, expected the path of a file, or a dict of texts, numbers, "
            f"lists and dicts: {error}") from None
    if fences is None:
        return source
    if isinstance(fences, (str, os.PathLike)) and os.fspath(fences).endswith(".wmf"):
        return replace(source, compiled=os.fspath(fences))
    return replace(source, geojson=_geojson(fences), given=_name(fences))


def rules_of(fences: Any, config: Optional[Config]) -> Rules:
    source = source_of(fences, config)
    return fences._rules if isinstance(fences, Fences) else source.rules()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value.item() if hasattr(value, "item") else value


def _name(fences: Any) -> str:
    if isinstance(fences, (str, os.PathLike)):
        return os.fspath(fences)
    return _DICT if isinstance(fences, Mapping) else _FRAME


_DICT, _FRAME = _MADE = ("a dict", "a GeoDataFrame")


def _geojson(fences: Any) -> str:
    """Fences as GeoJSON: of a file, a GeoDataFrame, or circles by name."""
    if isinstance(fences, (str, os.PathLike)):
        try:
            with open(fences, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise WaymarkError(f"{os.fspath(fences)}: the fences cannot be read: {error}") from None
    if isinstance(fences, Mapping):
        return _collection(_circle(name, circle) for name, circle in fences.items())
    if hasattr(fences, "geometry"):
        return _of_frame(fences)
    raise WaymarkError(
        f"fences of type {type(fences).__name__} are not known, expected the path of a GeoJSON "
        "file, a GeoDataFrame, or a dict such as {'depot': (52.5163, 13.3777, 100)}")


def _collection(features: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": list(features)})


def _feature(name: Any, geometry: Mapping, **properties: Any) -> dict:
    if str(name) == "":
        raise WaymarkError("the id of a fence is empty, expected a text such as 'depot'")
    return {"type": "Feature", "id": str(name), "geometry": geometry, "properties": properties}


def _circle(name: Any, circle: Any) -> dict:
    try:
        latitude, longitude, radius = numbers = [float(number) for number in circle]
        if not np.isfinite(numbers).all():
            raise ValueError
    except (TypeError, ValueError):
        raise WaymarkError(
            f"fence {name!r} is {circle!r}, expected (latitude, longitude, radius in metres)"
        ) from None
    point = {"type": "Point", "coordinates": [longitude, latitude]}
    return _feature(name, point, radius=radius)


def _of_frame(frame: Any) -> str:
    """A fence for each row: its id is the column `id`, else `name`, else the index."""
    geometry = frame.geometry
    if geometry.crs is not None:
        geometry = geometry.to_crs(4326)
    ids = next((frame[column] for column in ("id", "name") if column in frame), frame.index)
    radii = frame["radius"] if "radius" in frame else [None] * len(frame)
    features = []
    for name, shape, radius in zip(ids, geometry, radii):
        if shape is None or shape.is_empty:
            raise WaymarkError(f"fence {name!r} has no geometry")
        # Not a number is unknown.
        properties = {} if radius is None or radius != radius else {"radius": _plain(radius)}
        features.append(_feature(name, shape.__geo_interface__, **properties))
    return _collection(features)
