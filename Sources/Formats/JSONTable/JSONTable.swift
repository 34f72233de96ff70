internal import Text
import Traces

/// Records whose members have the names of columns: an array of them, an object that holds one, or a
/// record a line.
///
/// The names are those of a CSV header. The values of an object in a record count as if its name stood
/// before theirs, so `{"coords":{"latitude":52.5}}` is as the column `coords.latitude`. Of several
/// arrays with positions the first is read, and another one is an issue.
struct JSONTable: JSONTraceContent {
  enum Element: JSONTraceElement {
    case root
    /// A member of the document in which records may be, so many levels down.
    case holder(depth: Int)
    /// A record, or an array of records in an array.
    case record(depth: Int)
    /// An object in a record, by its place in ``JSONTableNames/parts``.
    case part(Int)
    /// A value in a record, by its place in ``JSONTableNames/members``.
    case value(Int)
    /// The letter of a hemisphere; where its name may be that of a value, the place of that.
    case letter(orValue: Int?, of: CSVRole)

    var form: JSONTraceForm {
      switch self {
      case .root: .objectOrArray
      case .holder, .record, .part: .any
      case .value, .letter: .plain
      }
    }
  }

  static var root: Element { .root }

  /// What the first record with a position shows of the format; nil before there is one.
  private(set) var finding: Finding?
  /// Whether a record of an array has a position and no time.
  private var hasUntimed = false
  private var names: JSONTableNames
  private var devices = DeviceTable()
  /// The document, which may be a record, and the record of an array that is read.
  private var records = [JSONTableRecord(), JSONTableRecord()]
  /// The place of the open record in ``records``.
  private var current = 0
  /// The members of the document that are open, as far as records may be in them.
  private var holders: [String] = []
  /// The array that is open, by its name, and the one whose records are read.
  private var (openArray, readArray): (String?, String?)
  private var hasOtherArray = false
  private var isDocumentRecord = false
  private var documentCount = 0
  /// Whether the document has a class, as the reports of gpsd.
  private var hasClass = false

  /// How deep in a document an array of records may be, and one in an array.
  private static let mostLevels = 2
  /// The longest name that is looked at, bytes.
  private static let longestName = 128

  init(_ options: ReadingOptions) { names = JSONTableNames(options) }

  // MARK: Structure

  mutating func member(_ key: JSONSlice, of parent: Element, _ bytes: Span<UInt8>) -> Element? {
    guard key.range.count <= Self.longestName else { return nil }
    switch parent {
    case .root:
      let name = key.string(in: bytes)
      if name == "class" { hasClass = true }
      return names.element(name, of: 0) ?? holder(name, depth: 1)
    case .holder(let depth):
      return depth < Self.mostLevels ? holder(key.string(in: bytes), depth: depth + 1) : nil
    case .record: return names.element(key.string(in: bytes), of: 1)
    case .part(let part): return names.element(key.string(in: bytes), of: part)
    case .value, .letter: return nil
    }
  }

  private mutating func holder(_ name: String, depth: Int) -> Element {
    holders.removeLast(max(0, holders.count - depth + 1))
    holders.append(name)
    return .holder(depth: depth)
  }

  func item(of parent: Element) -> Element? {
    switch parent {
    case .root, .holder: .record(depth: 1)
    case .record(let depth): depth < Self.mostLevels ? .record(depth: depth + 1) : nil
    case .part, .value, .letter: nil
    }
  }

  mutating func leaveOut(_ element: Element) {
    guard case .value(let place) = element, names.members[place].role == .device else { return }
    records[current].noteUnreadableDevice()
  }

  func code(of element: Element) -> IssueCode {
    if case .value(let place) = element { names.members[place].code } else { .unknownRecord }
  }

  mutating func begin(_ element: Element, isArray: Bool, line: Int, into batch: inout TraceBatch) {
    switch element {
    case .root:
      (current, holders) = (0, [])
      openArray = isArray ? "" : nil
      records[0].begin(line: line)
    case .holder:
      if isArray { openArray = holders.joined(separator: ".") }
    case .record where !isArray:
      current = 1
      records[1].begin(line: line)
    case .part where isArray: records[current].hasList = true
    case .record, .part, .value, .letter: break
    }
  }

