import Geodesy
internal import Text
import Tracking

/// One line of an event log while it is read.
struct NDJSONRecord: Sendable {
  /// The kind of a line.
  enum Kind {
    /// A fix; nil when it, or the state of a device, is invalid for the reasons in
    /// ``NDJSONRecord/issues``.
    case fix(Fix?)
    /// The state of a device, nil without one.
    case deviceState(JSONSlice?)
    /// An event of another type.
    case other
  }

  /// The problems of a fix, reported once the line is known to be one.
  private(set) var issues: [JSONError] = []
  /// The device's name, nil without a name.
  private(set) var device: JSONSlice?
  private var fix = NDJSONRecord.blank
  /// The time as written, and its offset.
  private var timeText: (slice: JSONSlice, offset: Int)?
  private var hasLatitude = false
  private var hasLongitude = false
  /// Whether latitude or longitude are present but not numbers, which is one of the issues.
  private var hasInvalidPosition = false
  /// Whether the device is neither a text nor an integer, which is one of the issues.
  ///
  /// Without its device, a fix would be one of another device.
  private var hasInvalidDevice = false
  /// Whether the line's type is `fix`, nil without a type.
  private var isFix: Bool?
  private var isDeviceState = false
  /// The text of the key `state`.
  private var state: JSONSlice?

  static let blank = Fix(
    time: nil, coordinate: Coordinate(latitude: .nan, longitude: .nan))

  /// Reads the line; false when it is blank.
  mutating func read(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    begin()
    if isBlank(bytes) { return false }
    var scanner = JSONScanner()
    let token = try scanner.nextValue(in: bytes)
    guard let token, token == .beginObject else {
      let found = token?.description ?? "nothing"
      throw JSONError(offset: 0, message: "found \(found), expected a JSON object")
    }
    while let key = try scanner.nextKey(in: bytes) {
      try readMember(key, &scanner, bytes)
    }
    _ = try scanner.next(in: bytes)
    return true
  }

  /// The kind of the line that was read.
  ///
  /// An object without another type and without a position is one of the issues.
  mutating func kind() -> Kind {
    if isDeviceState { return hasInvalidDevice ? .fix(nil) : .deviceState(state) }
    if isFix == false { return .other }
    if hasLatitude, hasLongitude { return .fix(hasInvalidDevice ? nil : fix) }
    let missing: FixField = hasLatitude ? .longitude : .latitude
    if isFix == nil, !hasLatitude, !hasLongitude, issues.isEmpty {
      report(
        0, "found neither a type nor latitude and longitude, expected a fix", code: .unknownRecord)
    } else if !hasInvalidPosition {
      report(0, "there is no \(missing), expected decimal degrees", code: .missingPosition)
    }
    return .fix(nil)
  }

  private mutating func begin() {
    issues.removeAll(keepingCapacity: true)
    device = nil
    (fix, timeText) = (Self.blank, nil)
    (hasLatitude, hasLongitude, isFix) = (false, false, nil)
    (hasInvalidPosition, hasInvalidDevice) = (false, false)
    (isDeviceState, state) = (false, nil)
  }

  private func isBlank(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where !bytes[index].isBlank && bytes[index] != UInt8(ascii: "\r") {
      return false
    }
    return true
  }

  // MARK: Members

  private mutating func readMember(
    _ key: JSONSlice, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    guard let field = FixField.named(key, bytes) else {
      guard key.equals("state", in: bytes) else { return try scanner.skipValue(in: bytes) }
      return try readState(&scanner, bytes)
    }
    let token = try scanner.nextValue(in: bytes)
    let place = scanner.tokenOffset
    switch token {
    case .number(let slice): use(field, number: slice, at: place, bytes)
    case .string(let slice): use(field, text: slice, at: place, bytes)
    case .null, nil: break
    case let token?:
      reportValue(field, token.description, place)
      try scanner.skipRest(of: token, in: bytes)
    }
  }

