import Foundation
import Session
import TestSupport
import Testing
import Traces
import Tracking

@testable import Serving

/// A recording of gpsd with every kind of line, and files of it.
private enum Recorded {
  static let session = [
    #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox"}]}"#,
    #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"#
      + #""timing":false,"split24":false,"pps":false}"#,
  ]
  static let reports = [
    #"{"class":"SKY","device":"/dev/ttyACM0","time":"2025-03-10T14:02:07.000Z","hdop":0.9,"#
      + #""satellites":[{"PRN":5,"el":40.0,"az":7.0,"ss":33.0,"used":true},"#
      + #"{"PRN":70,"el":9.0,"az":311.0,"ss":20.0,"used":false}]}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","status":3,"mode":3,"#
      + #""time":"2025-03-10T14:02:07.250Z","lat":1.5,"lon":2.5,"altMSL":9.0,"geoidSep":45.5,"climb":0.1}"#,
    #"{"class":"GST","device":"/dev/ttyACM0","time":"2025-03-10T14:02:07.250Z","rms":4.2,"lat":2.9}"#,
    #"{"class":"ATT","device":"/dev/ttyACM0","time":"2025-03-10T14:02:07.250Z","heading":14.2}"#,
    #"{"class":"TOFF","device":"/dev/ttyACM0","real_sec":1741615327,"real_nsec":250000000,"#
      + #""clock_sec":1741615328,"clock_nsec":1}"#,
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":1,"time":"2025-03-10T14:02:08.250Z"}"#,
  ]
  static let timing = reports[4]
  static let plain = reports.filter { $0 != timing }

  static func folder(_ lines: [String] = session + reports, ending: String = "\n") throws
    -> ScratchFolder
  {
    let folder = try ScratchFolder()
    try folder.write("trip.jsonl", lines.joined(separator: ending) + ending)
    return folder
  }
}

/// A server that plays a recording to one client.
private func play(
  _ folder: ScratchFolder, to forms: [String],
  _ change: (inout VerbatimPlayback) -> Void = { _ in }
) throws -> [[String]] {
  // The file must exist as long as it may be opened again.
  defer { withExtendedLifetime(folder) {} }
  var playback = try VerbatimPlayback(paths: [folder.file("trip.jsonl")]) { _ in }
  change(&playback)
  try playback.start()
  var limits = FeedLimits()
  limits.linger = .milliseconds(20)
  let server = try FeedServer(
    on: [.address(ListenAddress(port: 0))], registry: playback.registry(), limits: limits
  ) { _ in }
  defer { server.shutDown() }
  let clients = try forms.map { form in
    let socket = try Socket(server.addresses[0])
    socket.watch(form)
    return socket
  }
  let heads = try clients.map { try [$0.line(), $0.line(), $0.line()].map { $0 ?? "" } }
  try server.play(&playback, pace: .unlimited)
  return try zip(heads, clients).map { try $0 + $1.rest() }
}

@Suite("A recording of gpsd, sent verbatim,", .timeLimit(.minutes(90)))
struct VerbatimTests {
  @Test("reaches each client as gpsd sent it, as far as the client asks for it")
  func whole() throws {
    let lines = try play(
      Recorded.folder(),
      to: [
        #""json":true"#, #""json":true,"pps":true"#, #""pps":true"#,
        #""json":true,"device":"/dev/ttyACM0""#,
      ])
    #expect(lines[0] == Recorded.session + Recorded.plain)
    #expect(lines[1].prefix(2) == Recorded.session.prefix(2))
    #expect(lines[1].dropFirst(3) == Recorded.reports[...])
    #expect(lines[2].dropFirst(3) == [Recorded.timing])
    #expect(lines[3].dropFirst(3) == Recorded.plain[...])
  }

