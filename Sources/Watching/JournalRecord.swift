internal import Geodesy
internal import System
internal import Traces
internal import Tracking

/// A record of a journal: an input of the engine, or how many log entries have been written.
enum JournalRecord: Sendable, Hashable {
  case fix(Fix, line: Int)
  case time(Timestamp)
  case issue(TraceIssue, time: Timestamp?)
  case status(SourceChange)
  case anchor(AnchorChange)
  /// The config was reloaded, and no checkpoint could be written after it.
  case rules(JournalRules)
  /// The following inputs are of the device with this number; at first they are of the first one.
  case device(Int)
  /// A device appeared, and has this number from here on; one that had it was forgotten.
  case appeared(String, number: Int)
  /// The number of entries written since the journal began.
  case written(Int)
  /// The store has the entries of the inputs before it.
  case stored
}

/// Records as bytes: a length and a checksum of four bytes each, then the payload, little-endian.
///
/// Floating-point numbers keep all bits: an engine that replays them must decide the same.
extension JournalRecord {
  /// Bytes before a payload.
  private static let frame = 8
  /// The longest payload, that of many fences; a larger length means damage.
  private static let longest = 1 << 30

  /// Appends the record to the journal of the checkpoint with a number.
  func append(to buffer: inout [UInt8], generation: Int = 0) {
    let start = buffer.count
    var writer = Writer()
    swap(&writer.bytes, &buffer)
    writer.bytes.append(contentsOf: repeatElement(0, count: Self.frame))
    writer.add(self)
    swap(&writer.bytes, &buffer)
    let payload = start + Self.frame
    let length = UInt32(buffer.count - payload)
    let check = Self.check(buffer.span.extracting(payload..<buffer.count), generation)
    for place in 0..<4 {
      buffer[start + place] = UInt8(truncatingIfNeeded: length >> UInt32(8 * place))
      buffer[start + 4 + place] = UInt8(truncatingIfNeeded: check >> UInt32(8 * place))
    }
  }

  /// Reads the records at the start of `bytes`, up to the first that is truncated or damaged, which was
  /// being written when the program was killed.
  ///
  /// - Returns: The records and the offset of their end.
  static func read(
    _ bytes: ArraySlice<UInt8>, generation: Int = 0
  ) -> (records: [JournalRecord], end: Int) {
    var records: [JournalRecord] = []
    var rest = bytes
    while rest.count >= frame {
      var header = Reader(bytes: rest.prefix(frame))
      guard let length = header.word(), let check = header.word(), length <= longest,
        rest.count >= frame + Int(length)
      else { break }
      let payload = rest.dropFirst(frame).prefix(Int(length))
      guard Self.check(payload.span, generation) == check else { break }
      var reader = Reader(bytes: payload)
      guard let record = reader.record() else { break }
      records.append(record)
      rest = rest.dropFirst(frame + Int(length))
    }
    return (records, rest.startIndex)
  }

  /// A checksum that differs between journals: a power cut may leave records of the previous journal
  /// behind the title of the next.
  private static func check(_ bytes: Span<UInt8>, _ generation: Int) -> UInt32 {
    var hash = FNV1a()
    hash.add(bytes)
    // Fibonacci hashing (Knuth, volume 3, 6.4) spreads consecutive numbers.
    let value = hash.value ^ (UInt64(bitPattern: Int64(generation)) &* 0x9E37_79B9_7F4A_7C15)
    return UInt32(truncatingIfNeeded: value ^ (value >> 32))
  }
}

/// Record kinds as bytes.
private enum Code {
  static let fix: UInt8 = 1
  static let time: UInt8 = 2
  static let issue: UInt8 = 3
  static let written: UInt8 = 4
  static let status: UInt8 = 5
  static let device: UInt8 = 6
  static let anchor: UInt8 = 7
  static let appeared: UInt8 = 8
  static let rules: UInt8 = 9
  static let stored: UInt8 = 10
}

extension Fix {
  /// The optional numbers, in the order of their bits.
  static var numbers: [WritableKeyPath<Fix, Double?>] {
    [
      \.horizontalAccuracy, \.altitude, \.verticalAccuracy, \.speed, \.speedAccuracy, \.course,
      \.courseAccuracy, \.hdop, \.vdop, \.pdop, \.ellipsoidalAltitude,
    ]
  }

