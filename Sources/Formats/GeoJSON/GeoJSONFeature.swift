import Geodesy
internal import Text
import Traces
import Tracking

/// A Feature while it is read: its positions, and the values of its properties.
///
/// They are held until it ends, as its properties may follow its geometry.
struct GeoJSONFeature: Sendable {
  /// The values of a property.
  private struct Values: Sendable {
    let property: Property
    /// Whether they are a list: a line has no other values.
    var isList = false
    /// NaN where a value is unknown.
    var numbers: [Double] = []
    var times: [Timestamp?] = []
    /// The times that are not read in their zone yet.
    var localPlaces: [Int] = []
    /// What is wrong with the first time that is not valid, here or under a better name.
    var problem: String?
    var hasTime: Bool { times.contains { $0 != nil } }

    mutating func add(_ time: (time: Timestamp, isLocal: Bool)?, _ expected: String?) {
      problem = problem ?? expected.map { property.problem($0) }
      guard times.count < GeoJSONFeature.limit else { return }
      if time?.isLocal == true { localPlaces.append(times.count) }
      times.append(time?.time)
    }

    /// Of these times and others those that are read: they are known, and their name is better.
    func chosen(beside new: Values) -> Values {
      let (best, other) = new.property.isRead(before: property) ? (new, self) : (self, new)
      guard !best.hasTime, other.hasTime else { return best }
      var read = other
      read.problem = best.problem ?? other.problem
      return read
    }
  }

  private enum Kind: Sendable { case none, points, lines, areas }

  var name: String?
  /// Whether it says when it was decided, as a point of an event log does.
  var isEvent = false
  private let line: Int
  private var device: (index: Int32, rank: Int)?
  /// Whether a name of its device is no text and no number: its fixes would be those of another one.
  private var hasUnreadableDevice = false
  private var kind = Kind.none
  /// The type of the geometry that is read.
  private var type = Kind.none
  /// Longitude, latitude and altitude of each position; NaN where they are unknown.
  ///
  /// One that is not valid keeps its place, so the times of those after it stay theirs.
  private var positions: [Double] = []
  private var lines: [Int32] = []
  private var validCount = 0
  /// How many positions precede each line.
  private var starts: [Int] = []
  /// One for each role, and of times a list as well as a single one.
  private var values: [Values] = []
  /// The list of times that is read.
  private var timeList: Values?
  /// How many arrays and objects are open in a time.
  private var timeDepth = 0
  /// The position that is read.
  private var position = (longitude: Double.nan, latitude: Double.nan, altitude: Double.nan)
  /// The numbers of the open array, and how many of them were reported as none.
  private var (coordinateCount, reportedCount) = (0, 0)
  /// Whether the open array has arrays in it.
  private var hasArrays = false
  /// How many arrays are open, and how many when a position is; 0 before the first one.
  private var (depth, positionDepth) = (0, 0)
  /// Empty arrays before the first position, and where they are: lines or positions.
  private var (emptyCount, emptyDepth) = (0, 0)
  private var positionLine = 0
  /// Positions beyond the limit, and those that are not valid and were not reported.
  private var (excessCount, invalidCount) = (0, 0)
  /// The first property that is not valid.
  private var problem: String?

  /// The most positions of a Feature: 36 hours of one a second.
  static let limit = 1 << 17

  init(line: Int) { self.line = line }

  /// Whether it has no valid position.
  private var isEmpty: Bool { validCount == 0 }
  var isArea: Bool { kind == .areas }
  /// Whether it has a position, valid or not.
  var hasPosition: Bool { !lines.isEmpty }
  /// Whether its geometry should have a position and has none, although it has a time.
  var isUnlocated: Bool {
    guard !hasPosition, kind == .points || kind == .lines else { return false }
    return values.contains { $0.property.role == .time && $0.hasTime }
  }

  // MARK: Geometry

  mutating func setType(_ name: Span<UInt8>) {
    for (known, kind) in Self.kinds where name.equals(known) { type = kind }
  }

  private static let kinds: [(StaticString, Kind)] = [
    ("Point", .points), ("MultiPoint", .points), ("LineString", .lines),
    ("MultiLineString", .lines), ("Polygon", .areas), ("MultiPolygon", .areas),
  ]

