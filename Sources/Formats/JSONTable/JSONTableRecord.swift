internal import Text
import Traces
import Tracking

/// A record while it is read.
struct JSONTableRecord: Sendable {
  /// What a member is read for.
  enum Use: Sendable {
    case value
    /// A whole time beside one that may be of a day, whose date may be missing.
    case spareTime
  }

  private(set) var line = 0
  /// Whether one of its objects is a list, which may be a position.
  var hasList = false
  private var fix = FixRecord()
  /// The place of the member that was read for each role.
  private var sources = [Int?](repeating: nil, count: CSVRole.allCases.count)
  private var time: Timestamp?
  /// The time as written, if it is of the zone of the user, which is followed for each device.
  private var localText: [UInt8] = []
  /// A time that may be one of a day, and a day, as written: they are read together.
  private var (timeText, dateText): ([UInt8], [UInt8]) = ([], [])
  /// The best whole time while the one that is read may be of a day.
  private var spare: (source: Int, time: Timestamp?, localText: [UInt8])?

  /// The letters of hemispheres, as written.
  private var letters: (latitude: String?, longitude: String?)

  /// The longest time, bytes.
  private static let longestTime = 64

  mutating func begin(line: Int) {
    self.line = line
    (fix, hasList) = (FixRecord(line: line), false)
    for index in sources.indices { sources[index] = nil }
    (time, spare) = (nil, nil)
    letters = (nil, nil)
    localText.removeAll(keepingCapacity: true)
    timeText.removeAll(keepingCapacity: true)
    dateText.removeAll(keepingCapacity: true)
  }

  var hasPosition: Bool { fix.point != nil }
  /// Whether there is a member for a time, whatever its value.
  var hasTime: Bool { member(of: .time) != nil || member(of: .date) != nil }

  /// The place of the member that was read for a role.
  func member(of role: CSVRole) -> Int? { sources[role.place] }

  /// What a member is read for, although another one of its role may have been; nil for nothing.
  func use(
    of place: Int, _ value: JSONToken, _ bytes: Span<UInt8>, in members: [JSONTableNames.Member]
  ) -> Use? {
    let role = members[place].role
    guard let source = sources[role.place], !hasNoTime(role) else { return .value }
    if let isRead = members[place].isRead(beside: members[source]) {
      // A time of day of UTC decides nothing: whose day it is of is not known.
      let isOfDay =
        isRead
        ? value.plainBytes(bytes) { members[place].times.isTimeOfDay($0) } ?? false
        : !timeText.isEmpty
      if !isOfDay { return isRead ? .value : nil }
    }
    if members[place].rank < members[source].rank { return .value }
    guard role == .time, !timeText.isEmpty else { return nil }
    guard let spare else { return .spareTime }
    let (member, other) = (members[place], members[spare.source])
    return member.isRead(beside: other) ?? (member.rank < other.rank) ? .spareTime : nil
  }

  /// Whether a role is that of a time or a date, and what was read for it is none.
  private func hasNoTime(_ role: CSVRole) -> Bool {
    switch role {
    case .time: time == nil && timeText.isEmpty
    case .date: dateText.isEmpty
    default: false
    }
  }

  /// Reads a value of a member that has a use; returns what it should have been.
  mutating func read(
    _ value: JSONToken, _ bytes: Span<UInt8>, _ member: inout JSONTableNames.Member, _ place: Int,
    for use: Use, _ devices: inout DeviceTable, _ batch: inout TraceBatch
  ) -> String? {
    let role = member.role
    guard !value.isAbsent(bytes) else { return nil }
    if use == .spareTime {
      readSpareTime(value, bytes, &member.times, place)
      return nil
    }
    let former = sources[role.place]
    sources[role.place] = place
    switch role {
    case .device: return fix.read(.device(rank: member.rank), value, bytes, &devices, &batch)
    case .time, .date:
      let expected = readTime(role, value, bytes, &member.times, former)
      // What is no time does not replace one.
      if expected != nil, let former { sources[role.place] = former }
      return expected
    case .latitude, .longitude:
      let degrees = value.plainBytes(bytes) {
        CSVNumber.degrees($0, of: role, separator: UInt8(ascii: ","))
      }
      return fix.set(role.field, degrees.map { member.unit.value($0) }, member.unit.name)
    default:
      let number = value.number(bytes)
      if number == member.absent { return nil }
      return fix.set(role.field, number.map { member.unit.value($0) }, member.unit.name)
    }
  }

