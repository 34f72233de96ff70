import Locking
import Services
import Session
import Testing
import Traces
import Tracking

/// A clock that moves only when somebody waits.
private final class FakeWall: Sendable {
  private let state = Mutex((now: ContinuousClock.now, waits: [Duration]()))
  /// Cuts each wait short after so long.
  let longestWait: Duration?

  init(longestWait: Duration? = nil) { self.longestWait = longestWait }

  /// What was waited, in seconds.
  var waits: [Double] { state.withLock { $0.waits.map { $0 / .seconds(1) } } }

  func pace(_ speed: Double?) -> Pacer {
    Pacer(
      speed: speed, now: { self.state.withLock { $0.now } },
      sleep: { duration in
        let wait = min(duration, self.longestWait ?? duration)
        self.state.withLock {
          $0.now += wait
          $0.waits.append(wait)
        }
      })
  }
}

@Suite("Sources: a trace")
struct SourcesTraceTests {
  private let folder: SourceFolder

  init() throws { folder = try SourceFolder() }

  /// Plays a trace to its end, or until `isStopped`.
  private func play(
    _ player: inout TracePlayer, pace: Pacer = .unlimited, isStopped: ([SourceSignal]) -> Bool,
    deadline: ([SourceSignal]) -> Timestamp? = { _ in nil }
  ) throws -> [SourceSignal] {
    var signals: [SourceSignal] = []
    // The closures look at what was said so far, which is not said to at that moment.
    try withUnsafeMutablePointer(to: &signals) { said in
      try player.play(
        pace: pace, isStopped: { isStopped(said.pointee) },
        deadline: { deadline(said.pointee) }, sink: { said.pointee.append($0) })
    }
    return signals
  }

  private func play(_ path: String, pace: Pacer = .unlimited) throws -> [SourceSignal] {
    var player = try TracePlayer(path: path)
    return try play(&player, pace: pace, isStopped: { _ in false })
  }

  private func warnings(_ signals: [SourceSignal]) -> [String] {
    signals.warnings.map { folder.short($0) }
  }

  // MARK: Time

  @Test("a recording of a simulator is played, as a program may be tested with one")
  func simulated() throws {
    let reports = (0..<3).map { second in
      #"{"class":"TPV","status":8,"mode":3,"time":"2025-03-10T08:00:0\#(second).000Z","lat":0,"lon":0}"#
        + "\n"
    }
    let signals = try play(folder.write("lab.log", reports.joined()))
    #expect(signals.fixTimes == [0, 1, 2] && signals.warnings.isEmpty)
  }

  @Test("is played at full speed, and each fix has its own time")
  func unlimited() throws {
    var player = try TracePlayer(path: folder.table([0, 1, 1_000]))
    let signals = try play(
      &player, isStopped: { _ in false },
      deadline: { _ in Timestamp.start.advanced(bySeconds: 500) })
    #expect(signals.fixTimes == [0, 1, 1_000])
    #expect(signals.count == 4 && signals.last == .status(.ended))
    guard case .fix(_, .simulation) = signals[0] else {
      return #expect(Bool(false), "\(signals[0])")
    }
  }

  @Test("at a pace, deadlines between fixes are reported at their time")
  func paced() throws {
    let wall = FakeWall()
    var player = try TracePlayer(path: folder.table([0, 10, 100]))
    let signals = try play(
      &player, pace: wall.pace(2), isStopped: { _ in false },
      deadline: { said in
        // Every 40 s, from the last that was said.
        Timestamp.start.advanced(bySeconds: Double(said.times.count + 1) * 40)
      })
    #expect(wall.waits == [5, 15, 20, 10])
    #expect(signals.times == [40, 80])
    let order = signals.map { signal in
      switch signal {
      case .fix: "fix"
      case .time: "time"
      case .status: "status"
      case .began, .clock, .warning, .heading: "other"
      }
    }
    #expect(order == ["fix", "fix", "time", "time", "fix", "status"])
  }

