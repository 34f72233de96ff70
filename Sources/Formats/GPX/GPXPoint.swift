internal import Geodesy
internal import Text
internal import Traces
internal import Tracking

/// The point that is being read.
struct GPXPoint: Sendable {
  private var fix = Fix(time: nil, coordinate: Coordinate(latitude: 0, longitude: 0))
  private var line = 0
  private var isPlaced = false
  /// What elevations and dilutions are in this document.
  var habits = GPXHabits()
  /// The device of the track, as an index into ``TraceBatch/devices``; nil when it names none.
  var device: Int32?

  mutating func begin(line: Int) {
    fix = Fix(time: nil, coordinate: Coordinate(latitude: 0, longitude: 0))
    self.line = line
    isPlaced = false
  }

  /// The coordinates; a point without coordinates is not emitted.
  var coordinate: Coordinate {
    get { fix.coordinate }
    set {
      fix.coordinate = newValue
      isPlaced = true
    }
  }

  /// The point when all of it has been read; nil without coordinates.
  var finished: TracePoint? {
    guard isPlaced else { return nil }
    return TracePoint(fix: fix.estimatingAccuracy, line: line, device: device)
  }

  /// Sets a value from its text, none from an empty one; returns whether it is valid.
  mutating func set(_ field: GPXVocabulary.Field, _ value: borrowing Span<UInt8>) -> Bool {
    if value.isEmpty { return true }
    switch field {
    case .time:
      guard let time = RFC3339.parse(value) else { return false }
      fix.time = time
    case .mode:
      guard let mode = GPXText.mode(value) else { return false }
      fix.mode = mode
    case .name, .device: break
    default:
      guard let number = DecimalNumber.parse(value) else { return false }
      return set(field, number)
    }
    return true
  }

  /// Sets the value that begins at `at`, which is advanced past it, in its most common form;
  /// returns whether it is valid.
  @inline(__always)
  mutating func scan(
    _ field: GPXVocabulary.Field, _ bytes: borrowing Span<UInt8>, _ at: inout Int
  ) -> Bool {
    switch field {
    case .time:
      guard let time = RFC3339.scan(bytes, &at) else { return false }
      fix.time = time
      return true
    case .mode:
      let start = at
      while at < bytes.count, at - start < 8, bytes[at] != 0x3C { at += 1 }
      guard GPXPointShapes.isPlain(bytes, start..<at) else { return false }
      return set(.mode, bytes.extracting(start..<at))
    case .name, .device: return false
    default:
      guard let number = DecimalNumber.scan(bytes, &at) else { return false }
      return set(field, number)
    }
  }

  private mutating func set(_ field: GPXVocabulary.Field, _ number: Double) -> Bool {
    // Programs for iOS write -1 for unknown values, as Core Location does.
    let positive = number < 0 ? nil : number
    switch field {
    case .altitude where habits.isEllipsoidal: fix.ellipsoidalAltitude = number
    case .altitude: fix.altitude = number
    case .hdop where habits.hasAccuracyAsHDOP:
      // What is called an accuracy comes before it, and 0 is none.
      if number > 0 { fix.horizontalAccuracy = fix.horizontalAccuracy ?? number }
    case .hdop: fix.hdop = positive
    case .vdop: fix.vdop = positive
    case .pdop: fix.pdop = positive
    case .speed: fix.speed = positive
    case .course: fix.course = number == 360 ? 0 : positive
    case .accuracy: fix.horizontalAccuracy = positive
    case .verticalAccuracy: fix.verticalAccuracy = positive
    case .speedAccuracy: fix.speedAccuracy = positive
    case .courseAccuracy: fix.courseAccuracy = positive
    case .ellipsoidalAltitude: fix.ellipsoidalAltitude = number
    case .satellites:
      guard let count = Int(exactly: number) else { return false }
      fix.satellites = count
    case .name, .device, .time, .mode: break
    }
    return true
  }
}

/// Reads texts that are neither numbers nor times.
enum GPXText {
  /// A name without white space around it; nil when it is empty.
  static func name(_ value: borrowing Span<UInt8>) -> String? {
    let range = trimmed(value)
    guard !range.isEmpty else { return nil }
    var bytes: [UInt8] = []
    // A line end is one line feed, however it is written (XML 1.0 section 2.11).
    for offset in range {
      let isReturn = value[offset] == 0x0D
      if isReturn, offset + 1 < range.upperBound, value[offset + 1] == 0x0A { continue }
      bytes.append(isReturn ? 0x0A : value[offset])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// GPX 1.1 fixType.
  static func mode(_ value: borrowing Span<UInt8>) -> Fix.Mode? {
    let name = ShortName(value, trimmed(value))
    return modes.first { $0.name == name }?.mode
  }

  private static let modes: [(name: ShortName, mode: Fix.Mode)] = [
    (ShortName("none"), .none), (ShortName("2d"), .twoD), (ShortName("3d"), .threeD),
    (ShortName("dgps"), .differential), (ShortName("pps"), .precise),
  ]

  private static func trimmed(_ value: borrowing Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, value.count)
    while start < end, isXMLSpace(value[start]) { start += 1 }
    while end > start, isXMLSpace(value[end - 1]) { end -= 1 }
    return start..<end
  }
}
