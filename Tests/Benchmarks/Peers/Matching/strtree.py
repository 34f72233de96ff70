"""shapely's STRtree over polygons of 32 corners in degrees, asked of all fixes at once.

    strtree.py FENCES FIXES [MOST]
"""

import json
import sys
import time

import numpy
import shapely

CORNERS = 32
fences = numpy.fromfile(sys.argv[1]).reshape(-1, 3)
most = int(sys.argv[3]) if len(sys.argv) > 3 else None
fixes = numpy.fromfile(sys.argv[2]).reshape(-1, 2)[:most]

begin = time.process_time()
angles = numpy.linspace(0, 2 * numpy.pi, CORNERS, endpoint=False)
north = fences[:, 2, None] / 111_195
east = north / numpy.cos(numpy.radians(fences[:, 0, None]))
rings = numpy.stack([fences[:, 1, None] + east * numpy.sin(angles),
                     fences[:, 0, None] + north * numpy.cos(angles)], axis=2)
tree = shapely.STRtree(shapely.polygons(rings))
built = time.process_time()
hits = tree.query(shapely.points(fixes[:, 1], fixes[:, 0]), predicate="intersects").shape[1]
end = time.process_time()
print(json.dumps({"fixes": len(fixes), "hits": hits, "build": built - begin, "match": end - built}))
