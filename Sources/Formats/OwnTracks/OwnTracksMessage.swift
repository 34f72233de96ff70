import Geodesy
internal import Text
import Tracking

/// A message of an OwnTracks app while it is read (OwnTracks Booklet, "JSON").
///
/// Old apps write numbers as texts. A negative speed, course or accuracy, or an accuracy of 0, is
/// unknown. The accuracy is what the phone's system reports: Android defines it as a 68 % radius.
struct OwnTracksMessage: Sendable {
  /// The position and what belongs to it.
  private(set) var fix = NDJSONRecord.blank
  /// The two characters that a user gives to a device.
  private(set) var device: JSONSlice?
  /// Whether it is a position, and not a message of another type.
  private(set) var isLocation = false
  /// What is wrong with a position.
  private(set) var problems: [JSONError] = []
  private var hasAltitude = true

  var hasPosition: Bool {
    !fix.coordinate.latitude.isNaN && !fix.coordinate.longitude.isNaN
  }

  /// Reads the rest of an object after its opening brace.
  mutating func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONError) {
    let start = scanner.tokenOffset
    (fix, device, isLocation, hasAltitude) = (NDJSONRecord.blank, nil, false, true)
    problems.removeAll(keepingCapacity: true)
    while let key = try scanner.nextKey(in: bytes) {
      guard let field = Self.field(key, bytes) else {
        try scanner.skipValue(in: bytes)
        continue
      }
      let token = try scanner.nextValue(in: bytes)
      switch token {
      case .string(let slice), .number(let slice): use(field, slice, scanner.tokenOffset, bytes)
      case .null, nil: break
      case let token?:
        report(field, token.description, scanner.tokenOffset)
        try scanner.skipRest(of: token, in: bytes)
      }
    }
    if !hasAltitude { fix.altitude = nil }
    if isLocation, !hasPosition, problems.isEmpty {
      problems.append(JSONError(offset: start, message: "there is no lat and lon, expected both"))
    }
  }

  private mutating func use(
    _ field: FixField, _ slice: JSONSlice, _ place: Int, _ bytes: Span<UInt8>
  ) {
    switch field {
    case .type: isLocation = slice.equals("location", in: bytes)
    case .device: device = slice.range.isEmpty ? nil : slice
    case .time:
      fix.time = TimeText.parse(bytes.extracting(slice.range))
      if fix.time == nil { report(field, bytes.quoted(slice.range), place) }
    default:
      guard let value = slice.number(in: bytes) else {
        return report(field, bytes.quoted(slice.range), place)
      }
      set(field, value)
    }
  }

  private mutating func set(_ field: FixField, _ value: Double) {
    switch field {
    case .accuracy, .verticalAccuracy:
      if field == .verticalAccuracy, value < 0 { hasAltitude = false }
      if value > 0 { _ = fix.set(field, value) }
    case .speed: fix.speed = value < 0 ? nil : value / 3.6
    case .course: fix.course = value < 0 ? nil : value
    default: _ = fix.set(field, value)
    }
  }

  private static func field(_ key: JSONSlice, _ bytes: Span<UInt8>) -> FixField? {
    for (name, field) in names where key.equals(name, in: bytes) { return field }
    return nil
  }

  private static let names: [(StaticString, FixField)] = [
    ("_type", .type), ("lat", .latitude), ("lon", .longitude), ("tst", .time), ("acc", .accuracy),
    ("vel", .speed), ("cog", .course), ("alt", .altitude), ("vac", .verticalAccuracy),
    ("tid", .device),
  ]

  private mutating func report(_ field: FixField, _ found: String, _ offset: Int) {
    let name = Self.names.first { $0.1 == field }.map { "\($0.0)" } ?? field.name
    let expected = field == .speed ? "a number of kilometres per hour" : field.expectation
    problems.append(JSONError(offset: offset, message: "\(name) is \(found), expected \(expected)"))
  }
}
