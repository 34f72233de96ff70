/// The hours in each fence and at each place.
extension StoreSchema {
  /// The view `hours_at_place`, as SQLite keeps its text.
  ///
  /// A spot has the visits of a device at the same 1e-4 degrees. It belongs to the place of the earliest
  /// spot within 100 m, twice the usual radius of visits, and the first spot of such a chain names the
  /// place. The distance is equirectangular; 100 m are 9e-4 degrees of latitude. Plain SQLite has no
  /// cosine, so `scale` is Bhaskara's approximation, right to 0.0017. Bands of latitude find the spots
  /// nearby. Arrivals have 24 characters, so a position is what follows them and a space.
  static let hoursAtPlace = """
    CREATE VIEW hours_at_place AS
    WITH RECURSIVE
    stays AS (
    SELECT device, round(latitude, 4) AS y, round(longitude, 4) AS x, place, arrival, departure
    FROM visits WHERE departure IS NOT NULL AND NOT retracted),
    spots AS (
    SELECT device, y, x, CAST(round(y * 1000) AS INTEGER) AS band,
    (32400 - 4 * y * y) / (32400 + y * y) AS scale,
    min(arrival) || ' ' || printf('%.4f,%.4f', y, x) AS id
    FROM stays GROUP BY device, y, x),
    steps (step) AS (VALUES (-1), (0), (1)),
    neighbours AS (
    SELECT a.device, a.id, min(b.id) AS first FROM spots AS a JOIN steps JOIN spots AS b
    ON b.device = a.device AND b.band = a.band + step
    WHERE (b.y - a.y) * (b.y - a.y) + a.scale * a.scale
    * min(abs(b.x - a.x), 360 - abs(b.x - a.x)) * min(abs(b.x - a.x), 360 - abs(b.x - a.x)) <= 8.1e-7
    GROUP BY a.device, a.id),
    chains AS (
    SELECT device, id, first FROM neighbours UNION
    SELECT chains.device, chains.id, neighbours.first FROM chains JOIN neighbours
    ON neighbours.device = chains.device AND neighbours.id = chains.first),
    places AS (SELECT device, id, min(first) AS first FROM chains GROUP BY device, id)
    SELECT device, 'fence' AS kind, fence AS place, count(*) AS stays,
    round(sum(duration) / 3600, 4) AS hours, max(time) AS last,
    NULL AS latitude, NULL AS longitude FROM crossings
    WHERE type = 'exit' GROUP BY device, fence
    UNION ALL
    SELECT places.device, 'visit', coalesce(max(place), substr(first, 26)), count(*),
    round(sum(julianday(departure) - julianday(arrival)) * 24, 4), max(departure),
    CAST(substr(first, 26) AS REAL), CAST(substr(first, instr(first, ',') + 1) AS REAL)
    FROM stays JOIN spots USING (device, y, x) JOIN places USING (device, id)
    GROUP BY places.device, first
    """
}
