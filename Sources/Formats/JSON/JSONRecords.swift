import Geodesy
internal import Text
import Traces
import Tracking

/// Documents of records with plain members: an array of them, an object with such an array, or one.
struct JSONRecords: JSONTraceContent {
  enum Element: JSONTraceElement {
    case root
    /// An array of records.
    case records
    case record
    /// A member of a record, by its place in ``Layout/fields``.
    case field(Int)

    var form: JSONTraceForm {
      switch self {
      case .root: .objectOrArray
      case .records: .array
      case .record: .object
      case .field: .plain
      }
    }
  }

  /// What the members of a format mean.
  struct Layout: Sendable {
    /// The members of the document that hold the records.
    var arrays: [XMLName] = []
    var names: [XMLName] = []
    var fields: [Field] = []

    init(arrays: [String], _ fields: [(String, Field)]) {
      self.arrays = arrays.map { XMLName($0) }
      names = fields.map { XMLName($0.0) }
      self.fields = fields.map(\.1)
    }

    /// The field of a member; nil for a member that is not read.
    func field(_ key: JSONSlice, _ bytes: Span<UInt8>) -> Field? {
      names.firstIndex(of: XMLName(key, bytes)).map { fields[$0] }
    }
  }

  /// What a member of a record means.
  enum Field: Sendable {
    case time
    /// A number in a unit; a negative one is unknown, unless the value may be below 0.
    case number(FixField, CSVUnit = CSVUnit())
    /// Ten millionths of a degree in 32 bits, which some exports write without the sign.
    case degreesE7(FixField)
    /// Latitude and longitude in a text, as `52.5163°, 13.3777°` or `geo:52.5163,13.3777`.
    case coordinates
    /// An accuracy in metres, of which 0 is unknown.
    case positiveAccuracy
    /// A name of the device; that of the lowest rank is used.
    case device(rank: Int)
    /// The kind of the record: only this one is a fix.
    case kind(StaticString)
    /// Whether the record is a fix.
    case validity
  }

  static var root: Element { .root }

  private let layout: Layout
  private var devices = DeviceTable()
  /// The document itself, as a record that it may be.
  private var record = JSONRecord()

  init(_ layout: Layout) { self.layout = layout }

  mutating func member(
    _ key: JSONSlice, of parent: Element, _ bytes: Span<UInt8>
  ) -> Element? {
    let name = XMLName(key, bytes)
    if case .root = parent, layout.arrays.contains(name) { return .records }
    return layout.names.firstIndex(of: name).map { .field($0) }
  }

  func item(of parent: Element) -> Element? { .record }

  mutating func begin(_ element: Element, isArray: Bool, line: Int, into batch: inout TraceBatch) {
    record = JSONRecord(line: line)
  }

  mutating func read(
    _ element: Element, _ value: JSONToken, _ bytes: Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    guard case .field(let place) = element else { return nil }
    return record.read(layout.fields[place], value, bytes, &devices, &batch)
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    switch element {
    case .record: break
    case .root where !record.isEmpty: break
    case .root, .records, .field: return nil
    }
    defer { record = JSONRecord() }
    return record.finish(into: &batch)
  }
}

/// A record while it is read.
struct JSONRecord: Sendable {
  private var line: Int
  private var fix = NDJSONRecord.blank
  private var device: (index: Int32, rank: Int)?
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
    case .time:
      fix.time = value.plainBytes(bytes) { TimeText.parse($0) }
      return fix.time == nil ? FixField.time.expectation : nil
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
      guard let index = value.plainBytes(bytes, { devices.index(of: $0, in: &batch.devices) })
      else { return FixField.device.expectation }
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

  private mutating func set(_ field: FixField, _ number: Double?, _ unit: String) -> String? {
    guard let number else {
      if field == .latitude || field == .longitude { isInvalid = true }
      return unit.isEmpty ? field.expectation : "a number of \(unit)"
    }
    if number < 0, !field.mayBeNegative { return nil }
    return fix.set(field, number) ? nil : field.expectation
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
    // An invalid position is reported already.
    if isInvalid { return nil }
    guard let point else {
      return "the record has no \(hasLatitude ? "longitude" : "latitude"); it is left out"
    }
    batch.points.append(point)
    return nil
  }
}

extension FixField {
  /// Whether a number below 0 is a value; of others it means "unknown".
  var mayBeNegative: Bool {
    switch self {
    case .latitude, .longitude, .altitude, .ellipsoidalAltitude: true
    default: false
    }
  }
}

extension JSONToken {
  /// The value as a message quotes it.
  func quoted(_ bytes: Span<UInt8>) -> String {
    switch self {
    case .string(let slice), .number(let slice): bytes.quoted(slice.range)
    default: description
    }
  }

  /// The number of a number, or of a text that spells one.
  func number(_ bytes: Span<UInt8>) -> Double? {
    switch self {
    case .number(let slice), .string(let slice): slice.number(in: bytes)
    default: nil
    }
  }

  /// Calls `body` with the bytes of a text or of a number as written; nil for any other token, and
  /// for an empty text.
  func plainBytes<Result>(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result?
  ) -> Result? {
    switch self {
    case .number(let slice), .string(let slice):
      guard !slice.range.isEmpty else { return nil }
      guard slice.isEscaped else { return body(bytes.extracting(slice.range)) }
      return body(Array(slice.string(in: bytes).utf8).span)
    default: return nil
    }
  }
}
