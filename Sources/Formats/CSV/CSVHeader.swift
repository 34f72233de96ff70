internal import Text

/// The meaning of the columns of a CSV file.
struct CSVHeader: Sendable {
  /// A column that is read.
  struct Column: Sendable {
    var role: CSVRole
    let index: Int
    var unit = CSVUnit()
    /// A value that means that there is none; NaN for no such value.
    var absent = Double.nan
    /// Whether its name, the user or a row of units states the unit.
    var isUnitStated = false

    /// The value of a cell's number; nil when it means that there is none.
    @inline(__always)
    func value(_ number: Double) -> Double? {
      number == absent ? nil : unit.value(number)
    }

    /// Whether nothing states its unit.
    var hasAssumedUnit: Bool { unit == CSVUnit() && !isUnitStated }
  }

  /// Why a header is invalid.
  enum HeaderError: Error {
    case missing(CSVRole, found: [String])
    case duplicated(CSVRole, column: Int)
    case unknownColumn(CSVRole, name: String, found: [String])
    case unknownUnit(CSVRole, text: String)
    /// There is no header, and which columns are which is not certain.
    case ambiguous(suggestion: String)

    var message: String {
      switch self {
      case .missing(let role, let found):
        "the header names no column \(role.name), expected at least time, latitude and longitude, "
          + "found \(CSVHeader.list(found)); --columns names others"
      case .duplicated(let role, _):
        "the header names the column \(role.name) twice, remove or rename one"
      case .unknownColumn(let role, let name, let found):
        "there is no column '\(name)' for \(role.name), found \(CSVHeader.list(found))"
      case .unknownUnit(let role, let text):
        "the unit of \(role.name) is '\(text)', expected \(CSVUnit.known(of: role))"
      case .ambiguous(let suggestion):
        "there is no header, and the columns are not certain; number them, as \(suggestion)"
      }
    }
  }

  /// The separator between cells.
  let separator: UInt8
  /// The number of columns.
  let count: Int
  /// The columns that are read, in the order of the table.
  private(set) var columns: [Column] = []
  /// What the user should know: the columns that were recognised, and those that are not read.
  private(set) var notes: [String] = []
  /// The first cell of the rows that are fixes, nil when all are.
  private(set) var kindOfRows: String?
  /// The columns of the letters N or S and E or W, where they have columns of their own.
  private(set) var hemispheres: (latitude: Int?, longitude: Int?) = (nil, nil)
  /// The column of the unit of each row's speed.
  private(set) var speedUnit: Int?
  /// The column that says whether a row is a fix.
  private(set) var validity: Int?
  /// A speed that is left out, as its unit is not known.
  private(set) var unclearSpeed: Int?
  /// Whether latitude and longitude are one cell.
  private(set) var hasJoinedPosition = false
  private var dateOrder = CSVTimes.DateOrder.unknown
  /// Whether a name says that times are of UTC.
  private var isUniversal = false

  static let required: [CSVRole] = [.time, .latitude, .longitude]

  /// Reads the header's cells; the user's choice comes before what their names mean.
  init(
    _ record: CSVRecord, in bytes: Span<UInt8>, separator: UInt8, choice: ColumnChoice
  ) throws(HeaderError) {
    try self.init(record.cells.map { $0.string(in: bytes) }, separator: separator, choice: choice)
  }

  /// Reads the names of columns; the user's choice comes before what they mean.
  init(_ texts: [String], separator: UInt8, choice: ColumnChoice) throws(HeaderError) {
    self.separator = separator
    count = texts.count
    let names = texts.map { CSVColumnName($0.withoutControls) }
    try choose(choice, names)
    hemispheres = CSVHemisphere.columns(names, columns)
    try recognise(names)
    completeTime()
    let producer = CSVProducer(names)
    findPositions(names, producer)
    let found = names.map(\.text)
    for role in Self.required where column(of: role) == nil {
      throw .missing(role, found: found)
    }
    if producer == .ais, choice.columns[.speed] == nil { leaveOutUnclearSpeed(names) }
    use(producer, names)
    let clocks = [CSVRole.time, .date].compactMap { role in
      column(of: role).flatMap { names[$0.index].isUniversal }
    }
    isUniversal = clocks.first ?? false
    columns.sort { $0.index < $1.index }
    note(names)
  }

  /// A table whose columns are known without a header.
  init(columns: [Column], count: Int, separator: UInt8, notes: [String]) {
    (self.columns, self.count, self.separator, self.notes) = (columns, count, separator, notes)
  }

