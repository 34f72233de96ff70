internal import Text
import Traces

/// Documents of records with plain members: one, an array, or an object with arrays or a record.
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
    var arrays: [ShortName] = []
    /// The member of the document that is a record.
    var record: ShortName?
    var names: [ShortName] = []
    var fields: [Field] = []
    /// The names of a position, for messages, where a document without one is bad data.
    var position: String?

    init(
      arrays: [String], record: String? = nil, position: String? = nil,
      _ fields: [(String, Field)]
    ) {
      self.position = position
      self.arrays = arrays.map { ShortName($0) }
      self.record = record.map { ShortName($0) }
      names = fields.map { ShortName($0.0) }
      self.fields = fields.map(\.1)
    }

    /// The field of a member; nil for a member that is not read.
    func field(_ key: JSONSlice, _ bytes: Span<UInt8>) -> Field? {
      names.firstIndex(of: ShortName(key, bytes)).map { fields[$0] }
    }
  }

  /// What a member of a record means.
  enum Field: Sendable {
    case time(JSONTime = .automatic)
    /// A number in a unit.
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

    /// What is wrong when a value is not valid.
    var code: IssueCode {
      switch self {
      case .time: .wrongTime
      case .number(let field, _): field.code
      case .degreesE7, .coordinates, .positiveAccuracy: .wrongNumber
      case .device, .kind, .validity: .wrongValue
      }
    }
  }

  static var root: Element { .root }

  private let layout: Layout
  private var times: CSVTimes
  private var devices = DeviceTable()
  /// The document itself, as a record that it may be.
  private var document = FixRecord()
  /// The record that is read, if ``isInRecord``.
  private var record = FixRecord()
  private var isInRecord = false
  private var recordCount = 0
  private var hasPosition = false

  init(_ layout: Layout, _ options: ReadingOptions = ReadingOptions()) {
    self.layout = layout
    times = CSVTimes(form: .automatic, zone: options.zone)
  }

  mutating func member(
    _ key: JSONSlice, of parent: Element, _ bytes: Span<UInt8>
  ) -> Element? {
    let name = ShortName(key, bytes)
    if case .root = parent {
      if layout.arrays.contains(name) { return .records }
      if layout.record == name { return .record }
    }
    return layout.names.firstIndex(of: name).map { .field($0) }
  }

  func item(of parent: Element) -> Element? { .record }

  mutating func leaveOut(_ element: Element) {
    guard case .field(let place) = element, case .device = layout.fields[place] else { return }
    if isInRecord { record.noteUnreadableDevice() } else { document.noteUnreadableDevice() }
  }

  func code(of element: Element) -> IssueCode {
    if case .field(let place) = element { layout.fields[place].code } else { .unknownRecord }
  }

  mutating func begin(_ element: Element, isArray: Bool, line: Int, into batch: inout TraceBatch) {
    switch element {
    case .root: document = FixRecord(line: line)
    case .record:
      record = FixRecord(line: line)
      isInRecord = true
    case .records, .field: break
    }
  }

  mutating func read(
    _ element: Element, _ value: JSONToken, _ bytes: Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    guard case .field(let place) = element else { return nil }
    let field = layout.fields[place]
    return isInRecord
      ? record.read(field, value, bytes, &devices, &batch)
      : document.read(field, value, bytes, &devices, &batch)
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    switch element {
    case .record:
      isInRecord = false
      recordCount += 1
      hasPosition = hasPosition || record.point != nil
      record.settleTime(in: &times, into: &batch)
      return record.finish(into: &batch)
    case .root:
      document.settleTime(in: &times, into: &batch)
      return document.isEmpty ? nil : document.finish(into: &batch)
    case .records, .field: return nil
    }
  }

  mutating func finish(into batch: inout TraceBatch) {
    for note in times.notes(of: times.remarks) { batch.mark(.note(note)) }
    guard let position = layout.position, recordCount > 0, !hasPosition else { return }
    let message = "there is no track: no record has \(position)"
    batch.mark(.issue(TraceIssue(.record, line: 1, column: 1, message, code: .noTrack)))
  }
}
