import Geodesy
internal import Text
internal import Traces

/// Converts GeoJSON objects to fences.
struct GeoJSONReader {
  /// The errors of the features of a collection, in their order.
  private(set) var errors: [TraceError] = []
  /// The name of the file.
  private let path: String
  /// The offset of the text, behind a byte order mark.
  private let start: Int
  /// The last line that was counted, and the offsets of its ends.
  ///
  /// Features come in order, so the text is searched once, however long a line is.
  private var lastLine: (number: Int, start: Int, end: Int)

  private static let accepted = "expected a Point with a radius, a Polygon or a MultiPolygon"

  init(path: String, start: Int) {
    (self.path, self.start) = (path, start)
    lastLine = (0, start, start - 1)
  }

  mutating func fences(_ bytes: Span<UInt8>) throws(JSONError) -> [GeoJSONFence] {
    let object = try GeoJSONObject(bytes, at: start)
    switch try object.type(bytes) {
    case "FeatureCollection": return try features(object, bytes)
    case "Feature": return [try feature(object, 1, bytes)]
    default: return [try fence(id: nil, object, radius: nil, 1, bytes, at: object.start)]
    }
  }

  private mutating func features(
    _ collection: GeoJSONObject, _ bytes: Span<UInt8>
  ) throws(JSONError) -> [GeoJSONFence] {
    guard let offset = collection.offset(of: .features) else {
      throw JSONError(offset: collection.start, message: "there is no array of features")
    }
    var scanner = JSONScanner(at: offset)
    guard try scanner.next(in: bytes) == .beginArray else {
      throw JSONError(offset: offset, message: "expected an array of features")
    }
    var (fences, number) = ([GeoJSONFence](), 0)
    while errors.count < GeoJSON.mostErrors, let token = try scanner.nextValue(in: bytes) {
      number += 1
      let start = scanner.tokenOffset
      do throws(JSONError) {
        fences.append(try element(number, bytes, at: start))
      } catch {
        note(error, number, bytes, at: start)
      }
      try scanner.skipRest(of: token, in: bytes)
    }
    return fences
  }

  /// An element of a collection.
  private mutating func element(
    _ number: Int, _ bytes: Span<UInt8>, at offset: Int
  ) throws(JSONError) -> GeoJSONFence {
    let object = try GeoJSONObject(bytes, at: offset)
    let type = try object.type(bytes)
    guard type == "Feature" else {
      throw JSONError(
        offset: object.start, message: "found a \(Self.shown(type)), expected a Feature")
    }
    return try feature(object, number, bytes)
  }

  /// Notes an error in the element at an offset, of which alone the text is read again.
  private mutating func note(
    _ error: JSONError, _ number: Int, _ bytes: Span<UInt8>, at offset: Int
  ) {
    let place = JSONPosition(of: error.offset, in: bytes, from: offset)
    let first = line(at: offset, bytes)
    let column = place.line == 1 ? offset - lastLine.start + place.column : place.column
    let path = "features[\(number - 1)]\(place.path.isEmpty ? "" : ".\(place.path)")"
    errors.append(
      .invalid(
        path: self.path, line: first + place.line - 1, column: column,
        message: "\(path): \(error.message)"))
  }

  private mutating func feature(
    _ feature: GeoJSONObject, _ number: Int, _ bytes: Span<UInt8>
  ) throws(JSONError) -> GeoJSONFence {
    guard let offset = feature.offset(of: .geometry) else {
      throw JSONError(
        offset: feature.start, message: "the Feature has no geometry, \(Self.accepted)")
    }
    let geometry = try GeoJSONObject(bytes, at: offset)
    var properties: GeoJSONObject?
    if let offset = feature.offset(of: .properties) {
      properties = try GeoJSONObject(bytes, at: offset)
    }
    return try fence(
      id: try id(feature, properties, bytes), geometry, radius: properties, number, bytes,
      at: feature.start)
  }

