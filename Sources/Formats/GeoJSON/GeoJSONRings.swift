import Geodesy
internal import Text

/// Reads the coordinates of GeoJSON geometries.
enum GeoJSONRings {
  /// The least positions of a closed ring, the first repeated at the end (RFC 7946 §3.1.6).
  private static let minRingCount = 4

  /// The polygons of a MultiPolygon.
  static func polygons(
    _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> [Polygon] {
    let start = try beginArray("an array of polygons", &scanner, bytes)
    var polygons: [Polygon] = []
    while let token = try scanner.nextValue(in: bytes) {
      polygons.append(try polygon(after: token, &scanner, bytes))
    }
    if polygons.isEmpty {
      throw JSONError(offset: start, message: "the MultiPolygon is empty, expected a polygon")
    }
    return polygons
  }

  /// The polygon of a Polygon: an outer ring, then holes.
  static func polygon(
    _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Polygon {
    try polygon(after: scanner.nextValue(in: bytes), &scanner, bytes)
  }

  private static func polygon(
    after token: JSONToken?, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Polygon {
    let start = scanner.tokenOffset
    guard token == .beginArray else {
      throw JSONError(offset: start, message: "expected an array of rings")
    }
    var rings: [[Coordinate]] = []
    while let token = try scanner.nextValue(in: bytes) {
      rings.append(try ring(after: token, &scanner, bytes))
    }
    guard let exterior = rings.first else {
      throw JSONError(offset: start, message: "the polygon is empty, expected an outer ring")
    }
    do {
      return try Polygon(exterior: exterior, holes: Array(rings.dropFirst()))
    } catch {
      // Messages follow a position, and end without a full stop.
      let message = error.description
      throw JSONError(
        offset: start, message: message.hasSuffix(".") ? String(message.dropLast()) : message)
    }
  }

  /// A ring, without the repeated position at its end.
  private static func ring(
    after token: JSONToken, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> [Coordinate] {
    let start = scanner.tokenOffset
    guard token == .beginArray else {
      throw JSONError(offset: start, message: "expected a ring, an array of positions")
    }
    var ring: [Coordinate] = []
    while let token = try scanner.nextValue(in: bytes) {
      ring.append(try position(after: token, &scanner, bytes))
    }
    guard ring.count >= Self.minRingCount else {
      throw JSONError(
        offset: start,
        message: "the ring has \(ring.count) positions, expected at least \(Self.minRingCount), "
          + "the last the same as the first")
    }
    guard ring.first == ring.last else {
      throw JSONError(
        offset: start, message: "the ring is open, repeat its first position at the end")
    }
    ring.removeLast()
    return ring
  }

  // MARK: Positions

  /// The position of a Point.
  static func position(
    _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Coordinate {
    try position(after: scanner.nextValue(in: bytes), &scanner, bytes)
  }

  private static func position(
    after token: JSONToken?, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Coordinate {
    let start = scanner.tokenOffset
    guard token == .beginArray else {
      throw JSONError(offset: start, message: "expected a position as [longitude, latitude]")
    }
    let longitude = try number("a longitude", &scanner, bytes)
    let latitude = try number("a latitude", &scanner, bytes)
    // An altitude may follow (RFC 7946 §3.1.1), and in older files more.
    while let token = try scanner.nextValue(in: bytes) {
      guard case .number = token else {
        throw JSONError(offset: scanner.tokenOffset, message: "expected a number")
      }
    }
    let position = Coordinate(latitude: latitude, longitude: longitude)
    if !position.isValid { throw Self.outOfRange(position, at: start) }
    return position
  }

  private static func number(
    _ name: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Double {
    let token = try scanner.nextValue(in: bytes)
    guard case .number(let slice) = token, let number = slice.number(in: bytes) else {
      let found = token?.description ?? "the end of the position"
      throw JSONError(
        offset: scanner.tokenOffset, message: "found \(found), expected \(name) in degrees")
    }
    return number
  }

  private static func outOfRange(_ position: Coordinate, at offset: Int) -> JSONError {
    if abs(position.latitude) > 90 {
      return JSONError(
        offset: offset,
        message: "the latitude \(position.latitude) is out of range, expected -90 to 90; "
          + "GeoJSON gives longitude first")
    }
    return JSONError(
      offset: offset,
      message: "the longitude \(position.longitude) is out of range, expected -180 to 180; "
        + "cut an area that crosses the antimeridian in two")
  }

  private static func beginArray(
    _ expected: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Int {
    guard try scanner.nextValue(in: bytes) == .beginArray else {
      throw JSONError(offset: scanner.tokenOffset, message: "expected \(expected)")
    }
    return scanner.tokenOffset
  }
}
