internal import Receivers
package import Session
internal import Text
package import Traces
package import Tracking

/// The lines of a recording of gpsd, exactly as gpsd sent them, once or in a loop.
///
/// Three kinds of lines are not sent: answers to the program that recorded (VERSION, WATCH, POLL, ERROR),
/// which clients get for their own requests; lines that Waymark added; and what is no line of gpsd, which
/// is an error.
package struct VerbatimPlayback: FeedSource {
  /// The time span that is played; what is of no time is played with what is before it.
  package var span = TimeSpan()
  /// The time that the first position gets, to the second; nil for the times of the recording.
  package var begin: Timestamp?
  /// Whether it starts over at the end.
  package var loops = false
  /// Gets a line for every error in the recording, in the first pass only.
  package var warn: (String) -> Void
  /// Errors found so far in the first pass.
  package private(set) var issues = 0
  /// Answers to another program, and lines of Waymark, in the first pass.
  private var leftOut = 0
  /// The VERSION of the recorded gpsd with its line end; nil if the recording has none.
  private var greeting: [UInt8]?
  /// The list of receivers with which the recording begins.
  private var list: [UInt8]?

  private let files: RecordingFiles
  private var reader: RecordingReader
  /// The files of the recording after that of the reader.
  private var following: ArraySlice<String>
  private var pace = RecordingPace()
  private var made = ReportSentences()
  /// Lines that were read ahead.
  private var ahead: [Planned] = []
  private var devices: [ServedDevice] = []
  private var announced = 0
  /// Seconds by which all times are later.
  private var shift: Int64 = 0
  private var isFirstPass = true
  /// The time of the last position, in the recording.
  private var lastTime: Timestamp?
  /// When the first and the last position of this pass were due.
  private var played: (first: Timestamp, last: Timestamp)?
  /// Whether a report was read, after which a VERSION is of another connection.
  private var hasBegun = false

  private struct Planned {
    var line: RecordedLine
    /// Nil before the first position.
    var due: Timestamp?
    /// The time of its position, in the recording; nil for other lines.
    var time: Timestamp?
  }

  /// Opens a recording, `-` for standard input.
  ///
  /// - Parameter paths: The file, or those of a rotated recording in any order; at least one.
  package init(paths: [String], warn: @escaping (String) -> Void) throws(TraceError) {
    let files = try RecordingFiles(paths)
    self.files = files
    self.warn = warn
    reader = try RecordingReader(path: files.paths[0])
    following = files.paths.dropFirst()
  }

  /// Reads to the first report, which makes the receivers known.
  package mutating func start() throws(TraceError) {
    while ahead.isEmpty, let planned = try read() {
      // The DEVICES before it is what clients get for their own request.
      if planned.line.kind == .devices {
        list = planned.line.bytes
      } else {
        ahead.append(planned)
      }
    }
    guard isKnown else {
      let first = problems.first.map { "; line \($0.line): \($0.message)" } ?? ""
      throw .unrecognised(
        path: problems.first?.path ?? files.paths[0],
        reason: "this is no recording of gpsd, as --verbatim needs\(first)")
    }
    for remark in files.remarks { warn(remark) }
    for problem in problems { warn(problem) }
    problems = []
  }

  /// Whether anything was read that is of gpsd.
  private var isKnown: Bool { hasBegun || list != nil || greeting != nil }
  /// Problems before anything that is of gpsd; they are those of another kind of file if nothing follows.
  private var problems: [Problem] = []
  private static let mostProblems = 16

  private struct Problem {
    var path: String
    var line: Int
    var offset: Int
    var message: String
  }

  /// What clients get before the first report.
  package mutating func registry() -> DeviceRegistry {
    DeviceRegistry(devices: takeNewDevices(), greeting: greeting, list: list)
  }

  package var remarks: [String] {
    guard leftOut > 0 else { return [] }
    return [
      "\(leftOut) \(leftOut == 1 ? "line" : "lines") not sent: answers to the program that "
        + "recorded, and lines of Waymark"
    ]
  }

  package var mayWait: Bool { ahead.isEmpty && reader.mayWait }

  package mutating func takeNewDevices() -> [ServedDevice] {
    defer { announced = devices.count }
    return Array(devices[announced...])
  }

  package mutating func nextItem() throws(TraceError) -> (item: FeedItem, due: Timestamp)? {
    if let begin { try shiftAll(to: begin) }
    // What is before the first position is due with it.
    if pace.start == nil { try readAhead { $0.due != nil } }
    while true {
      guard let planned = try ahead.isEmpty ? read() : ahead.removeFirst() else {
        guard try startNextPass() else { return nil }
        continue
      }
      lastTime = planned.time ?? lastTime
      guard span.contains(lastTime) else { continue }
      let due = planned.due ?? pace.start ?? Timestamp(nanoseconds: 0)
      if planned.time != nil { played = (played?.first ?? due, due) }
      return (.line(planned.line.shifted(bySeconds: shift)), due)
    }
  }

  /// Most lines that are read ahead.
  private static let mostAhead = 10_000

  /// Reads ahead to a line, if it is near.
  private mutating func readAhead(to isWanted: (Planned) -> Bool) throws(TraceError) {
    guard !ahead.contains(where: isWanted) else { return }
    while ahead.count < Self.mostAhead, let more = try read() {
      ahead.append(more)
      if isWanted(more) { return }
    }
  }

  /// Reads to the first position that is played, and shifts all times with it.
  private mutating func shiftAll(to begin: Timestamp) throws(TraceError) {
    self.begin = nil
    let isFirst = { [span] (planned: Planned) in planned.time.map(span.contains) ?? false }
    try readAhead(to: isFirst)
    guard let first = ahead.first(where: isFirst)?.time else { return }
    let (length, overflow) = begin.nanoseconds.subtractingReportingOverflow(first.nanoseconds)
    if !overflow { shift = length / 1_000_000_000 }
  }

  private mutating func startNextPass() throws(TraceError) -> Bool {
    guard loops else { return false }
    guard let played, let length = pace.length(from: played.first, to: played.last) else {
      warn("cannot loop: no position that is played has a time")
      return false
    }
    let (sum, overflow) = shift.addingReportingOverflow(length)
    guard !overflow, lastTime?.shifted(bySeconds: sum) != nil else {
      warn("cannot loop on: the times of the next pass would be beyond the year 2262")
      return false
    }
    shift = sum
    pace.restart(after: length)
    (isFirstPass, lastTime, self.played) = (false, nil, nil)
    reader = try RecordingReader(path: files.paths[0])
    following = files.paths.dropFirst()
    return true
  }

  // MARK: Reading

  /// The next line that is sent; nil at the end.
  private mutating func read() throws(TraceError) -> Planned? {
    while isKnown || problems.count < Self.mostProblems {
      guard let piece = try reader.next() else {
        guard let next = following.popFirst() else { return nil }
        reader = try RecordingReader(path: next)
        continue
      }
      switch piece {
      case .line(let bytes, let number, let isCut):
        if let planned = take(bytes, ReceiverLine(number: number, isCut: isCut)) { return planned }
      case .tooLong(let number):
        report(number, 0, "found a line longer than \(RecordingReader.longestLine >> 10) KiB")
      case .damaged(let reason, let number):
        report(number, 0, "\(reason); everything before it was read")
      }
    }
    return nil
  }

  private mutating func take(_ bytes: [UInt8], _ line: ReceiverLine) -> Planned? {
    var line = line
    let kind = line.find(in: bytes.span)
    let content = Array(bytes[line.content])
    switch kind {
    case .nothing: return nil
    case .sentence: return plan(sentence: content)
    case .object:
      do throws(JSONError) {
        return take(try RecordedReport(content), line)
      } catch {
        report(line.number, line.content.lowerBound + error.offset, error.message)
        return nil
      }
    case .sentenceAfter, .unknown:
      report(
        line.number, line.content.lowerBound,
        "expected a report of gpsd ({…}) or an NMEA sentence ($…); it is left out")
      return nil
    }
  }

  private mutating func take(_ report: RecordedReport, _ line: ReceiverLine) -> Planned? {
    switch report.name {
    case "":
      self.report(
        line.number, line.content.lowerBound,
        "found an object without class, expected a report of gpsd; it is left out")
      return nil
    case "VERSION":
      if !hasBegun { greeting = greeting ?? report.bytes + Array("\r\n".utf8) }
      leaveOut()
      return nil
    case "WATCH", "POLL", "ERROR", "WAYMARK":
      leaveOut()
      return nil
    case "TPV":
      if let time = report.time { pace.note(time) }
      var planned = plan(report, .position)
      planned.line.sentences = made.sentences(position: report)
      planned.time = report.time
      return planned
    case "SKY":
      made.note(sky: report)
      return plan(report, .sky)
    case "GST":
      made.note(errors: report)
      return plan(report, .errors)
    case "DEVICE": return plan(report, .device)
    case "DEVICES":
      for element in report.list {
        if let path = report.text("path", of: element) { _ = index(of: path) }
      }
      return Planned(line: RecordedLine(kind: .devices, bytes: report.bytes), due: pace.due)
    case "PPS", "TOFF": return plan(report, .timing)
    default: return plan(report, .other)
    }
  }

  private mutating func plan(_ report: RecordedReport, _ kind: RecordedLine.Kind) -> Planned {
    hasBegun = true
    let device = report.device.map { index(of: $0) }
    return Planned(
      line: RecordedLine(kind: kind, bytes: report.bytes, device: device), due: pace.due)
  }

  private mutating func plan(sentence: [UInt8]) -> Planned {
    made.isNeeded = false
    var line = RecordedLine(kind: .sentence)
    line.sentences = sentence + Array("\r\n".utf8)
    return Planned(line: line, due: pace.due)
  }

  private mutating func index(of path: String) -> Int {
    let name = ExactText(path)
    if let known = devices.firstIndex(where: { ExactText($0.path) == name }) { return known }
    devices.append(ServedDevice(recorded: path, activated: pace.last))
    return devices.count - 1
  }

  private mutating func leaveOut() {
    if isFirstPass { leftOut += 1 }
  }

  private mutating func report(_ line: Int, _ offset: Int, _ message: String) {
    guard isFirstPass else { return }
    issues += 1
    let problem = Problem(path: reader.path, line: line, offset: offset, message: message)
    if isKnown { warn(problem) } else { problems.append(problem) }
  }

  private func warn(_ problem: Problem) {
    if issues <= TraceFeed.reportedIssues {
      warn("\(problem.path):\(problem.line):\(problem.offset + 1): \(problem.message)")
    } else if issues == TraceFeed.reportedIssues + 1 {
      warn("\(problem.path): further problems are only counted")
    }
  }
}