  /// The column of `role`, nil when the table lacks it.
  func column(of role: CSVRole) -> Column? { columns.first { $0.role == role } }

  /// The least number of cells in a record for all required columns.
  var requiredCount: Int {
    let required = columns.filter { Self.required.contains($0.role) }
    return (required.map(\.index).max() ?? 0) + 1
  }

  /// A reader of the times.
  func times(in zone: LocalZone?) -> CSVTimes {
    CSVTimes(
      form: column(of: .time)?.unit.time ?? .automatic, order: dateOrder, zone: zone,
      isUniversal: isUniversal, checksNumbers: true, separator: separator)
  }

  // MARK: Recognition

  private mutating func choose(
    _ choice: ColumnChoice, _ names: [CSVColumnName]
  ) throws(HeaderError) {
    for role in CSVRole.allCases {
      guard let name = choice.columns[role] else { continue }
      let found = names.map(\.text)
      if let index = Self.index(of: name, in: found) {
        columns.append(
          Column(
            role: role, index: index, unit: names[index].unit(of: role),
            isUnitStated: names[index].statesUnit(of: role)))
      } else if let parts = ColumnChoice.parts(of: name),
        let index = Self.index(of: parts.column, in: found)
      {
        columns.append(try Column(role: role, index: index, unitText: parts.unit))
      } else {
        throw .unknownColumn(role, name: name, found: found)
      }
    }
  }

  /// The index of a column that the user named, or numbered from 1.
  private static func index(of name: String, in texts: [String]) -> Int? {
    let key = name.lowercased()
    return texts.firstIndex { $0.lowercased() == key }
      ?? Int(name).flatMap { texts.indices.contains($0 - 1) ? $0 - 1 : nil }
  }

  private mutating func recognise(_ names: [CSVColumnName]) throws(HeaderError) {
    typealias Candidate = (column: Column, rank: Int, name: CSVColumnName)
    var best: [CSVRole: Candidate] = [:]
    // Times and days that are not marked as UTC, better those that are marked as local.
    var local: [CSVRole: Candidate] = [:]
    let letters = [hemispheres.latitude, hemispheres.longitude]
    for (index, name) in names.enumerated()
    where !letters.contains(index) && !columns.contains(where: { $0.index == index }) {
      guard let (role, rank, unit) = name.meaning, column(of: role) == nil else { continue }
      let named = Column(
        role: role, index: index, unit: unit, isUnitStated: name.statesUnit(of: role))
      let candidate: Candidate = (named, rank, name)
      if role.field == .time, name.isUniversal != true,
        local[role].map({ rank < $0.rank && $0.name.isUniversal == nil }) ?? true
          || name.isUniversal == false && local[role]?.name.isUniversal == nil
      {
        local[role] = candidate
      }
      if let other = best[role], role.field == .time,
        let isRead = name.isRead(beside: other.name)
      {
        guard isRead else { continue }
      } else if let other = best[role] {
        // Some loggers give one value in two units.
        let isConverted = other.name.key == name.key && other.column.unit != unit
        if other.name.key == name.key, !isConverted { throw .duplicated(role, column: index) }
        guard rank < other.rank || isConverted && unit == CSVUnit() else { continue }
      }
      best[role] = candidate
    }
    // A day and a time of day go together when both are of UTC, or neither is.
    if let time = best[.time]?.name, let date = best[.date]?.name {
      let isTimeOfDay = ["time", "utctime", "gmttime"].contains(time.key)
      // Another whole time, such as that of a record, is no time of this day.
      if time.isUniversal == true, isTimeOfDay, date.isUniversal != true, let other = local[.time],
        date.isUniversal == false || other.name.isUniversal == false || other.name.key == "time"
      {
        best[.time] = other
      } else if time.isUniversal != true, date.isUniversal == true {
        best[.date] = local[.date] ?? best[.date]
      }
    }
    for role in CSVRole.allCases {
      if let found = best[role]?.column { columns.append(found) }
    }
  }

  /// A date without a time of day beside it is the whole time.
  private mutating func completeTime() {
    guard column(of: .time) == nil, let date = column(of: .date) else { return }
    columns.removeAll { $0.role == .date }
    columns.append(Column(role: .time, index: date.index))
  }

