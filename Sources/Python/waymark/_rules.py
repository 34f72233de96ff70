"""What is watched: the config of the program, and fences of other kinds."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Union

from ._errors import WaymarkError
from ._library import Rules

#: The path of a config file, or its keys and values.
Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def rules_of(fences: Any, config: Optional[Config]) -> Rules:
    text = None if fences is None else _geojson(fences)
    if config is None:
        return Rules(fences=text)
    if isinstance(config, Mapping):
        return Rules(text=json.dumps(_plain(config)), fences=text)
    return Rules(path=os.fspath(config), fences=text)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value.item() if hasattr(value, "item") else value


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


def _feature(name: str, geometry: Mapping, **properties: Any) -> dict:
    return {"type": "Feature", "id": name, "geometry": geometry, "properties": properties}


def _circle(name: Any, circle: Any) -> dict:
    try:
        latitude, longitude, radius = (float(number) for number in circle)
    except (TypeError, ValueError):
        raise WaymarkError(
            f"fence {name!r} is {circle!r}, expected (latitude, longitude, radius in metres)"
        ) from None
    point = {"type": "Point", "coordinates": [longitude, latitude]}
    return _feature(str(name), point, radius=radius)


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
        features.append(_feature(str(name), shape.__geo_interface__, **properties))
    return _collection(features)