  /// Their values, without key paths, because they are read at every fix.
  fileprivate var values: InlineArray<11, Double?> {
    [
      horizontalAccuracy, altitude, verticalAccuracy, speed, speedAccuracy, course, courseAccuracy,
      hdop, vdop, pdop, ellipsoidalAltitude,
    ]
  }
}

private struct Writer {
  var bytes: [UInt8] = []

  mutating func add(_ record: JournalRecord) {
    switch record {
    case .fix(let fix, let line):
      bytes.append(Code.fix)
      add(UInt64(line))
      add(fix)
    case .time(let time):
      bytes.append(Code.time)
      add(time)
    case .issue(let issue, let time):
      bytes.append(Code.issue)
      add(issue, time)
    case .written(let count):
      bytes.append(Code.written)
      add(UInt64(count))
    case .stored: bytes.append(Code.stored)
    case .status(let change):
      bytes.append(Code.status)
      add(change)
    case .anchor(let command):
      bytes.append(Code.anchor)
      add(command)
    case .rules(let rules):
      bytes.append(Code.rules)
      bytes += rules.bytes
    case .device(let number):
      bytes.append(Code.device)
      add(UInt64(number))
    case .appeared(let name, let number):
      bytes.append(Code.appeared)
      add(UInt64(number))
      bytes.append(contentsOf: name.utf8)
    }
  }

  private mutating func add(_ fix: Fix) {
    bytes.append(fix.mode.rawValue)
    add(UInt64(bitPattern: Int64(fix.satellites ?? -1)))
    add(fix.coordinate.latitude.bitPattern)
    add(fix.coordinate.longitude.bitPattern)
    add(optional: fix.time)
    var known: UInt64 = 0
    let values = fix.values
    for bit in values.indices where values[bit] != nil { known |= 1 << bit }
    add(known)
    for bit in values.indices { if let value = values[bit] { add(value.bitPattern) } }
  }

  private mutating func add(_ issue: TraceIssue, _ time: Timestamp?) {
    bytes.append(issue.kind.code)
    add(UInt64(issue.line))
    add(UInt64(issue.column))
    add(optional: time)
    bytes.append(contentsOf: issue.message.utf8.prefix(4_096))
  }

  private mutating func add(_ change: SourceChange) {
    bytes.append(change.status.code)
    add(optional: change.time)
    bytes.append((change.duration == nil ? 0 : 1) | (change.occurrence == nil ? 0 : 2))
    if let duration = change.duration { add(duration.bitPattern) }
    if let occurrence = change.occurrence { add(occurrence) }
    bytes.append(change.reason == nil ? 0 : 1)
    bytes.append(contentsOf: (change.reason ?? "").utf8.prefix(4_096))
  }

  private mutating func add(_ command: AnchorChange) {
    bytes.append(command.action.code)
    add(optional: command.time)
    for value in command.values {
      bytes.append(value == nil ? 0 : 1)
      if let value { add(value.bitPattern) }
    }
    bytes.append(command.fence == nil ? 0 : 1)
    bytes.append(contentsOf: (command.fence ?? "").utf8)
  }

  private mutating func add(optional time: Timestamp?) {
    bytes.append(time == nil ? 0 : 1)
    if let time { add(time) }
  }

  private mutating func add(_ time: Timestamp) { add(UInt64(bitPattern: time.nanoseconds)) }

  private mutating func add(_ value: UInt64) {
    for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
  }
}

private struct Reader {
  /// The unread bytes.
  var bytes: ArraySlice<UInt8>

  mutating func record() -> JournalRecord? {
    switch byte() {
    case Code.fix:
      guard let line = count(), let fix = fix() else { return nil }
      return .fix(fix, line: line)
    case Code.time: return time().map { .time($0) }
    case Code.issue: return issue()
    case Code.written: return count().map { .written($0) }
    case Code.stored: return .stored
    case Code.status: return status()
    case Code.anchor: return anchor()
    case Code.rules: return JournalRules(Array(bytes)).map { .rules($0) }
    case Code.device: return count().map { .device($0) }
    case Code.appeared:
      return count().map { .appeared(String(decoding: bytes, as: UTF8.self), number: $0) }
    default: return nil
    }
  }

  mutating func word() -> UInt32? { integer(4).map { UInt32(truncatingIfNeeded: $0) } }