  @Test("is made sentences for clients of NMEA, with the satellites")
  func sentences() throws {
    let lines = try play(Recorded.folder(), to: [#""nmea":true"#])[0].dropFirst(3)
    #expect(
      lines.map { $0.dropLast(3) } == [
        "$GPRMC,140207.250,A,0130.00000,N,00230.00000,E,,,100325,,,R",
        "$GPGGA,140207.250,0130.00000,N,00230.00000,E,4,01,0.90,9.0,M,45.5,M,,",
        "$GPGSA,A,3,05,,,,,,,,,,,,,0.90,", "$GPGSV,1,1,01,05,40,007,33",
        "$GLGSV,1,1,01,70,09,311,20", "$GPRMC,140208.250,V,,,,,,,100325,,,N",
        "$GPGGA,140208.250,,,,,0,01,0.90,,M,,M,,", "$GPGSA,A,1,05,,,,,,,,,,,,,0.90,",
        "$GPGSV,1,1,01,05,40,007,33", "$GLGSV,1,1,01,70,09,311,20",
      ])
  }

  @Test("keeps the sentences that it has, and makes none beside them")
  func ownSentences() throws {
    let own = "$GPRMC,140207.250,A,0130.00000,N,00230.00000,E,,,100325,,,R*6A"
    let lines = try play(
      Recorded.folder(Recorded.session + [own] + Recorded.reports),
      to: [#""nmea":true"#, #""json":true"#])
    #expect(lines[0].dropFirst(3) == [own])
    #expect(lines[1].dropFirst(3) == Recorded.plain[...])
  }

  @Test("changes nothing but times when they are shifted")
  func shifted() throws {
    // Over a midnight and 300 days, to the second.
    let lines = try play(Recorded.folder(), to: [#""json":true,"pps":true,"nmea":true"#]) {
      $0.begin = noon.advanced(bySeconds: 300 * 86_400 + 36_000.9)
    }[0].dropFirst(3)
    let reports = Recorded.reports.map {
      $0.replacing("2025-03-10T14:02:0", with: "2026-01-05T00:02:0")
        .replacing("1741615327,", with: "1767571327,").replacing("1741615328,", with: "1767571328,")
    }
    #expect(lines.filter { $0.hasPrefix("{") } == reports)
    #expect(
      lines.filter { $0.hasPrefix("$GPRMC") }.map { $0.dropLast(3) } == [
        "$GPRMC,000207.250,A,0130.00000,N,00230.00000,E,,,050126,,,R",
        "$GPRMC,000208.250,V,,,,,,,050126,,,N",
      ])
  }

  @Test("starts over with times that go on")
  func loop() throws {
    let folder = try Recorded.folder()
    defer { withExtendedLifetime(folder) {} }
    var playback = try VerbatimPlayback(paths: [folder.file("trip.jsonl")]) { _ in }
    playback.loops = true
    try playback.start()
    var positions: [(text: String, due: Timestamp)] = []
    while positions.count < 5, let step = try playback.nextItem() {
      guard case .line(let line) = step.item, line.kind == .position else { continue }
      positions.append((String(decoding: line.bytes, as: UTF8.self), step.due))
    }
    #expect(
      positions.map { $0.text.firstMatch(of: /:0\d\.250|:1\d\.250/)?.output } == [
        ":07.250", ":08.250", ":09.250", ":10.250", ":11.250",
      ])
    #expect(positions.map { $0.due.seconds(since: noon) } == [0.25, 1.25, 2.25, 3.25, 4.25])
  }

  @Test("is due from its first position on, also what is before that")
  func due() throws {
    let folder = try Recorded.folder()
    defer { withExtendedLifetime(folder) {} }
    var playback = try VerbatimPlayback(paths: [folder.file("trip.jsonl")]) { _ in }
    try playback.start()
    var dues: [Double] = []
    while let step = try playback.nextItem() { dues.append(step.due.seconds(since: noon)) }
    #expect(dues == [0.25, 0.25, 0.25, 0.25, 0.25, 1.25])
  }

  @Test("is played at its own pace, also when its clock steps back")
  func pace() {
    var pace = RecordingPace()
    let times: [Double] = [0, 1, 2, -7_200, -7_199, -7_199.5, 1e9, 1e9 + 60, 1e9 + 61]
    let dues = times.map { time in
      pace.note(noon.advanced(bySeconds: time))
      return pace.due?.seconds(since: noon)
    }
    #expect(dues == [0, 1, 2, 3, 4, 4, 5, 65, 66])
  }

  @Test("leaves out what is no line of gpsd, with its place, and counts answers to others")
  func faults() throws {
    let folder = try Recorded.folder(
      Recorded.session + [#"{"class":"WAYMARK","recording":1}"#, "oops"] + Recorded.reports
        + [#"{"class":"TPV","mode":3"#, #"{"time":1}"#, #"{"class":"ERROR","message":"x"}"#],
      ending: "\r\n")
    var warnings: [String] = []
    var playback = try VerbatimPlayback(paths: [folder.file("trip.jsonl")]) { warnings.append($0) }
    try playback.start()
    var count = 0
    while try playback.nextItem() != nil { count += 1 }
    #expect(count == Recorded.reports.count)
    #expect(playback.issues == 3)
    #expect(
      warnings.map { $0.components(separatedBy: "trip.jsonl:").last?.prefix(5) } == [
        "5:1: ", "12:24", "13:1:",
      ])
    #expect(
      playback.remarks == [
        "4 lines not sent: answers to the program that recorded, and lines of Waymark"
      ])
  }

  @Test("is a recording of gpsd, or refused", arguments: ["<gpx></gpx>", "time,lat\n1,2", ""])
  func foreign(text: String) throws {
    let folder = try ScratchFolder()
    try folder.write("trip.jsonl", text)
    var playback = try VerbatimPlayback(paths: [folder.file("trip.jsonl")]) { _ in }
    let error = #expect(throws: TraceError.self) { try playback.start() }
    #expect(error?.description.contains("this is no recording of gpsd") == true)
  }

  @Test("is refused with the file of its first bad line")
  func foreignPart() throws {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    for (part, lines) in zip(1..., ["x\ny\nz\n", ""]) {
      let header = #"{"class":"WAYMARK","recording":1,"id":"a","part":\#(part)}"#
      try folder.write("\(part).jsonl", "\(header)\n\(lines)")
    }
    var playback = try VerbatimPlayback(paths: [1, 2].map { folder.file("\($0).jsonl") }) { _ in }
    let error = #expect(throws: TraceError.self) { try playback.start() }
    let text = try #require(error?.description)
    #expect(text.contains("1.jsonl: this is no recording of gpsd"), "\(text)")
    #expect(text.contains("; line 2: expected a report of gpsd"), "\(text)")
  }

  /// A folder with a file of a recording for each report, and their paths, the last one first.
  private func rotated(parts: [Int]) throws -> (folder: ScratchFolder, paths: [String]) {
    let folder = try ScratchFolder()
    for (part, report) in zip(parts, Recorded.reports) {
      let header = #"{"class":"WAYMARK","recording":1,"id":"a","part":\#(part)}"#
      try folder.write("\(part).jsonl", "\(header)\n\(report)\n")
    }
    return (folder, parts.reversed().map { folder.file("\($0).jsonl") })
  }

  @Test("is played with all its files, in their order, also in a loop")
  func rotation() throws {
    let (folder, paths) = try rotated(parts: [1, 2, 4, 9, 10, 11])
    var warnings: [String] = []
    var playback = try VerbatimPlayback(paths: paths) { warnings.append($0) }
    playback.loops = true
    try playback.start()
    var lines: [String] = []
    for _ in 0..<2 * Recorded.reports.count {
      let next = try playback.nextItem()
      guard case .line(let line)? = next?.item else { continue }
      lines.append(String(decoding: line.bytes, as: UTF8.self))
    }
    #expect(Array(lines.prefix(Recorded.reports.count)) == Recorded.reports)
    #expect(lines.count == 2 * Recorded.reports.count)
    #expect(
      warnings
        == ["4", "9"].map {
          "\(folder.file("\($0).jsonl")): a part of the recording is missing before it"
        })
  }

  @Test("is not joined with a file of another recording, or the same one twice")
  func strangers() throws {
    let (folder, paths) = try rotated(parts: [1, 2])
    try folder.write("copy.jsonl", folder.read("2.jsonl"))
    try folder.write("other.jsonl", Recorded.reports[0] + "\n")
    func complaint(_ paths: [String]) -> String? {
      let error = #expect(throws: TraceError.self) {
        try VerbatimPlayback(paths: paths) { _ in }
      }
      return error?.description
    }
    let other = folder.file("other.jsonl")
    #expect(complaint(paths + [other])?.contains("no part of the recording of ") == true)
    #expect(complaint([other] + paths)?.contains("names no part of a recording") == true)
    let copy = complaint(paths + [folder.file("copy.jsonl")])
    #expect(copy?.contains("this is the same part of the recording as ") == true)
    withExtendedLifetime(folder) {}
  }