  /// Reads the value of the key `state`; that of another event is of no use here.
  private mutating func readState(
    _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    switch try scanner.nextValue(in: bytes) {
    case .string(let slice): state = slice
    case let token?: try scanner.skipRest(of: token, in: bytes)
    case nil: break
    }
  }

  private mutating func use(
    _ field: FixField, number slice: JSONSlice, at place: Int, _ bytes: Span<UInt8>
  ) {
    if field == .device, let length = Self.integerLength(bytes.extracting(slice.range)) {
      let start = slice.range.lowerBound
      device = JSONSlice(range: start..<start + length, isEscaped: false)
      return
    }
    guard field.isNumber || field == .time, let value = slice.number(in: bytes) else {
      return reportValue(field, bytes.quoted(slice.range), place)
    }
    if field == .time {
      timeText = (slice, place)
      return
    }
    if field == .latitude { hasLatitude = true }
    if field == .longitude { hasLongitude = true }
    if !fix.set(field, value) { reportValue(field, bytes.quoted(slice.range), place) }
  }

  /// The length of a number that may name a device, as it is an integer; nil for another number.
  ///
  /// Decimals that are 0 do not count: pandas writes 7 as 7.0 once a column had a null.
  static func integerLength(_ number: Span<UInt8>) -> Int? {
    var end = number.count > 0 && number[0] == UInt8(ascii: "-") ? 1 : 0
    while end < number.count, number[end].decimalDigit != nil { end &+= 1 }
    guard end < number.count else { return end }
    guard number[end] == UInt8(ascii: ".") else { return nil }
    for index in end + 1..<number.count where number[index] != UInt8(ascii: "0") { return nil }
    return end
  }

  private mutating func use(
    _ field: FixField, text slice: JSONSlice, at place: Int, _ bytes: Span<UInt8>
  ) {
    switch field {
    case .type:
      isFix = slice.equals("fix", in: bytes)
      isDeviceState = slice.equals("device-state", in: bytes)
    case .device: device = slice.range.isEmpty ? nil : slice
    case .time: timeText = (slice, place)
    case .mode:
      guard let mode = mode(slice, bytes)
      else { return reportValue(field, bytes.quoted(slice.range), place) }
      fix.mode = mode
    default: reportValue(field, "the text \(bytes.quoted(slice.range))", place)
    }
  }

  private func mode(_ slice: JSONSlice, _ bytes: Span<UInt8>) -> Fix.Mode? {
    guard slice.isEscaped else { return Fix.Mode.named(bytes.extracting(slice.range)) }
    return Fix.Mode.named(Array(slice.string(in: bytes).utf8).span)
  }

  /// The time of the line that was read; one that is not valid is one of the issues.
  mutating func time(_ bytes: Span<UInt8>, _ times: inout CSVTimes) -> Timestamp? {
    guard let (slice, offset) = timeText else { return nil }
    let instant: Timestamp?
    if slice.isEscaped {
      instant = times.parse(Array(slice.string(in: bytes).utf8).span)
    } else {
      instant = times.parse(bytes.extracting(slice.range))
    }
    if instant == nil {
      let expected = TimeText.expectation(
        for: bytes.extracting(slice.range), FixField.time.expectation, takesNumbers: true)
      report(
        offset, "time is \(bytes.quoted(slice.range)), expected \(expected)", code: .wrongTime)
    }
    return instant
  }

  // MARK: Issues

  private mutating func reportValue(_ field: FixField, _ found: String, _ offset: Int) {
    if field == .latitude || field == .longitude { hasInvalidPosition = true }
    if field == .device { hasInvalidDevice = true }
    report(offset, "\(field) is \(found), expected \(field.expectation)", code: field.code)
  }

  private mutating func report(_ offset: Int, _ message: String, code: IssueCode) {
    issues.append(JSONError(offset: offset, message: message, code: code))
  }
}
