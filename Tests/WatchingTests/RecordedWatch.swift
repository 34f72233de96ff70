import EventLog
import GPSD
@testable import Playing
import Receivers
@testable import Session
@testable import System
import TestSupport
import Testing
import Tracking
@testable import Watching

/// A watch of several sources without sockets: its sessions, its recording and its log.
final class RecordedWatch {
  let folder: ScratchFolder
  private(set) var sources: [WatchedSource]
  let start = ContinuousClock.now
  var sessions: [LiveSession]
  var recording: SharedRecording
  var entries: [LogEntry] = []
  var last = 0
  /// Those of the last replay.
  var totals = SessionTotals()

  /// All kinds but problems, whose messages name a file or an address.
  static let kinds = Set(LogEntry.Kind.allCases).subtracting([.problem])

  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"

  init(_ names: [String], rotation: RecordingRotation = .never) throws {
    folder = try ScratchFolder()
    sources = Self.sources(names)
    recording = try SharedRecording(
      path: folder.file("trip.jsonl"), header: RecordingHeader(sources), rotation: rotation)
    let rules = try Rules.watched()
    sessions = sources.map {
      LiveSession(rules: rules, kinds: Self.kinds, device: $0.device, source: $0.device)
    }
    for (index, source) in sources.enumerated() {
      sessions[index].receive(RecordingHeader([source]).lines()[...], at: start)
    }
  }

  private static func sources(_ names: [String]) -> [WatchedSource] {
    names.map { WatchedSource(address: GPSDAddress(host: $0), device: $0) }
  }

  func hear(_ text: String, of source: Int, at second: Double) {
    last = source
    recording.append(Array(text.utf8)[...], of: source) {
      if case .rotated = $0 { return }
      Issue.record("\($0.description)")
    }
    sessions[source].receive(Array(text.utf8)[...], at: start + .seconds(second))
    entries += sessions[source].takeEntries()
  }

  /// Three drives, whose lines come in any order.
  func hearDrives(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var drives = (0..<3).map { number in
      var session = GPSDSession(seed: seed &* 7 &+ UInt64(number))
      session.drive(seconds: number * 3..<150)
      session.connect()
      session.drive(seconds: 155 + number..<400)
      return session.text.split(whereSeparator: \.isNewline).map { "\($0)\r\n" }[...]
    }
    while drives.contains(where: { !$0.isEmpty }) {
      let source = Int.random(in: 0..<3, using: &generator)
      let count = Int.random(in: 1...5, using: &generator)
      let lines = drives[source].prefix(count)
      drives[source] = drives[source].dropFirst(count)
      if !lines.isEmpty { hear(lines.joined(), of: source, at: 0) }
    }
  }

  /// Time passes in silence, and each gpsd has answered.
  func wait(until second: Double) {
    for source in sessions.indices {
      while let deadline = sessions[source].advance(at: start + .seconds(second)) {
        recording.append(deadline: deadline, of: source) { Issue.record("\($0.description)") }
        entries += sessions[source].takeEntries()
      }
    }
  }

  func end() -> [String] {
    finish()
    return loggedLines(entries)
  }

  private func finish() {
    for source in [last] + sessions.indices.filter({ $0 != last }) {
      sessions[source].receive([], at: start, isFinal: true)
      entries += sessions[source].takeEntries()
    }
  }

  /// The program ends, and starts again without a state.
  ///
  /// - Parameter names: The new names of its devices.
  func restart(rotation: RecordingRotation, names: [String]? = nil) throws {
    finish()
    if let names { (sources, last) = (Self.sources(names), 0) }
    let header = RecordingHeader(sources)
    // The lock of the first program goes with it.
    recording = try SharedRecording(path: folder.file("none"), header: header)
    recording = try SharedRecording(
      path: folder.file("trip.jsonl"), header: header, rotation: rotation, isFresh: true)
    let rules = try Rules.watched()
    sessions = sources.map {
      LiveSession(rules: rules, kinds: Self.kinds, device: $0.device, source: $0.device)
    }
    for (index, source) in sources.enumerated() {
      sessions[index].receive(RecordingHeader([source]).lines()[...], at: start)
    }
  }

  /// The files of the recording, in the order of their names.
  var files: [String] {
    get throws { try folder.names().filter { $0.hasPrefix("trip") }.sorted().map(folder.file) }
  }

  /// The log of a replay of the recording, or of some files.
  ///
  /// - Parameter warn: Called with remarks on the files, and with messages of the replay.
  func replayed(
    threads: Int = 1, _ kinds: Set<LogEntry.Kind> = kinds, files: [String]? = nil,
    warn: @escaping (String) -> Void = { _ in }
  ) throws -> [String] {
    // Not beside the recording, whose folder may be read as a whole.
    let logs = try ScratchFolder()
    let log = logs.file("log")
    let rules = try Rules.watched()
    let feeds = try TraceFeed.open(files ?? self.files, threads: threads, remark: warn)
    var replay = Replay(
      feeds: feeds, rules: rules, device: nil, kinds: kinds,
      output: EventLogFile(
        file: try OutputFile(path: log), format: .jsonl, fences: rules.fences), threads: threads)
    replay.warn = warn
    totals = try replay.run()
    return try String(decoding: WholeFile.read(log), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }
}

func expectEqual(
  _ found: [String], _ expected: [String], _ comment: Comment,
  _ location: SourceLocation = #_sourceLocation
) {
  let difference = zip(found, expected).first { $0 != $1 }
  #expect(
    difference == nil, "\(comment): \(difference?.0 ?? "") against \(difference?.1 ?? "")",
    sourceLocation: location)
  #expect(found.count == expected.count, comment, sourceLocation: location)
}