  private mutating func fence(
    id: String?, _ geometry: GeoJSONObject, radius properties: GeoJSONObject?, _ number: Int,
    _ bytes: Span<UInt8>, at start: Int
  ) throws(JSONError) -> GeoJSONFence {
    let type = try geometry.type(bytes)
    let area: Area
    switch type {
    case "Point": area = .circle(try circle(geometry, properties, bytes))
    case "Polygon":
      var scanner = try coordinates(geometry, bytes)
      area = .polygons([try GeoJSONRings.polygon(&scanner, bytes)])
    case "MultiPolygon":
      var scanner = try coordinates(geometry, bytes)
      area = .polygons(try GeoJSONRings.polygons(&scanner, bytes))
    case "GeometryCollection":
      throw JSONError(
        offset: geometry.start,
        message: "a GeometryCollection cannot be a fence, make each of its geometries a Feature")
    default:
      throw JSONError(
        offset: geometry.start, message: "a \(Self.shown(type)) cannot be a fence, \(Self.accepted)"
      )
    }
    return GeoJSONFence(id: id, area: area, number: number, line: line(at: start, bytes))
  }

  // MARK: Parts

  private func coordinates(
    _ geometry: GeoJSONObject, _ bytes: Span<UInt8>
  ) throws(JSONError) -> JSONScanner {
    guard let offset = geometry.offset(of: .coordinates) else {
      throw JSONError(offset: geometry.start, message: "the geometry has no coordinates")
    }
    return JSONScanner(at: offset)
  }

  private func circle(
    _ geometry: GeoJSONObject, _ properties: GeoJSONObject?, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Circle {
    var scanner = try coordinates(geometry, bytes)
    let center = try GeoJSONRings.position(&scanner, bytes)
    guard let properties, let offset = properties.offset(of: .radius) else {
      throw JSONError(
        offset: geometry.start,
        message: "the Point has no radius, expected a property \"radius\" of its Feature, in "
          + "metres or with a unit as in \"100 m\"")
    }
    guard let radius = try radius(properties, bytes), radius > 0, radius <= Measure.largestRadius
    else {
      throw JSONError(
        offset: offset,
        message: "the radius cannot be used, expected a number of metres above 0 and up to "
          + "1,000,000, or text with a unit as in \"100 m\", \"2 km\", \"0.5 mi\" or \"300 ft\"")
    }
    return Circle(center: center, radius: radius)
  }

  private func radius(
    _ properties: GeoJSONObject, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Double? {
    switch try properties.value(of: .radius, bytes) {
    case .number(let slice): slice.number(in: bytes)
    case .string(let slice): Measure.length(slice.string(in: bytes))
    default: nil
    }
  }

  private func id(
    _ feature: GeoJSONObject, _ properties: GeoJSONObject?, _ bytes: Span<UInt8>
  ) throws(JSONError) -> String? {
    if let token = try feature.value(of: .id, bytes) {
      guard Self.text(token, bytes) != nil else {
        throw JSONError(
          offset: feature.offset(of: .id) ?? feature.start,
          message: "the id is \(token.description), expected text or a number")
      }
      if let id = Self.text(token, bytes), !id.isEmpty { return id }
    }
    for member in [GeoJSONObject.Member.id, .name] {
      let id = Self.text(try properties?.value(of: member, bytes), bytes)
      if let id, !id.isEmpty { return id }
    }
    return nil
  }

  private static func text(_ token: JSONToken?, _ bytes: Span<UInt8>) -> String? {
    switch token {
    case .string(let slice), .number(let slice): slice.string(in: bytes)
    default: nil
    }
  }

  /// A type's name as shown in a message.
  private static func shown(_ type: String) -> String {
    String(type.prefix(40)).withoutControls
  }

  private mutating func line(at offset: Int, _ bytes: Span<UInt8>) -> Int {
    while lastLine.end < offset {
      lastLine.start = lastLine.end + 1
      lastLine.end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: lastLine.start) ?? .max
      lastLine.number += 1
    }
    return lastLine.number
  }
}