  @Test("plays a part")
  func span() throws {
    let lines = try play(Recorded.folder(), to: [#""json":true"#]) {
      $0.span.from = noon.advanced(bySeconds: 1)
    }[0].dropFirst(3)
    #expect(lines.filter { $0.contains("TPV") } == [Recorded.reports[5]])
  }

  @Test("answers POLL with the last reports")
  func poll() throws {
    var registry = DeviceRegistry(
      devices: [ServedDevice(recorded: "/dev/ttyACM0", activated: nil)],
      list: Array(Recorded.session[1].utf8))
    for (line, kind) in zip(Recorded.reports, [.sky, .position, .errors] as [RecordedLine.Kind]) {
      registry.note(RecordedLine(kind: kind, bytes: Array(line.utf8), device: 0))
    }
    var buffer: [UInt8] = []
    registry.appendPoll(to: &buffer)
    #expect(
      String(decoding: buffer, as: UTF8.self)
        == #"{"class":"POLL","time":"2025-03-10T14:02:07.250Z","active":1,"tpv":["#
        + "\(Recorded.reports[1])],\"gst\":[\(Recorded.reports[2])],\"sky\":[\(Recorded.reports[0])]}\r\n"
    )
    buffer = []
    registry.appendDevice(0, to: &buffer)
    #expect(
      String(decoding: buffer, as: UTF8.self)
        == #"{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox"}"#)
  }
}

