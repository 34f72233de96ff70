internal import Text

/// A TPV or SKY in the plain form that gpsd itself writes, and its contents.
///
/// libgps reads such lines correctly; other valid JSON it may lose or misread silently. A plain
/// line has the class first, no blanks, no escapes, no null, no exponents, no nested values except
/// the satellites, no relevant key twice, and no more digits than ``GPSDNumber`` can correct. A
/// plain line is valid JSON.
///
/// - Complexity: O(n) for n bytes, without allocation.
package struct GPSDPlainLine: Sendable {
  package enum Kind: Sendable {
    case position, sky
  }

  /// The relevant keys that the line has.
  package struct Fields: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    package static let device = Fields(rawValue: 1 << 0)
    package static let time = Fields(rawValue: 1 << 1)
    package static let mode = Fields(rawValue: 1 << 2)
    package static let status = Fields(rawValue: 1 << 3)
    package static let latitude = Fields(rawValue: 1 << 4)
    package static let longitude = Fields(rawValue: 1 << 5)
    package static let ellipsoidalAltitude = Fields(rawValue: 1 << 6)
    package static let altitude = Fields(rawValue: 1 << 7)
    package static let oldAltitude = Fields(rawValue: 1 << 8)
    package static let speed = Fields(rawValue: 1 << 9)
    package static let course = Fields(rawValue: 1 << 10)
    package static let horizontalError = Fields(rawValue: 1 << 11)
    package static let longitudeError = Fields(rawValue: 1 << 12)
    package static let latitudeError = Fields(rawValue: 1 << 13)
    package static let verticalError = Fields(rawValue: 1 << 14)
    package static let courseError = Fields(rawValue: 1 << 15)
    package static let hdop = Fields(rawValue: 1 << 16)
    package static let vdop = Fields(rawValue: 1 << 17)
    package static let pdop = Fields(rawValue: 1 << 18)
    package static let satellites = Fields(rawValue: 1 << 19)
    package static let variation = Fields(rawValue: 1 << 20)
  }

  package let kind: Kind
  package private(set) var fields: Fields = []
  package private(set) var device = GPSDDeviceKey.unnamed
  package private(set) var mode = 0
  package private(set) var status = 0
  /// Satellites in the list, and those among them that are used.
  package private(set) var satellitesVisible = 0
  package private(set) var satellitesUsed = 0

  private static let position: StaticString = #"{"class":"TPV""#
  private static let sky: StaticString = #"{"class":"SKY""#

  /// Whether counts accompany the list of satellites: only new releases of libgps read them.
  private var hasCounts = false

  /// Nil when the line is not plain.
  package init?(_ line: Span<UInt8>) {
    var cursor = Cursor()
    if cursor.take(Self.position, line) {
      kind = .position
    } else if cursor.take(Self.sky, line) {
      kind = .sky
    } else {
      return nil
    }
    while cursor.take(",", line) {
      guard let key = cursor.key(line), readMember(key, &cursor, line) else { return nil }
    }
    guard cursor.take("}", line), cursor.at == line.count else { return nil }
    if hasCounts, !fields.contains(.satellites) { return nil }
  }

  private mutating func readMember(
    _ key: Range<Int>, _ cursor: inout Cursor, _ line: Span<UInt8>
  ) -> Bool {
    let name = GPSDName(line, key)
    if name == GPSDName("device") { return readDevice(&cursor, line) }
    return switch kind {
    case .position: readPositionMember(name, &cursor, line)
    case .sky: readSkyMember(name, key, &cursor, line)
    }
  }

  private mutating func readDevice(_ cursor: inout Cursor, _ line: Span<UInt8>) -> Bool {
    guard add(.device), let path = cursor.text(line) else { return false }
    device = GPSDDeviceKey(path: line.extracting(path))
    return true
  }

  private mutating func readPositionMember(
    _ name: GPSDName, _ cursor: inout Cursor, _ line: Span<UInt8>
  ) -> Bool {
    switch name {
    case GPSDName("class"): false
    case GPSDName("time"): add(.time) && cursor.time(line)
    case GPSDName("mode"): add(.mode) && cursor.smallInteger(line, into: &mode)
    case GPSDName("status"): add(.status) && cursor.smallInteger(line, into: &status)
    case GPSDName("lat"): add(.latitude) && cursor.degrees(line)
    case GPSDName("lon"): add(.longitude) && cursor.degrees(line)
    case GPSDName("altHAE"): add(.ellipsoidalAltitude) && cursor.number(line)
    case GPSDName("altMSL"): add(.altitude) && cursor.number(line)
    case GPSDName("alt"): add(.oldAltitude) && cursor.number(line)
    case GPSDName("speed"): add(.speed) && cursor.number(line)
    case GPSDName("track"): add(.course) && cursor.number(line)
    case GPSDName("eph"): add(.horizontalError) && cursor.number(line)
    case GPSDName("epx"): add(.longitudeError) && cursor.number(line)
    case GPSDName("epy"): add(.latitudeError) && cursor.number(line)
    case GPSDName("epv"): add(.verticalError) && cursor.number(line)
    case GPSDName("epd"): add(.courseError) && cursor.number(line)
    case GPSDName("magvar"): add(.variation) && cursor.number(line)
    default: cursor.single(line)
    }
  }

  private mutating func readSkyMember(
    _ name: GPSDName, _ key: Range<Int>, _ cursor: inout Cursor, _ line: Span<UInt8>
  ) -> Bool {
    switch name {
    case GPSDName("class"): false
    case GPSDName("hdop"): add(.hdop) && cursor.number(line)
    case GPSDName("vdop"): add(.vdop) && cursor.number(line)
    case GPSDName("pdop"): add(.pdop) && cursor.number(line)
    case .none where line.extracting(key).equals("satellites"):
      add(.satellites) && readSatellites(&cursor, line)
    case GPSDName("uSat"), GPSDName("nSat"): readCount(&cursor, line)
    default: cursor.single(line)
    }
  }

  private mutating func readCount(_ cursor: inout Cursor, _ line: Span<UInt8>) -> Bool {
    hasCounts = true
    var count = 0
    return cursor.smallInteger(line, into: &count)
  }

  private mutating func readSatellites(_ cursor: inout Cursor, _ line: Span<UInt8>) -> Bool {
    guard cursor.take("[", line) else { return false }
    if cursor.take("]", line) { return true }
    repeat {
      guard cursor.take("{", line), readSatellite(&cursor, line) else { return false }
    } while cursor.take(",", line)
    return cursor.take("]", line)
  }

  /// libgps takes an entry of the list for empty unless it has a PRN above 0.
  private mutating func readSatellite(_ cursor: inout Cursor, _ line: Span<UInt8>) -> Bool {
    var (number, isUsed) = (0, false)
    var (hasNumber, hasUsed) = (false, false)
    repeat {
      guard let key = cursor.key(line) else { return false }
      switch GPSDName(line, key) {
      // libgps searches for a class anywhere, and does not return from one in here.
      case GPSDName("class"): return false
      case GPSDName("PRN"):
        guard !hasNumber, cursor.smallInteger(line, into: &number) else { return false }
        hasNumber = true
      case GPSDName("used"):
        guard !hasUsed else { return false }
        hasUsed = true
        if cursor.take("true", line) {
          isUsed = true
        } else if !cursor.take("false", line) {
          return false
        }
      default:
        guard cursor.single(line) else { return false }
      }
    } while cursor.take(",", line)
    satellitesVisible += 1
    if isUsed { satellitesUsed += 1 }
    return number > 0 && cursor.take("}", line)
  }

  /// False when the field has already occurred.
  private mutating func add(_ field: Fields) -> Bool {
    fields.insert(field).inserted
  }
}

