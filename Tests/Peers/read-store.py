"""read-store.py STORE: prints what geopandas reads of a store, a line for each layer and view.

    NAME ROWS GEOMETRY EPSG VALID    or, without geometries,    NAME ROWS
"""

import sys

import geopandas

store = sys.argv[1]
for name in sorted(geopandas.list_layers(store)["name"]):
    rows = geopandas.read_file(store, layer=name)
    words = [name, len(rows)]
    if isinstance(rows, geopandas.GeoDataFrame):
        kinds = "/".join(sorted(rows.geom_type.unique()))
        words += [kinds, rows.crs.to_epsg(), bool(rows.geometry.is_valid.all())]
    print(*words)
