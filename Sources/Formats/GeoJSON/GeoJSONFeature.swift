import Geodesy
internal import Text
import Traces
import Tracking

/// A Feature while it is read: its positions, and the values of its properties.
///
/// They are held until it ends, as its properties may follow its geometry.
struct GeoJSONFeature: Sendable {
  /// A property with a meaning: one value, or a list with one for each position.
  struct Property: Sendable {
    let role: CSVRole
    /// Of several properties with the same role, that of the lowest rank is read.
    let rank: Int
    let unit: CSVUnit

    init?(named name: String) {
      if name == "coordTimes" || name == "times" || name == "timestamps" {
        // Converters write `time` as well: when the line begins.
        (role, rank, unit) = (.time, -1, CSVUnit())
        return
      }
      guard let meaning = CSVColumnName(name).meaning else { return nil }
      switch meaning.role {
      case .latitude, .longitude, .date: return nil
      default: (role, rank, unit) = (meaning.role, meaning.rank, meaning.unit)
      }
    }
  }

  /// The values of a property.
  private struct Values: Sendable {
    let property: Property
    /// Whether they are a list: a line has no other values.
    var isList = false
    /// NaN where a value is unknown.
    var numbers: [Double] = []
    var times: [Timestamp?] = []
    var count: Int { property.role == .time ? times.count : numbers.count }
  }

  private enum Kind: Sendable { case none, points, lines, areas }

  var name: String?
  private let line: Int
  private var device: (index: Int32, rank: Int)?
  private var kind = Kind.none
  /// The type of the geometry that is read.
  private var type = Kind.none
  /// Longitude, latitude and altitude of each position; NaN where they are unknown.
  private var positions: [Double] = []
  private var lines: [Int32] = []
  /// How many positions precede each line.
  private var starts: [Int] = []
  private var values: [Values] = []
  /// The position that is read.
  private var position = (longitude: Double.nan, latitude: Double.nan, altitude: Double.nan)
  private var coordinateCount = 0
  private var positionLine = 0
  /// Positions beyond the limit, and those that are not valid.
  private var (excessCount, invalidCount) = (0, 0)
  /// The first property that is not valid.
  private var problem: String?

  /// The most positions of a Feature: 36 hours of one a second.
  static let limit = 1 << 17

  init(line: Int) { self.line = line }

  /// Whether it has no position.
  var isEmpty: Bool { lines.isEmpty }
  var isArea: Bool { kind == .areas }

  // MARK: Geometry

  mutating func setType(_ name: Span<UInt8>) {
    for (known, kind) in Self.kinds where name.equals(known) { type = kind }
  }

  private static let kinds: [(StaticString, Kind)] = [
    ("Point", .points), ("MultiPoint", .points), ("LineString", .lines),
    ("MultiLineString", .lines), ("Polygon", .areas), ("MultiPolygon", .areas),
  ]

  mutating func beginArray(line: Int) {
    (coordinateCount, positionLine) = (0, line)
    position = (.nan, .nan, .nan)
  }

  mutating func add(coordinate: Double) {
    switch coordinateCount {
    case 0: position.longitude = coordinate
    case 1: position.latitude = coordinate
    case 2: position.altitude = coordinate
    default: break
    }
    coordinateCount += 1
  }

  /// Ends a position, or an array of positions.
  mutating func endArray() {
    guard coordinateCount > 0 else {
      if starts.last ?? 0 < lines.count { starts.append(lines.count) }
      return
    }
    coordinateCount = 0
    guard !position.longitude.isNaN, !position.latitude.isNaN else { return invalidCount += 1 }
    guard lines.count < Self.limit else { return excessCount += 1 }
    positions.append(position.longitude)
    positions.append(position.latitude)
    positions.append(position.altitude)
    lines.append(Int32(clamping: positionLine))
  }

  mutating func endGeometry() {
    if kind == .none { kind = type }
    type = .none
  }

  // MARK: Properties

  mutating func set(device index: Int32?, _ property: Property) {
    guard let index, device.map({ $0.rank >= property.rank }) ?? true else { return }
    device = (index, property.rank)
  }

  mutating func beginList(_ property: Property) {
    guard let place = place(of: property) else { return }
    values[place].isList = true
  }

  mutating func add(time: Timestamp?, _ value: JSONToken, _ property: Property) {
    guard let place = place(of: property) else { return }
    if time == nil, value != .null { note(property, FixField.time.expectation) }
    if values[place].count < Self.limit { values[place].times.append(time) }
  }

  /// Adds a number; a negative one other than a height means "unknown".
  mutating func add(_ number: Double?, _ value: JSONToken, _ property: Property) {
    guard let place = place(of: property) else { return }
    if number == nil, value != .null { note(property, property.role.field.expectation) }
    var converted = (number ?? .nan) * property.unit.factor / property.unit.divisor
    if converted < 0, !property.role.field.mayBeNegative { converted = .nan }
    if values[place].count < Self.limit { values[place].numbers.append(converted) }
  }

  /// The values of a property, or nil when a better property has the same role.
  private mutating func place(of property: Property) -> Int? {
    if let place = values.firstIndex(where: { $0.property.role == property.role }) {
      let rank = values[place].property.rank
      if property.rank < rank { values[place] = Values(property: property) }
      return property.rank > rank ? nil : place
    }
    values.append(Values(property: property))
    return values.count - 1
  }

  private mutating func note(_ property: Property, _ expected: String) {
    if problem == nil {
      problem = "the \(property.role.name) is not \(expected); it is left out"
    }
  }

  // MARK: Fixes

  /// Emits the fixes, or what is planned; returns what is wrong with them.
  func finish(into batch: inout TraceBatch) -> String? {
    guard !isArea, !isEmpty else {
      batch.mark(.otherRecord)
      return nil
    }
    let isLine = kind == .lines || lines.count > 1
    let known = isLine ? values.filter(\.isList) : values
    let timeCount = known.first { $0.property.role == .time }?.times.count ?? 0
    guard timeCount > 0 else {
      for index in lines.indices {
        let place = fix(index, []).coordinate
        batch.mark(kind == .points ? .waypoint(place, name: name) : .routePoint(place))
      }
      return invalidProblem
    }
    if isLine { batch.mark(.track(name: name)) }
    var (nextStart, laterStarts) = (0, starts.makeIterator())
    for index in lines.indices {
      if isLine, index == nextStart {
        batch.mark(.segment)
        nextStart = laterStarts.next() ?? lines.count
      }
      batch.points.append(
        TracePoint(fix: fix(index, known), line: Int(lines[index]), device: device?.index))
    }
    if excessCount > 0 {
      return "the line has \(lines.count + excessCount) positions, of which the first "
        + "\(Self.limit) are read; split it into several Features"
    }
    if timeCount != lines.count {
      return "the line has \(timeCount) times and \(lines.count) positions"
    }
    return problem ?? invalidProblem
  }

  private var invalidProblem: String? {
    invalidCount == 0
      ? nil : "\(invalidCount) of the coordinates are not longitude and latitude; left out"
  }

  private func fix(_ index: Int, _ values: [Values]) -> Fix {
    var fix = NDJSONRecord.blank
    fix.coordinate.longitude = positions[index * 3]
    fix.coordinate.latitude = positions[index * 3 + 1]
    let altitude = positions[index * 3 + 2]
    if !altitude.isNaN { fix.altitude = altitude }
    for list in values where index < list.count {
      if list.property.role == .time {
        fix.time = list.times[index]
      } else if !list.numbers[index].isNaN {
        _ = fix.set(list.property.role.field, list.numbers[index])
      }
    }
    return fix.estimatingAccuracy
  }
}