/// Parses a plain line; rejects everything that is not plain.
private struct Cursor {
  private(set) var at = 0

  mutating func take(_ text: StaticString, _ line: Span<UInt8>) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= line.count else { return false }
    for index in 0..<count where line[at + index] != (text.utf8Start + index).pointee {
      return false
    }
    at += count
    return true
  }

  private func next(_ line: Span<UInt8>) -> UInt8? {
    at < line.count ? line[at] : nil
  }

  /// A key and the colon after it; libgps accepts at most 30 bytes.
  mutating func key(_ line: Span<UInt8>) -> Range<Int>? {
    guard take("\"", line) else { return nil }
    let start = at
    while let byte = next(line), byte.isNameCharacter { at += 1 }
    let key = start..<at
    guard 1...30 ~= key.count, take("\":", line) else { return nil }
    return key
  }

  /// A text of ASCII without escapes; libgps has room for 126 bytes of a path.
  mutating func text(_ line: Span<UInt8>) -> Range<Int>? {
    guard take("\"", line) else { return nil }
    let start = at
    while let byte = next(line), byte != UInt8(ascii: "\"") {
      guard 0x20..<0x7F ~= byte, byte != UInt8(ascii: "\\") else { return nil }
      at += 1
    }
    let text = start..<at
    guard text.count <= 120, take("\"", line) else { return nil }
    return text
  }

  mutating func degrees(_ line: Span<UInt8>) -> Bool {
    number(line, whole: GPSDNumber.wholeDegreeDigits, decimals: GPSDNumber.degreeDecimals)
  }

  mutating func number(_ line: Span<UInt8>) -> Bool {
    number(line, whole: GPSDNumber.wholeDigits, decimals: GPSDNumber.decimals)
  }

  /// A number with at most so many digits before and after the point.
  private mutating func number(_ line: Span<UInt8>, whole: Int, decimals: Int) -> Bool {
    _ = take("-", line)
    let start = at
    let digits = skipDigits(line)
    guard 1...whole ~= digits, digits == 1 || line[start] != UInt8(ascii: "0") else {
      return false
    }
    guard take(".", line) else { return true }
    return 1...decimals ~= skipDigits(line)
  }

  private mutating func skipDigits(_ line: Span<UInt8>) -> Int {
    let start = at
    while let byte = next(line), byte.decimalDigit != nil { at += 1 }
    return at - start
  }

  /// 0...9999.
  mutating func smallInteger(_ line: Span<UInt8>, into value: inout Int) -> Bool {
    let start = at
    var integer = 0
    while at - start < 4, let digit = next(line)?.decimalDigit {
      integer = integer * 10 + Int(digit)
      at += 1
    }
    value = integer
    return at - start == 1 || (at > start && line[start] != UInt8(ascii: "0"))
  }

  /// An irrelevant value that is neither a list nor an object.
  mutating func single(_ line: Span<UInt8>) -> Bool {
    switch next(line) {
    case UInt8(ascii: "\""): text(line) != nil
    case UInt8(ascii: "t"): take("true", line)
    case UInt8(ascii: "f"): take("false", line)
    default: number(line, whole: 18, decimals: 18)
    }
  }

  /// `"2025-03-10T14:02:07.000Z"` with at most six decimals, a valid instant, in years for which
  /// all readers agree.
  mutating func time(_ line: Span<UInt8>) -> Bool {
    var (year, month, day, hour, minute, second) = (0, 0, 0, 0, 0, 0)
    guard take("\"", line), digits(4, line, into: &year), take("-", line),
      digits(2, line, into: &month), take("-", line), digits(2, line, into: &day),
      take("T", line), digits(2, line, into: &hour), take(":", line),
      digits(2, line, into: &minute), take(":", line), digits(2, line, into: &second)
    else { return false }
    guard 1971...2199 ~= year, hour < 24, minute < 60, second < 60,
      RFC3339.days(year: year, month: month, day: day) != nil
    else { return false }
    if take(".", line) {
      guard 1...6 ~= skipDigits(line) else { return false }
    }
    return take("Z\"", line)
  }

  private mutating func digits(_ count: Int, _ line: Span<UInt8>, into value: inout Int) -> Bool {
    value = 0
    for _ in 0..<count {
      guard let digit = next(line)?.decimalDigit else { return false }
      value = value * 10 + Int(digit)
      at += 1
    }
    return true
  }
}

extension UInt8 {
  /// A letter, a digit or an underscore.
  fileprivate var isNameCharacter: Bool {
    lowercased &- UInt8(ascii: "a") < 26 || decimalDigit != nil || self == UInt8(ascii: "_")
  }
}
