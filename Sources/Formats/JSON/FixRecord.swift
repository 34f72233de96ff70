import Geodesy
internal import Text
import Traces
import Tracking

/// A record while it is read.
struct FixRecord: Sendable {
  private var line: Int
  private var fix = NDJSONRecord.blank
  private var device: (index: Int32, rank: Int)?
  /// Whether a name of its device cannot be read, which is reported.
  private var hasUnreadableDevice = false
  /// Whether its time names no zone, and was read as one of UTC.
  private var isLocal = false
  /// Whether it is a record of another kind.
  private var isOther = false
  /// Whether its position is invalid, which is reported.
  private var isInvalid = false
  private(set) var isEmpty = true

  init(line: Int = 0) { self.line = line }

  /// Reads a member; returns what it should have been.
  mutating func read(
    _ field: JSONRecords.Field, _ value: JSONToken, _ bytes: Span<UInt8>,
    _ devices: inout DeviceTable, _ batch: inout TraceBatch
  ) -> String? {
    isEmpty = false
    switch field {
    case .time(let form):
      fix.time = form.instant(value, bytes)
      isLocal =
        fix.time != nil && value.plainBytes(bytes) { RFC3339.isWithoutZone($0) } ?? false
      return fix.time == nil ? form.expectation(for: value, bytes) : nil
    case .number(let field, let unit):
      return set(field, value.number(bytes).map { $0 * unit.factor / unit.divisor }, unit.name)
    case .degreesE7(let field):
      let number = value.number(bytes).map { $0 > Self.largestE7 ? $0 - Self.wordE7 : $0 }
      return set(field, number.map { $0 / 1e7 }, "ten millionths of a degree")
    case .coordinates:
      guard let found = value.plainBytes(bytes, { Self.coordinates($0) }) else {
        isInvalid = true
        return "latitude and longitude as 52.5163°, 13.3777°"
      }
      fix.coordinate = found
      return nil
    case .positiveAccuracy:
      let number = value.number(bytes)
      return number == 0 ? nil : set(.accuracy, number, "")
    case .device(let rank):
      if let device, device.rank < rank { return nil }
      guard let index = value.deviceName(bytes, { devices.index(of: $0, in: &batch.devices) })
      else {
        // An empty text names none.
        if case .string = value { return FixField.device.expectation }
        noteUnreadableDevice()
        return FixField.device.expectation
      }
      device = (index, rank)
      return nil
    case .kind(let name):
      guard case .string(let slice) = value else { return "a text" }
      isOther = !slice.equals(name, in: bytes)
      return nil
    case .validity:
      if value == .bool(false) { isOther = true }
      return nil
    }
  }

  /// 180 degrees, and the range of 32 bits.
  private static let largestE7 = 1.8e9
  private static let wordE7 = 4_294_967_296.0

  /// Notes that a name of its device is no text and no number.
  mutating func noteUnreadableDevice() { hasUnreadableDevice = true }

  /// Whether its device cannot be read, so that it would be taken for a fix of another one.
  var isOfUnreadableDevice: Bool { hasUnreadableDevice && device == nil }

  /// The device, as an index of the batch's names.
  var deviceIndex: Int32? { device?.index }

  /// Sets the time that was read elsewhere; nil where it is none.
  mutating func set(time: Timestamp?) {
    isEmpty = false
    fix.time = time
  }

  /// Reads a time that names no zone in the one of `times`, once it is known whose time it is.
  mutating func settleTime(in times: inout CSVTimes, into batch: inout TraceBatch) {
    guard isLocal, !isOther, let time = fix.time else { return }
    times.device = device?.index
    fix.time = times.instant(ofLocal: time)
    isLocal = false
    guard fix.time == nil else { return }
    let message = "the time is not \(CSVTimes.zoneExpectation); it is left out"
    batch.mark(.issue(TraceIssue(.record, line: line, column: 1, message, code: .wrongTime)))
  }

  /// Sets a number; returns what it should have been.
  mutating func set(_ field: FixField, _ number: Double?, _ unit: String) -> String? {
    guard let number else {
      if field == .latitude || field == .longitude { isInvalid = true }
      return unit.isEmpty ? field.expectation : "a number of \(unit)"
    }
    return fix.set(field, number) ? nil : field.expectation
  }

  mutating func leaveOutSpeed() { fix.speed = nil }

  /// Uses the letter of a hemisphere; false where the number has a sign as well.
  mutating func use(_ letter: HemisphereLetter, of role: CSVRole) -> Bool {
    let value = role == .latitude ? fix.coordinate.latitude : fix.coordinate.longitude
    guard value >= 0 else { return false }
    return fix.set(role.field, letter.isNegative ? -value : value)
  }

  private static func coordinates(_ text: Span<UInt8>) -> Coordinate? {
    let start = text.count > 4 && text.extracting(0..<4).equals("geo:") ? 4 : 0
    guard let comma = text.firstIndex(of: UInt8(ascii: ","), from: start),
      let latitude = degrees(text.extracting(start..<comma)),
      let longitude = degrees(text.extracting(comma + 1..<text.count))
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A number, perhaps with a degree sign.
  private static func degrees(_ text: Span<UInt8>) -> Double? {
    var range = text.trimmed(0..<text.count)
    let sign = range.upperBound - 2
    if sign > range.lowerBound, text.extracting(sign..<range.upperBound).equals("°") {
      range = range.lowerBound..<sign
    }
    return DecimalNumber.parse(text.extracting(range))
  }

  /// The fix, where it has a position.
  var point: TracePoint? {
    let isPlaced = !fix.coordinate.latitude.isNaN && !fix.coordinate.longitude.isNaN
    return isPlaced ? TracePoint(fix: fix, line: line, device: device?.index) : nil
  }

  /// Emits the fix; returns what is wrong with it.
  func finish(into batch: inout TraceBatch) -> String? {
    let hasLatitude = !fix.coordinate.latitude.isNaN
    guard !isOther, isInvalid || hasLatitude || !fix.coordinate.longitude.isNaN else {
      batch.mark(.otherRecord)
      return nil
    }
    // An invalid position or device is reported already.
    if isInvalid || isOfUnreadableDevice { return nil }
    guard let point else {
      return "the record has no \(hasLatitude ? "longitude" : "latitude"); it is left out"
    }
    batch.points.append(point)
    return nil
  }
}