  /// Finds what belongs to a position beside its numbers, and a position in one cell.
  private mutating func findPositions(_ names: [CSVColumnName], _ producer: CSVProducer?) {
    func index(_ keys: String...) -> Int? { names.firstIndex { keys.contains($0.key) } }
    validity = producer?.columns.validity.flatMap { index($0) }
    if let speed = column(of: .speed), speed.hasAssumedUnit {
      speedUnit = names.firstIndex { $0.keys.contains(where: Self.speedUnits.contains) }
    }
    guard column(of: .latitude) == nil, column(of: .longitude) == nil,
      let place = producer?.columns.position.flatMap({ index($0) })
    else { return }
    hasJoinedPosition = true
    columns.append(Column(role: .latitude, index: place))
    columns.append(Column(role: .longitude, index: place))
  }

  /// Names of the unit of a speed, also that of EXIF.
  private static let speedUnits: Set = [
    "speedunit", "speedunits", "speedref", "unitofspeed", "velocityunit", "velocityunits",
  ]

  /// Whether a row must be read as a whole, as a cell depends on another one.
  var isIntertwined: Bool {
    kindOfRows != nil || validity != nil || hasJoinedPosition || column(of: .date) != nil
      || speedUnit != nil
      || hemispheres.latitude != nil || hemispheres.longitude != nil
  }

  /// Uses what a known producer means but does not write.
  private mutating func use(_ producer: CSVProducer?, _ names: [CSVColumnName]) {
    guard let producer else { return }
    (dateOrder, kindOfRows) = (producer.dateOrder, producer.kindOfRows)
    columns = columns.map { column in
      var column = column
      column.role = producer.role(of: column.role)
      if column.hasAssumedUnit, let unit = producer.unit(of: column.role) {
        column.unit = unit
      }
      if let absent = producer.absent(names[column.index].key) { column.absent = absent }
      return column
    }
  }

  /// Leaves out the speed of a ship whose unit no name states, in favour of one with a unit.
  private mutating func leaveOutUnclearSpeed(_ names: [CSVColumnName]) {
    guard speedUnit == nil, let place = columns.firstIndex(where: { $0.role == .speed }),
      ShipSpeed.isUnclear(names[columns[place].index])
    else { return }
    let unclear = columns.remove(at: place).index
    for (index, name) in names.enumerated() where !columns.contains(where: { $0.index == index }) {
      guard let meaning = name.meaning, meaning.role == .speed, !ShipSpeed.isUnclear(name) else {
        continue
      }
      columns.append(
        Column(
          role: .speed, index: index, unit: meaning.unit,
          isUnitStated: name.statesUnit(of: .speed)))
      return
    }
    unclearSpeed = unclear
  }

  /// The header with the units that a row names, and a note on those that change one; nil when the row
  /// is not one of units.
  func withUnits(of record: CSVRecord, in bytes: Span<UInt8>) -> (CSVHeader, note: String?)? {
    let texts = record.cells.map { $0.string(in: bytes) }
    guard texts.count > 1, texts.contains(where: { !$0.isEmpty }),
      texts.allSatisfy({ $0.utf8.allSatisfy { $0.decimalDigit == nil } })
    else { return nil }
    var header = self
    var hasUnit = false
    for (place, column) in columns.enumerated() where column.index < texts.count {
      guard let unit = CSVUnit(written: texts[column.index], of: column.role) else { continue }
      hasUnit = true
      if column.hasAssumedUnit { header.columns[place].unit = unit }
      if column.role == .speed {
        header.notes = notes.map { $0.replacing(Self.assumption, with: "") }
      }
    }
    guard hasUnit else { return nil }
    let changed = header.columns.filter { column in
      columns.contains { $0.index == column.index && $0.unit != column.unit }
    }
    return (
      header,
      changed.isEmpty
        ? nil
        : changed.map { "\($0.role.name) in \($0.unit.name)" }
          .joined(separator: ", ")
    )
  }

  /// Whether a line that begins as a comment is a row all the same.
  func isRow(_ record: CSVRecord, _ bytes: Span<UInt8>) -> Bool {
    guard record.cells.count >= requiredCount, let column = column(of: .latitude) else {
      return false
    }
    let cell = bytes.extracting(bytes.trimmed(record.cells[column.index].range))
    return CSVNumber.degrees(cell, of: .latitude, separator: separator) != nil
  }

