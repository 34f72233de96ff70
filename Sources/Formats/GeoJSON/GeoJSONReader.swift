import Geodesy
internal import Text

/// Converts GeoJSON objects to fences.
struct GeoJSONReader {
  /// The last line that was counted, and the offset of its end: features come in order, so the text is
  /// searched once, however long a line is.
  private var line = (number: 0, end: -1)

  private static let accepted = "expected a Point with a radius, a Polygon or a MultiPolygon"

  mutating func fences(
    _ bytes: Span<UInt8>, at start: Int
  ) throws(JSONError) -> [GeoJSONFence] {
    let object = try GeoJSONObject(bytes, at: start)
    switch try object.type(bytes) {
    case "FeatureCollection": return try features(object, bytes)
    case "Feature": return [try feature(object, bytes)]
    default: return [try fence(id: nil, object, radius: nil, bytes, at: object.start)]
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
    var fences: [GeoJSONFence] = []
    while let token = try scanner.nextValue(in: bytes) {
      let object = try GeoJSONObject(bytes, at: scanner.tokenOffset)
      let type = try object.type(bytes)
      guard type == "Feature" else {
        throw JSONError(
          offset: object.start, message: "found a \(Self.shown(type)), expected a Feature")
      }
      fences.append(try feature(object, bytes))
      try scanner.skipRest(of: token, in: bytes)
    }
    return fences
  }

  private mutating func feature(
    _ feature: GeoJSONObject, _ bytes: Span<UInt8>
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
      id: try id(feature, properties, bytes), geometry, radius: properties, bytes,
      at: feature.start)
  }

  private mutating func fence(
    id: String?, _ geometry: GeoJSONObject, radius properties: GeoJSONObject?,
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
    return GeoJSONFence(id: id, area: area, line: line(at: start, bytes))
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
    while line.end < offset {
      line.end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: line.end + 1) ?? .max
      line.number += 1
    }
    return line.number
  }
}