  mutating func beginArray(line: Int) {
    if depth == 0 { (positionDepth, emptyCount, emptyDepth) = (0, 0, 0) }
    depth += 1
    guard !isInsidePosition else { return }
    // Numbers that stand among positions are each in the place of one.
    addInvalid(coordinateCount)
    invalidCount += coordinateCount - reportedCount
    (coordinateCount, reportedCount, positionLine) = (0, 0, line)
    hasArrays = false
    position = (.nan, .nan, .nan)
  }

  /// Whether the open array stands in the place of a number.
  private var isInsidePosition: Bool { positionDepth > 0 && depth > positionDepth }

  /// Adds a number of a position; returns what it should have been.
  mutating func add(coordinate: Double?, isNull: Bool) -> String? {
    guard depth > 0 else { return isNull ? nil : "an array" }
    guard !isInsidePosition else { return nil }
    guard !hasArrays else {
      addInvalid(1)
      return "a position"
    }
    coordinateCount += 1
    switch coordinateCount {
    case 1: position.longitude = coordinate ?? .nan
    case 2: position.latitude = coordinate ?? .nan
    case 3: position.altitude = coordinate ?? .nan
    default: return nil
    }
    guard coordinate == nil, reportedCount == 0 else { return nil }
    // An altitude may be unknown.
    if coordinateCount == 3, isNull { return nil }
    reportedCount = 1
    return ["a longitude", "a latitude", "an altitude"][coordinateCount - 1]
  }

  /// Ends a position, or an array of positions; returns what is wrong with a position.
  mutating func endArray() -> String? {
    defer { depth -= 1 }
    guard !isInsidePosition else {
      if depth == positionDepth + 1 { coordinateCount += 1 }
      return nil
    }
    let hasReported = reportedCount > 0
    let isPosition = coordinateCount > 0 || !hasArrays && depth == positionDepth
    let hasNothing = coordinateCount == 0 && !hasArrays
    (coordinateCount, reportedCount, hasArrays) = (0, 0, true)
    guard isPosition else {
      if hasNothing {
        emptyCount = depth == emptyDepth ? emptyCount + 1 : 1
        emptyDepth = depth
      }
      if starts.last ?? 0 < lines.count { starts.append(lines.count) }
      return nil
    }
    if positionDepth == 0 {
      positionDepth = depth
      if depth == emptyDepth {
        addInvalid(emptyCount)
        invalidCount += emptyCount
      }
    }
    guard !position.longitude.isNaN, !position.latitude.isNaN else {
      addInvalid(1)
      return hasReported ? nil : "the position has no longitude or no latitude; it is left out"
    }
    append(position.longitude, position.latitude, position.altitude)
    return nil
  }

  private mutating func addInvalid(_ count: Int) {
    for _ in 0..<count { append(.nan, .nan, .nan) }
  }

  private mutating func append(_ longitude: Double, _ latitude: Double, _ altitude: Double) {
    guard lines.count < Self.limit else { return excessCount += 1 }
    positions.append(longitude)
    positions.append(latitude)
    positions.append(altitude)
    lines.append(Int32(clamping: positionLine))
    validCount += latitude.isNaN ? 0 : 1
  }

  private func isValid(_ index: Int) -> Bool { !positions[index * 3 + 1].isNaN }

  mutating func endGeometry() {
    if kind == .none { kind = type }
    type = .none
  }

  // MARK: Properties

  /// Sets the device unless a better property names it; nil where a text is empty or a value null.
  mutating func set(device index: Int32?, _ property: Property) {
    guard let index, device.map({ $0.rank >= property.rank }) ?? true else { return }
    device = (index, property.rank)
  }

  /// Notes that a name of its device is no text and no number.
  mutating func noteUnreadableDevice() { hasUnreadableDevice = true }

  /// Begins an array of values, or an object, which holds none.
  mutating func begin(_ property: Property, isArray: Bool) {
    guard property.role == .time else {
      if isArray, let place = place(of: property) { values[place].isList = true }
      return
    }
    timeDepth += 1
    // The lists in a list are those of the lines of a geometry.
    if isArray, timeDepth == 1 { timeList = Values(property: property, isList: true) }
  }

  /// Ends an array of values, or an object.
  mutating func end(_ property: Property) {
    guard property.role == .time else { return }
    timeDepth -= 1
    guard timeDepth == 0, let list = timeList else { return }
    timeList = nil
    offer(list)
  }