  mutating func read(
    _ element: Element, _ value: JSONToken, _ bytes: Span<UInt8>, into batch: inout TraceBatch
  ) -> String? {
    switch element {
    case .value(let place): return read(place, value, bytes, &batch)
    case .letter(let place, let role):
      guard let place, HemisphereLetter(value, of: role, bytes) == nil else {
        records[current].keep(letter: value, of: role, bytes)
        return nil
      }
      return read(place, value, bytes, &batch)
    case .record:
      // An array of numbers or texts is of another kind, and so is such an item among records.
      if openArray == readArray { batch.mark(.otherRecord) }
      return nil
    case .root, .holder, .part: return nil
    }
  }

  private mutating func read(
    _ place: Int, _ value: JSONToken, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> String? {
    // A device behind the records would be one of those before it.
    if current == 0, readArray != nil, names.members[place].role == .device { return nil }
    guard let use = records[current].use(of: place, value, bytes, in: names.members) else {
      return nil
    }
    return records[current].read(
      value, bytes, &names.members[place], place, for: use, &devices, &batch)
  }

  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String? {
    switch element {
    case .record where current == 1:
      current = 0
      return finishItem(into: &batch)
    case .root:
      defer { documentCount += 1 }
      if !records[0].hasPosition, openArray != nil { return nil }
      return finish(0, into: &batch)
    case .record, .holder, .part, .value, .letter: return nil
    }
  }

  // MARK: Records

  /// Ends a record of an array.
  private mutating func finishItem(into batch: inout TraceBatch) -> String? {
    if records[1].hasPosition, readArray == nil { readArray = openArray }
    guard let readArray, openArray != readArray else {
      return finish(1, into: &batch)
    }
    guard records[1].hasPosition, !hasOtherArray else { return nil }
    hasOtherArray = true
    let (other, first) = (openArray ?? "", readArray)
    batch.mark(
      .issue(
        TraceIssue(
          .record, line: records[1].line, column: 1,
          "the document holds positions in `\(Self.shown(other))` as well as in "
            + "`\(Self.shown(first))`; only the latter are read, put each into a file of its own",
          code: .unknownRecord)))
    return nil
  }

  private static func shown(_ name: String) -> String { String(name.prefix(80)).withoutControls }

  private mutating func finish(_ place: Int, into batch: inout TraceBatch) -> String? {
    find(place)
    isDocumentRecord = isDocumentRecord || place == 0 && records[0].hasPosition
    if names.hasShips, names.leavesOutSpeed(records[place].member(of: .speed)) {
      records[place].leaveOutSpeed()
    }
    if names.hasHemispheres, let problem = records[place].useLetters() { return problem }
    let device = place == 1 ? records[0].device : nil
    if device != nil, let source = records[0].member(of: .device) {
      names.members[source].isUsed = true
    }
    return records[place].finish(&names.members, document: device, into: &batch)
  }

  mutating func finish(into batch: inout TraceBatch) {
    names.note(isDocumentRecord: isDocumentRecord, into: &batch)
  }
}

extension JSONTable {
  /// What a record shows of the format of its document.
  enum Finding {
    /// Records with the names of columns.
    case table
    /// A fix of an event log, whose names are our own.
    case ownFix
    /// Positions that are lists, of which it is not certain which number is which.
    case lists
    /// Positions without times, such as those of places.
    case untimed
  }

  /// Whether nothing that follows changes what was found.
  private var isDecided: Bool { finding != nil || documentCount > 0 }

  private mutating func find(_ place: Int) {
    guard !isDecided else { return }
    let record = records[place]
    if place == 0, hasClass { return }
    if record.hasPosition {
      if place == 0, names.isOwn(record) {
        finding = .ownFix
      } else if record.hasTime {
        finding = .table
      } else {
        hasUntimed = hasUntimed || place == 1
      }
    } else if record.hasList, record.hasTime {
      finding = .lists
    }
  }

  /// What the first document of a text shows; nil where that is not a document of records.
  static func finding(
    in bytes: Span<UInt8>, _ options: ReadingOptions = ReadingOptions(), isFinal: Bool
  ) -> Finding? {
    var decoder = JSONTraceDecoder(JSONTable(options))
    var batch = TraceBatch()
    var (start, end) = (0, 0)
    while end < bytes.count, !decoder.content.isDecided, !decoder.isFinished {
      end = min(end + pieceLength, bytes.count)
      start += decoder.decode(
        bytes.extracting(start..<end), isFinal: isFinal && end == bytes.count, into: &batch)
    }
    return decoder.content.finding ?? (decoder.content.hasUntimed ? .untimed : nil)
  }

  /// Most documents show it in their first bytes.
  private static let pieceLength = 4 << 10
}