  /// Whether a row may be another header: its latitude begins as a name does.
  func mayBeNames(_ record: CSVRecord, _ bytes: Span<UInt8>) -> Bool {
    guard kindOfRows == nil, let place = columns.first(where: { $0.role == .latitude })?.index,
      place < record.cells.count
    else { return false }
    let range = bytes.trimmed(record.cells[place].range)
    guard let first = range.first, 0x61...0x7A ~= bytes[first].lowercased else { return false }
    // `N52.5` and `N 52.5` are numbers.
    return range.count == 1
      || bytes[first + 1].decimalDigit == nil && !bytes[first + 1].isBlank
  }

  /// Whether a row has a position in plain numbers without a sign.
  func hasPlainPosition(_ record: CSVRecord, _ bytes: Span<UInt8>) -> Bool {
    guard record.cells.count >= requiredCount else { return false }
    return [CSVRole.latitude, .longitude].allSatisfy { role in
      guard let column = column(of: role) else { return false }
      let cell = bytes.extracting(bytes.trimmed(record.cells[column.index].range))
      return (CSVNumber.value(cell, separator: separator) ?? -1) >= 0
    }
  }

  private mutating func note(_ names: [CSVColumnName]) {
    let isOwn = columns.allSatisfy {
      names[$0.index].text.lowercased() == $0.role.name.lowercased() && $0.unit == CSVUnit()
    }
    let assumesUnit = speedUnit == nil && !Self.isWritten(names)
    let isClear = !assumesUnit || !columns.contains { $0.role == .speed && $0.hasAssumedUnit }
    if !isOwn || !isClear {
      notes.append(Self.note(columns, assumesUnit: assumesUnit) { "`\(names[$0].text)`" })
    }
    let beside = [hemispheres.latitude, hemispheres.longitude, validity, speedUnit].compactMap {
      $0
    }
    // `convert` writes it for other programs.
    let ownMode = Self.ownMode(names).map { [$0] } ?? []
    let read = Set(columns.map(\.index) + beside + ownMode)
    let unread = names.indices.filter { !read.contains($0) && !names[$0].text.isEmpty }
    if !unread.isEmpty {
      notes.append("columns that are not read: \(Self.list(unread.map { names[$0].text }))")
    }
    if let unclearSpeed { notes.append(ShipSpeed.note(names[unclearSpeed].text)) }
  }

  /// The column of the kinds of fixes in a table that `convert` wrote.
  private static func ownMode(_ names: [CSVColumnName]) -> Int? {
    let texts = names.map(\.text)
    guard texts.starts(with: ["device", "time"]), texts.suffix(2) == ["satellites", "mode"] else {
      return nil
    }
    return texts.count - 1
  }

  /// Whether the header is one that we write: our speeds are metres per second.
  private static func isWritten(_ names: [CSVColumnName]) -> Bool {
    let texts = names.map(\.text)
    return CSVProducer(names) == .eventLog
      || texts.dropFirst(texts.first == "device" ? 1 : 0).starts(with: written)
  }

  private static let written = ["time", "latitude", "longitude", "accuracy", "speed", "course"]
  /// What a note says of a speed whose unit nothing states.
  private static let assumption = " in metres per second (assumed)"

  /// `columns: time = …, latitude = …`.
  ///
  /// - Parameter assumesUnit: Whether it says that the unit of a speed is assumed.
  static func note(
    _ columns: [Column], of kind: String = "columns", assumesUnit: Bool = false,
    name: (Int) -> String
  ) -> String {
    let pairs = columns.map { column in
      let isAssumed = assumesUnit && column.role == .speed && column.hasAssumedUnit
      let named = column.unit.name.isEmpty ? "" : " in \(column.unit.name)"
      let unit = isAssumed ? assumption : named
      return "\(column.role.name) = \(name(column.index))\(unit)"
    }
    return "\(kind): \(pairs.joined(separator: ", "))"
  }

  /// Some names, of a hostile header not all.
  static func list(_ names: [String]) -> String {
    let limit = 20
    let shown = names.prefix(limit).map { String($0.prefix(40)) }.joined(separator: ", ")
    return names.count > limit ? "\(shown), …" : shown
  }
}

extension CSVHeader.Column {
  /// A column whose unit the user gave; nil for none.
  init(role: CSVRole, index: Int, unitText: String?) throws(CSVHeader.HeaderError) {
    self.init(role: role, index: index)
    guard let unitText else { return }
    guard let unit = CSVUnit(written: unitText, of: role) else {
      throw .unknownUnit(role, text: unitText)
    }
    (self.unit, isUnitStated) = (unit, true)
  }
}