  private mutating func fix() -> Fix? {
    guard let mode = byte().flatMap({ Fix.Mode(rawValue: $0) }), let satellites = long(),
      let latitude = double(), let longitude = double(), let time = optionalTime(),
      let known = long()
    else { return nil }
    var fix = Fix(
      time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    fix.mode = mode
    let count = Int64(bitPattern: satellites)
    fix.satellites = count < 0 ? nil : Int(count)
    for (bit, path) in Fix.numbers.enumerated() where known & (1 << UInt64(bit)) != 0 {
      guard let value = double() else { return nil }
      fix[keyPath: path] = value
    }
    return fix
  }

  private mutating func issue() -> JournalRecord? {
    guard let kind = byte().flatMap({ TraceIssue.Kind(code: $0) }), let line = count(),
      let column = count(), let time = optionalTime()
    else { return nil }
    let message = String(decoding: bytes, as: UTF8.self)
    return .issue(TraceIssue(kind, line: line, column: column, message), time: time)
  }

  private mutating func status() -> JournalRecord? {
    guard let status = byte().flatMap({ SourceChange.Status(code: $0) }), let time = optionalTime(),
      let known = byte()
    else { return nil }
    var change = SourceChange(status, time: time)
    if known & 1 != 0 {
      guard let duration = double() else { return nil }
      change.duration = duration
    }
    if known & 2 != 0 {
      guard let occurrence = long() else { return nil }
      change.occurrence = occurrence
    }
    guard let hasReason = byte() else { return nil }
    if hasReason != 0 { change.reason = String(decoding: bytes, as: UTF8.self) }
    return .status(change)
  }

  private mutating func anchor() -> JournalRecord? {
    guard let action = byte().flatMap({ AnchorChange.Action(code: $0) }), let time = optionalTime()
    else { return nil }
    var values: [Double?] = []
    for _ in 0..<AnchorChange.valueCount {
      guard let isKnown = byte() else { return nil }
      guard isKnown != 0 else {
        values.append(nil)
        continue
      }
      guard let value = double() else { return nil }
      values.append(value)
    }
    guard let hasFence = byte() else { return nil }
    var command = AnchorChange(action)
    command.time = time
    command.values = values
    if hasFence != 0 { command.fence = String(decoding: bytes, as: UTF8.self) }
    return .anchor(command)
  }

  private mutating func optionalTime() -> Timestamp?? {
    guard let isKnown = byte() else { return nil }
    if isKnown == 0 { return .some(nil) }
    return time().map { .some($0) }
  }

  private mutating func time() -> Timestamp? {
    long().map { Timestamp(nanoseconds: Int64(bitPattern: $0)) }
  }

  private mutating func double() -> Double? { long().map { Double(bitPattern: $0) } }
  private mutating func count() -> Int? { long().flatMap { Int(exactly: $0) } }
  private mutating func long() -> UInt64? { integer(8) }
  private mutating func byte() -> UInt8? { integer(1).map { UInt8(truncatingIfNeeded: $0) } }

  private mutating func integer(_ size: Int) -> UInt64? {
    guard bytes.count >= size else { return nil }
    var value: UInt64 = 0
    for (offset, byte) in bytes.prefix(size).enumerated() {
      value |= UInt64(byte) << UInt64(8 * offset)
    }
    bytes = bytes.dropFirst(size)
    return value
  }
}

extension SourceChange.Status {
  fileprivate var code: UInt8 {
    switch self {
    case .fix: 0
    case .noFix: 1
    case .noTime: 2
    case .ignoring: 3
    case .connected: 4
    case .stale: 5
    case .lost: 6
    }
  }

  fileprivate init?(code: UInt8) {
    guard let status = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = status
  }
}

extension AnchorChange {
  fileprivate static let valueCount = 5

  /// The numbers of a command, in the order of the journal.
  fileprivate var values: [Double?] {
    get { [center?.latitude, center?.longitude, radius, bearing, distance] }
    set {
      if let latitude = newValue[0], let longitude = newValue[1] {
        center = Coordinate(latitude: latitude, longitude: longitude)
      }
      (radius, bearing, distance) = (newValue[2], newValue[3], newValue[4])
    }
  }
}

extension AnchorChange.Action {
  fileprivate var code: UInt8 {
    switch self {
    case .set: 0
    case .move: 1
    case .up: 2
    }
  }

  fileprivate init?(code: UInt8) {
    guard let action = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = action
  }
}

extension TraceIssue.Kind {
  fileprivate var code: UInt8 {
    switch self {
    case .record: 0
    case .truncated: 1
    case .malformed: 2
    }
  }

  fileprivate init?(code: UInt8) {
    switch code {
    case 0: self = .record
    case 1: self = .truncated
    case 2: self = .malformed
    default: return nil
    }
  }
}