  /// Adds a time; one that is local is as if it were of UTC until ``placeTimes(_:)``.
  mutating func add(
    time: (time: Timestamp, isLocal: Bool)?, _ value: JSONToken, _ property: Property,
    _ bytes: Span<UInt8>
  ) {
    let isNone = time == nil && value != .null
    let expected = isNone ? JSONTime.automatic.expectation(for: value, bytes) : nil
    guard timeList == nil else {
      timeList?.add(time, expected)
      return
    }
    var single = Values(property: property)
    single.add(time, expected)
    offer(single)
  }

  /// Keeps times unless better ones of their kind are known: a list, or a single one.
  private mutating func offer(_ times: Values) {
    let place = values.firstIndex {
      $0.property.role == .time && $0.isList == times.isList
    }
    if let place {
      values[place] = values[place].chosen(beside: times)
    } else {
      values.append(times)
    }
  }

  /// Leaves one of a list of times and a single one: for a line it is the list.
  private mutating func chooseTimes() {
    guard let list = values.firstIndex(where: { $0.property.role == .time && $0.isList }),
      let single = values.firstIndex(where: { $0.property.role == .time && !$0.isList })
    else { return }
    if !isLine { values[list] = values[list].chosen(beside: values[single]) }
    values.remove(at: single)
  }

  /// Chooses the times, and reads local ones in their zone.
  ///
  /// It is followed for each device, which the last of all properties may name.
  mutating func placeTimes(_ times: inout CSVTimes) {
    chooseTimes()
    times.device = device?.index
    for place in values.indices {
      for index in values[place].localPlaces {
        guard let local = values[place].times[index] else { continue }
        let time = times.instant(ofLocal: local)
        if time == nil { note(values[place].property, CSVTimes.zoneExpectation) }
        values[place].times[index] = time
      }
      values[place].localPlaces = []
    }
  }

  /// Adds a number.
  mutating func add(_ number: Double?, _ value: JSONToken, _ property: Property) {
    guard let place = place(of: property) else { return }
    if number == nil, value != .null { note(property, property.role.field.expectation) }
    let converted = (number ?? .nan) * property.unit.factor / property.unit.divisor
    if values[place].numbers.count < Self.limit { values[place].numbers.append(converted) }
  }

  /// The numbers of a property, or nil when a better property has the same role.
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
    if problem == nil { problem = property.problem(expected) }
  }

  // MARK: Fixes

  private var isLine: Bool { kind == .lines || validCount > 1 }

  /// Emits the fixes, or what is planned; returns what is wrong with them.
  func finish(into batch: inout TraceBatch) -> String? {
    guard !isEvent || isLine || isArea else {
      batch.mark(.otherRecord)
      return nil
    }
    guard !isArea, !isEmpty else {
      if isUnlocated { return "the feature has a time and no position" }
      // What is wrong with its positions was reported, or is here.
      if !isArea, hasPosition { return invalidProblem }
      batch.mark(.otherRecord)
      return nil
    }
    let isLine = isLine
    let known = isLine ? values.filter(\.isList) : values
    let times = known.first { $0.property.role == .time }
    let timeCount = times?.times.count ?? 0
    guard timeCount > 0 else {
      for index in lines.indices where isValid(index) {
        let place = fix(index, []).coordinate
        batch.mark(kind == .points ? .waypoint(place, name: name) : .routePoint(place))
      }
      return invalidProblem
    }
    if hasUnreadableDevice, device == nil {
      return "the device is neither a text nor an integer; its fixes are left out"
    }
    if isLine { batch.mark(.track(name: name)) }
    var (nextStart, laterStarts) = (0, starts.makeIterator())
    for index in lines.indices {
      if isLine, index == nextStart {
        batch.mark(.segment)
        nextStart = laterStarts.next() ?? lines.count
      }
      guard isValid(index) else { continue }
      batch.points.append(
        TracePoint(fix: fix(index, known), line: Int(lines[index]), device: device?.index))
    }
    if excessCount > 0 {
      return "the line has \(lines.count + excessCount) positions, of which the first "
        + "\(Self.limit) are read; split it into several Features"
    }
    if isLine || times?.isList == true, timeCount != lines.count {
      return "the line has \(timeCount) times and \(lines.count) positions"
    }
    return problem ?? times?.problem ?? invalidProblem
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
    for list in values {
      // A single value is that of the one position.
      let place = list.isList ? index : 0
      if list.property.role == .time {
        if place < list.times.count { fix.time = list.times[place] }
      } else if place < list.numbers.count, !list.numbers[place].isNaN {
        _ = fix.set(list.property.role.field, list.numbers[place])
      }
    }
    return fix.estimatingAccuracy
  }
}