  /// Leaves out the speed, as if there were no member for it.
  mutating func leaveOutSpeed() {
    sources[CSVRole.speed.place] = nil
    fix.leaveOutSpeed()
  }

  /// Keeps the letter of a hemisphere; a number, and a word for no value, is not one.
  mutating func keep(letter value: JSONToken, of role: CSVRole, _ bytes: Span<UInt8>) {
    guard !value.isAbsent(bytes), value.number(bytes) == nil else { return }
    let text = value.plainBytes(bytes) { $0.extracting($0.trimmed(0..<$0.count)).string }
    if role == .latitude { letters.latitude = text } else { letters.longitude = text }
  }

  /// Makes coordinates negative where their letters say so; returns what is wrong with a letter.
  mutating func useLetters() -> String? {
    guard hasPosition else { return nil }
    for (role, text) in [(CSVRole.latitude, letters.latitude), (.longitude, letters.longitude)] {
      guard let text else { continue }
      guard let letter = HemisphereLetter(text, of: role) else {
        return "the letter of the \(role.name) is \"\(String(text.prefix(40)).withoutControls)\", "
          + "where \(HemisphereLetter.expectation(of: role)) was expected; the record is left out"
      }
      guard fix.use(letter, of: role) else {
        return "the \(role.name) has a sign beside the letter \(letter.name), where one of both "
          + "was expected; the record is left out"
      }
    }
    return nil
  }

  private mutating func readTime(
    _ role: CSVRole, _ value: JSONToken, _ bytes: Span<UInt8>, _ times: inout CSVTimes,
    _ former: Int?
  ) -> String? {
    let isValid = value.plainBytes(bytes) { text -> Bool? in
      guard text.count <= Self.longestTime else { return nil }
      if role == .date {
        var probe = times.isLocal ? times.withoutOrder : times
        guard probe.parse(text) != nil || times.isDate(text) else { return nil }
        dateText.removeAll(keepingCapacity: true)
        dateText.append(text)
        return true
      }
      let (found, isLocal) = Self.parse(value, text, bytes, &times)
      let mayBeOfDay = found == nil ? times.isTimeOfDay(text) : CSVTimes.isShortNumber(text)
      guard found != nil || mayBeOfDay else { return nil }
      if mayBeOfDay, let former, time != nil, timeText.isEmpty {
        spare = (former, time, localText)
      }
      time = found
      timeText.removeAll(keepingCapacity: true)
      if mayBeOfDay { timeText.append(text) }
      localText.removeAll(keepingCapacity: true)
      if isLocal { localText.append(text) }
      return true
    }
    return isValid == nil ? JSONTime.automatic.expectation(for: value, bytes) : nil
  }

  /// Keeps a whole time, which may not be read: what is none is no problem.
  private mutating func readSpareTime(
    _ value: JSONToken, _ bytes: Span<UInt8>, _ times: inout CSVTimes, _ place: Int
  ) {
    _ = value.plainBytes(bytes) { text -> Bool? in
      guard text.count <= Self.longestTime, !CSVTimes.isShortNumber(text) else { return nil }
      let (found, isLocal) = Self.parse(value, text, bytes, &times)
      guard found != nil else { return nil }
      var written: [UInt8] = []
      if isLocal { written.append(text) }
      spare = (place, found, written)
      return true
    }
  }