@Suite("Times in sentences")
struct SentenceTimesTests {
  private func sentence(_ body: String) -> String {
    "$\(body)*\(String(format: "%02X", body.utf8.reduce(0, ^)))\r\n"
  }

  private func shifted(_ text: String, _ seconds: Int64) -> String {
    String(decoding: SentenceTimes.shifted(Array(text.utf8), bySeconds: seconds), as: UTF8.self)
  }

  @Test(
    "change with their date and checksum, and nothing else does",
    arguments: [
      ("GPRMC,235959.5,V,,,,,,,311299,,,N", 1, "GPRMC,000000.5,V,,,,,,,010100,,,N"),
      ("GPGGA,000000,,,,,0,,,,M,,M,,", -1, "GPGGA,235959,,,,,0,,,,M,,M,,"),
      ("GNZDA,120000.00,28,02,2024,00,00", 86_400, "GNZDA,120000.00,29,02,2024,00,00"),
      ("GPGLL,1,N,2,E,120000.00,A", 3_600, "GPGLL,1,N,2,E,130000.00,A"),
      ("GPGSV,1,1,00", 5, "GPGSV,1,1,00"), ("GPRMC,,V,,,,,,,,,,N", 5, "GPRMC,,V,,,,,,,,,,N"),
    ])
  func shift(body: String, seconds: Int64, expected: String) {
    #expect(shifted(sentence(body), seconds) == sentence(expected))
    let twice = sentence(body) + sentence("GPGSV,1,1,00") + sentence(body)
    #expect(
      shifted(twice, seconds)
        == sentence(expected) + sentence("GPGSV,1,1,00") + sentence(expected))
  }

  @Test(
    "stay where nothing is sure",
    arguments: ["$GPGGA,000000,,,,,0,,,,M,,M,,*00\r\n", "!AIVDM,1,1,,A,x,0*00\r\n", "$GPGGA,0", ""])
  func unsure(text: String) {
    #expect(shifted(text, 5) == text)
  }
}