  @Test("headings of a recording come between the fixes, each at its time")
  func headings() throws {
    let path = try folder.write("boat.log", Self.boat)
    let wall = FakeWall()
    var player = try TracePlayer(path: path)
    let signals = try play(&player, pace: wall.pace(1), isStopped: { _ in false })
    #expect(
      signals.order
        == [
          "heading 1 at 0", "fix 0", "heading 2 at 0.25", "heading 3 at 0.5", "fix 1",
          "heading 4 at 1.75", "end",
        ])
    #expect(wall.waits == [0.25, 0.25, 0.5, 0.75])
    #expect(try play(path).order == signals.order)
  }

  @Test("a recording that is played as now has headings of now")
  func shiftedHeadings() throws {
    let path = try folder.write(
      "boat.log", #"{"class":"TPV","mode":0}"# + "\n" + Self.boat)
    var player = try TracePlayer(path: path, startTime: { .start.advanced(bySeconds: 1_000) })
    let signals = try play(&player, isStopped: { _ in false })
    #expect(
      signals.order
        == [
          "fix -", "heading 1 at 1000", "fix 1000", "heading 2 at 1000.25",
          "heading 3 at 1000.5", "fix 1001", "heading 4 at 1001.75", "end",
        ])
  }

  @Test("headings of a device that is not played are left out")
  func otherHeadings() throws {
    let text = ["van", "boat", "van"].enumerated().map { number, name in
      #"{"class":"WAYMARK","source":"gpsd://\#(name)","device":"\#(name)"}"# + "\n"
        + #"{"class":"ATT","heading":\#(number)}"# + "\n"
        + #"{"class":"TPV","mode":3,"time":"2025-03-10T08:00:0\#(number).000Z","lat":0,"lon":0}"#
        + "\n"
    }
    let path = try folder.write("fleet.log", text.joined())
    #expect(
      try play(path).order.filter { $0.hasPrefix("heading") }
        == ["heading 0 at 0", "heading 2 at 0"])
    var player = try TracePlayer(path: path, device: "boat")
    #expect(
      try play(&player, isStopped: { _ in false }).order.filter { $0.hasPrefix("heading") }
        == ["heading 1 at 1"])
  }

  @Test("a wrong time of a last heading does not hold the end up")
  func lateHeading() throws {
    let path = try folder.write(
      "boat.log", Self.boat + #"{"class":"ATT","time":"2035-03-10T08:00:00Z","heading":5}"# + "\n")
    let wall = FakeWall()
    #expect(
      try play(path, pace: wall.pace(1)).order.suffix(2).first?.hasPrefix("heading 5") == true)
    #expect(wall.waits.allSatisfy { $0 < 1 })
  }

  @Test("headings without fixes are played at the end, as many as are kept; the rest is counted")
  func headingsAlone() throws {
    let compass = { (count: Int) in
      String(repeating: #"{"class":"ATT","heading":7}"# + "\n", count: count)
    }
    let fix = #"{"class":"TPV","mode":3,"time":"2025-03-10T08:00:00.000Z","lat":0,"lon":0}"# + "\n"
    #expect(
      try play(folder.write("a.log", compass(2))).order
        == ["heading 7 at -", "heading 7 at -", "end"])
    let many = try play(folder.write("b.log", fix + compass(TraceFeed.mostHeadings + 3)))
    #expect(many.order.count == TraceFeed.mostHeadings + 2)
    #expect(
      warnings(many)
        == ["b.log: left out 3 headings, because no fix with a time came with them"])
    var player = try TracePlayer(
      path: folder.write("c.log", #"{"class":"TPV","mode":0}"# + "\n" + compass(2)),
      startTime: { .start })
    let undated = try play(&player, isStopped: { _ in false })
    #expect(undated.order == ["fix -", "end"])
    #expect(
      warnings(undated)
        == ["c.log: left out 2 headings, because no fix with a time came with them"])
  }

  /// Two fixes, and a compass that reports more often.
  private static let boat = [
    #"{"class":"ATT","heading":1}"#,
    #"{"class":"TPV","mode":3,"time":"2025-03-10T08:00:00.000Z","lat":0,"lon":0}"#,
    #"{"class":"ATT","time":"2025-03-10T08:00:00.250Z","heading":2}"#,
    #"{"class":"ATT","time":"2025-03-10T08:00:00.500Z","heading":3}"#,
    #"{"class":"TPV","mode":3,"time":"2025-03-10T08:00:01.000Z","lat":0,"lon":0.0001}"#,
    #"{"class":"ATT","time":"2025-03-10T08:00:01.750Z","heading":4}"#,
  ].map { $0 + "\n" }.joined()

  @Test("a wait can be interrupted, and the fix still comes at its time")
  func poked() throws {
    let wall = FakeWall(longestWait: .seconds(4))
    var player = try TracePlayer(path: folder.table([0, 10]))
    let signals = try play(
      &player, pace: wall.pace(1), isStopped: { _ in false },
      deadline: { said in
        // Known only after the first wait.
        wall.waits.isEmpty || !said.times.isEmpty ? nil : Timestamp.start.advanced(bySeconds: 6)
      })
    #expect(signals.times == [6])
    #expect(wall.waits == [4, 2, 4])
    #expect(signals.fixTimes == [0, 10])
  }

  @Test("is not awaited where its date jumps by years")
  func leap() throws {
    let wall = FakeWall()
    let path = try folder.table([0, 1, 1_000_000_000, 2, 3])
    #expect(try play(path, pace: wall.pace(1)).fixTimes == [0, 1, 1_000_000_000, 2, 3])
    #expect(wall.waits.allSatisfy { $0 <= 3 })
  }

  @Test("resumes where it was stopped: no fix is lost or repeated", arguments: 0...6)
  func stop(count: Int) throws {
    let wall = FakeWall()
    var player = try TracePlayer(path: folder.table([0, 1, 2, 3, 4]))
    let before = try play(
      &player, pace: wall.pace(1), isStopped: { $0.fixTimes.count >= min(count, 5) && count < 6 })
    let after = try play(&player, pace: wall.pace(1), isStopped: { _ in false })
    #expect(before.fixTimes.count == min(count, 5))
    #expect(before.fixTimes + after.fixTimes == [0, 1, 2, 3, 4])
    #expect(after.last == .status(.ended))
  }

  @Test("a stop in the middle of a wait ends it, and the fix comes with the next start")
  func stopWaiting() throws {
    let wall = FakeWall(longestWait: .seconds(1))
    var player = try TracePlayer(path: folder.table([0, 3_600]))
    let before = try play(
      &player, pace: wall.pace(1), isStopped: { _ in wall.waits.count == 5 })
    #expect(before.fixTimes == [0])
    #expect(before.last != .status(.ended))
    #expect(try play(&player, pace: wall.pace(1), isStopped: { _ in false }).fixTimes == [3_600])
    #expect(wall.waits.count == 5)
  }

  @Test("gives the same step by step")
  func steps() throws {
    let path = try folder.write(
      "trip.csv", "time,latitude,longitude\n2025-03-10T08:00:00Z,0,0\nx\n2025-03-10T08:00:09Z,1,0\n"
    )
    var player = try TracePlayer(path: path)
    var signals: [SourceSignal] = []
    while let signal = try player.nextSignal() { signals.append(signal) }
    #expect(try play(path) == signals + [.status(.ended)])
    #expect(signals.count == 3)
    #expect(try player.nextSignal() == nil)
  }

  // MARK: Devices

  @Test("of several devices the first is played, and the others are reported")
  func devices() throws {
    let path = try folder.write(
      "fleet.csv",
      """
      time,latitude,longitude,device
      2025-03-10T08:00:00Z,0,0,
      2025-03-10T08:00:01Z,0,0,van
      2025-03-10T08:00:02Z,1,0,boat
      2025-03-10T08:00:03Z,0,0,van
      2025-03-10T08:00:04Z,1,0,boat
      2025-03-10T08:00:05Z,0,0,

      """)
    let signals = try play(path)
    #expect(signals.fixTimes == [0, 1, 3, 5])
    #expect(
      warnings(signals) == [
        "fleet.csv: played the fixes of 'van', the first device, and skipped 2 of one other device (boat); "
          + "to play another one, add ?device=NAME"
      ])
    #expect(signals.suffix(2).first == .warning(signals.warnings[0]))
  }

  @Test("the device that is wanted is played")
  func wantedDevice() throws {
    let path = try folder.write(
      "fleet.csv",
      """
      time,latitude,longitude,device
      2025-03-10T08:00:01Z,0,0,van
      2025-03-10T08:00:02Z,1,0,boat

      """)
    var boat = try TracePlayer(path: path, device: "boat")
    let signals = try play(&boat, isStopped: { _ in false })
    #expect(signals.fixTimes == [2])
    #expect(
      warnings(signals) == [
        "fleet.csv: played the fixes of 'boat' and skipped 1 of one other device (van); to play another "
          + "one, add ?device=NAME"
      ])
    var car = try TracePlayer(path: path, device: "car")
    let nothing = try play(&car, isStopped: { _ in false })
    #expect(nothing.fixTimes == [])
    #expect(
      warnings(nothing) == ["fleet.csv: found no fixes of 'car'; it has boat, van"])
  }

  @Test("the device is the very one that is wanted, else one whose name Unicode calls equal")
  func forms() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func table(_ names: [String]) -> String {
      "time,latitude,longitude,device\n"
        + (0..<4).map { "2025-03-10T08:00:0\($0)Z,0,0,\(names[$0 % names.count])\n" }.joined()
    }
    let both = try folder.write("both.csv", table([composed, decomposed]))
    let one = try folder.write("one.csv", table([decomposed]))
    for (path, wanted, times) in [
      (both, composed, [0, 2]), (both, decomposed, [1, 3]), (both, nil, [0, 2]),
      (one, composed, [0, 1, 2, 3]), (one, decomposed, [0, 1, 2, 3]),
    ] as [(String, String?, [Double?])] {
      var player = try TracePlayer(path: path, device: wanted)
      let signals = try play(&player, isStopped: { _ in false })
      #expect(signals.fixTimes == times)
      #expect(signals.warnings.count == (path == both ? 1 : 0))
    }
  }

  @Test("the files of a folder are one recording in the order of time")
  func files() throws {
    let table = { (seconds: [Int]) in
      "time,latitude,longitude\n"
        + seconds.map { "2025-03-10T08:00:0\($0)Z,0,0\n" }.joined()
    }
    _ = try folder.write("b.csv", table([0, 3, 4]))
    _ = try folder.write("a.csv", table([1, 2, 5]))
    _ = try folder.write("note.txt", "nothing of the kind\n")
    let signals = try play(folder.path)
    #expect(signals.fixTimes == [0, 1, 2, 3, 4, 5])
    #expect(signals.warnings.count == 1 && signals.warnings[0].contains("note.txt"))
  }

  @Test("as if it was recorded now: the first fix has that time, the others keep their distance")
  func now() throws {
    let start = Timestamp.start.advanced(bySeconds: 1e8)
    var player = try TracePlayer(path: folder.table([0, 10, 100]), startTime: { start })
    let signals = try play(&player, isStopped: { _ in false })
    #expect(signals.fixTimes == [1e8, 1e8 + 10, 1e8 + 100])
  }

  @Test("one device with a name is played without a word")
  func oneDevice() throws {
    let path = try folder.write(
      "van.csv", "time,latitude,longitude,device\n2025-03-10T08:00:00Z,0,0,van\n")
    #expect(try play(path).count == 2)
  }

  // MARK: Faults

  @Test("invalid lines are reported with their place, and the fixes around them are used")
  func broken() throws {
    let path = try folder.write(
      "trip.csv",
      """
      time,latitude,longitude
      2025-03-10T08:00:00Z,0,0
      2025-03-10T08:00:01Z,north,0
      2025-03-10T08:00:02Z,0,0

      """)
    let signals = try play(path)
    #expect(signals.fixTimes == [0, 2])
    #expect(signals.warnings.count == 1)
    #expect(warnings(signals)[0].hasPrefix("trip.csv:3:"))
    guard case .warning = signals[1] else { return #expect(Bool(false), "\(signals[1])") }
  }

  @Test("of a trace with an error in every line a hundred are reported, the rest counted")
  func flood() throws {
    let path = try folder.write(
      "trip.csv", "time,latitude,longitude\n" + String(repeating: "x\n", count: 150))
    let found = warnings(try play(path))
    #expect(found.count == 102)
    #expect(found[100] == "trip.csv: 50 more problems like these")
    #expect(found[101].hasPrefix("trip.csv: found no fixes, expected a track"))
  }

  @Test("a trace without a track is reported")
  func empty() throws {
    let path = try folder.write(
      "plan.gpx",
      #"<gpx version="1.1"><wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/></rte></gpx>"#)
    let signals = try play(path)
    #expect(
      warnings(signals) == [
        "plan.gpx: found no fixes, expected a track (1 waypoints and 1 points of routes are not "
          + "played)"
      ])
    #expect(signals.last == .status(.ended))
  }

  @Test("a file that is not there, or no trace, is one error in one line")
  func missing() throws {
    let missing = "\(folder.path)/none.gpx"
    #expect(throws: TraceError.notFound(path: missing)) { try TracePlayer(path: missing) }
    let other = try folder.write("note.txt", "nothing of the kind\n")
    let error = #expect(throws: TraceError.self) { try TracePlayer(path: other) }
    #expect(try !#require(error).description.contains("\n"))
  }
}
