internal import Geodesy

/// Lookup of the fences that contain a position.
extension FenceTable {
  /// Adds the fences that contain `place`, level by level, and gives the region of the same fences.
  @inline(__always)
  func search(at place: Coordinate, _ found: inout FoundFences, _ safeRegion: inout SafeRegion) {
    guard place.isValid else {
      safeRegion = .none
      return
    }
    safeRegion = .all
    forEachLevel { search($0, at: place, &found, &safeRegion) }
    if hasWorldFences, let (entries, _) = entries(CellGrid.worldKey) {
      safeRegion = .none
      testAll(entries, place, &found)
    }
  }

  @inline(__always)
  private func search(
    _ level: Int, at place: Coordinate, _ found: inout FoundFences, _ safeRegion: inout SafeRegion
  ) {
    let row = CellGrid.row(place.latitude, level)
    let zone = CellZones.shared[level, row.zone]
    // A pole has every longitude; the antimeridian is the western edge of the first column.
    let isPole = abs(place.latitude) == 90
    let longitude = place.longitude < 180 ? place.longitude : -180
    let column = isPole ? 0 : CellGrid.column(longitude, zone)
    safeRegion.narrow(to: row, column: column, level, zone)
    guard
      let (entries, isMixed) = entries(CellGrid.key(level, row: row.number, column: column))
    else { return }
    guard !isPole, zone.band < .infinity else {
      safeRegion = .none
      testAll(entries, place, &found)
      return
    }
    let point = CellFrame(row, column: column, level, zone).point(
      latitude: place.latitude, longitude: longitude)
    let sides = CellSides(x: point.x, y: point.y, band: zone.band)
    var nearest: Float?
    if !isMixed { nearest = lookAtCircles(entries, sides, &found) }
    if let nearest {
      safeRegion.narrow(
        around: place, metres: Double((nearest - zone.band) * zone.metresPerUnit), zone)
    } else {
      safeRegion = .none
      lookOneByOne(entries, place, sides, &found)
    }
  }

  /// Adds those that hold the place of the circles of a cell.
  ///
  /// - Returns: how far the nearest edge is, units; nil when one is too near for the map, or there
  ///   may be too many, and nothing is added.
  @inline(__always)
  private func lookAtCircles(
    _ entries: CellEntries, _ sides: CellSides, _ found: inout FoundFences
  ) -> Float? {
    var nearest = CellSides.Distances(repeating: .infinity)
    let before = found.count
    var start = 0
    while start < entries.count {
      let distances = sides.distances(entries, from: start)
      nearest.lower(toMagnitudesOf: distances)
      guard found.append(entries.fences + start, where: distances.bits(below: -sides.band))
      else { break }
      start += CellSides.width
    }
    let least = nearest.least
    guard start >= entries.count, least > sides.band else {
      found.drop(after: before)
      return nil
    }
    return least
  }

  /// The same for any entries.
  @inline(never)
  private func lookOneByOne(
    _ entries: CellEntries, _ place: Coordinate, _ sides: CellSides, _ found: inout FoundFences
  ) {
    for index in 0..<entries.count {
      let distance = sides.distance(entries, index)
      if entries.radii[index] == CellEntries.asks || abs(distance) <= sides.band {
        test(entries.fences[index], place, &found)
      } else if distance < 0 {
        found.append(entries.fences[index])
      }
    }
  }

  /// Tests every fence of a cell by its exact area.
  @inline(never)
  private func testAll(_ entries: CellEntries, _ place: Coordinate, _ found: inout FoundFences) {
    for index in 0..<entries.count { test(entries.fences[index], place, &found) }
  }

  @inline(never)
  private func test(_ fence: UInt32, _ place: Coordinate, _ found: inout FoundFences) {
    if fence < count && area(Int(fence)).contains(place) { found.append(fence) }
  }
}