  /// A whole time, and whether it is read in the zone of the user at the end of the record.
  private static func parse(
    _ value: JSONToken, _ text: Span<UInt8>, _ bytes: Span<UInt8>, _ times: inout CSVTimes
  ) -> (time: Timestamp?, isLocal: Bool) {
    if times.isLocal {
      // Whose clock it is is not known yet.
      var probe = times.withoutOrder
      if let local = probe.parse(text) { return (local, true) }
    }
    return (times.parse(text) ?? instant(value.exponential(bytes), &times), false)
  }

  /// Reads the whole time in place of a time of day without a date.
  private mutating func preferWholeTime() {
    guard !timeText.isEmpty, dateText.isEmpty, let spare else { return }
    sources[CSVRole.time.place] = spare.source
    (time, localText) = (spare.time, spare.localText)
    timeText.removeAll(keepingCapacity: true)
  }

  /// The instant of a number that programs in Java write as `1.617121013162E12`.
  private static func instant(_ number: Double?, _ times: inout CSVTimes) -> Timestamp? {
    guard let number, number.magnitude < 1e15 else { return nil }
    let (whole, rest) = Int64((number * 1_000).rounded()).quotientAndRemainder(dividingBy: 1_000)
    let decimals = String(rest.magnitude + 1_000).dropFirst()
    return times.parse(Array("\(whole).\(decimals)".utf8).span)
  }

  /// Notes that a name of its device is no text and no number.
  mutating func noteUnreadableDevice() { fix.noteUnreadableDevice() }

  /// The device, as an index of the batch's names.
  var device: Int32? { fix.deviceIndex }

  /// Emits the fix, or the waypoint that a position without a time is; returns what is wrong.
  ///
  /// - Parameter document: The device of the document, for a record that names none.
  mutating func finish(
    _ members: inout [JSONTableNames.Member], document: Int32?, into batch: inout TraceBatch
  ) -> String? {
    guard var point = fix.point else { return fix.finish(into: &batch) }
    preferWholeTime()
    for case let source? in sources { members[source].isUsed = true }
    if fix.isOfUnreadableDevice { return nil }
    point.device = point.device ?? document
    point.fix.time = wholeTime(&members, of: point.device)
    guard hasTime else {
      batch.mark(.waypoint(point.fix.coordinate, name: nil))
      return nil
    }
    point.fix = point.fix.estimatingAccuracy
    batch.points.append(point)
    let isTimeOfDay = point.fix.time == nil && !timeText.isEmpty && dateText.isEmpty
    return isTimeOfDay ? "the record has a time of day and no date" : nil
  }

  /// The time, with the day of a member of its own.
  private func wholeTime(
    _ members: inout [JSONTableNames.Member], of device: Int32?
  ) -> Timestamp? {
    guard let source = member(of: .time) ?? member(of: .date) else { return time }
    members[source].times.device = device
    if !dateText.isEmpty {
      if member(of: .time) == nil { return members[source].times.parse(dateText.span) }
      if !timeText.isEmpty {
        return members[source].times.parse(timeText.span, date: dateText.span)
      }
    }
    return localText.isEmpty ? time : members[source].times.parse(localText.span)
  }
}

extension HemisphereLetter {
  /// The letter that a value is; nil for any other value.
  init?(_ value: JSONToken, of role: CSVRole, _ bytes: Span<UInt8>) {
    guard case .string = value,
      let text = value.plainBytes(bytes, { $0.extracting($0.trimmed(0..<$0.count)).string })
    else { return nil }
    self.init(text, of: role)
  }
}

extension JSONToken {
  /// The value of a number that is written with an exponent.
  fileprivate func exponential(_ bytes: Span<UInt8>) -> Double? {
    guard case .number(let slice) = self,
      slice.range.contains(where: { bytes[$0] | 0x20 == UInt8(ascii: "e") })
    else { return nil }
    return slice.number(in: bytes)
  }

  /// Whether it is a text for no value.
  fileprivate func isAbsent(_ bytes: Span<UInt8>) -> Bool {
    guard case .string(let slice) = self else { return false }
    return slice.range.isEmpty || CSVNumber.isAbsent(bytes.extracting(slice.range))
  }
}
