import Foundation
import Session
import Testing
import Traces
import Tracking

@testable import Serving

@Suite("A script of faults")
struct FaultScriptTests {
  @Test("has a fault a line, in the order of their times")
  func whole() throws {
    let script = try FaultScript(
      """
      # What happens to the receiver.
      at 1 min: clock -3 h   # it forgets its offset
      at 10 s: silence 30 s

        at 1 h 30 min:junk 2 kB
      at 10 s: disconnect
      at 0: clock +5
      """, path: "f")
    #expect(
      script.faults == [
        Fault(time: 0, kind: .clock(5), line: 7),
        Fault(time: 10, kind: .silence(30), line: 3), Fault(time: 10, kind: .disconnect, line: 6),
        Fault(time: 60, kind: .clock(-10_800), line: 2),
        Fault(time: 5_400, kind: .junk(2_000), line: 5),
      ])
  }

  @Test(
    "says what is wrong, and where",
    arguments: [
      ("silence 30 s", "1:1: expected 'at TIME: FAULT'"),
      ("\n  at 10 s silence 30 s", "2:3: expected 'at TIME: FAULT'"),
      ("at soon: silence 30 s", "1:4: 'soon' is no time"),
      ("at 10 s: quiet", "1:10: 'quiet' is no fault, expected silence, junk, clock or disconnect"),
      ("at 10 s: silence", "1:17: '' is no time of silence"),
      ("at 10 s: silence 0 s", "1:18: '0 s' is no time of silence"),
      ("at 10 s: junk 200", "1:15: '200' is no amount of junk, expected 1 B to 1000 kB"),
      ("at 10 s: junk 99999999999999999999 B", "1:15: '99999999999999999999 B' is no amount"),
      ("at 10 s: clock 3 h", "1:16: '3 h' is no step of a clock"),
      ("at 10 s: clock -0.5 s", "1:16: '-0.5 s' is no step of a clock, expected whole seconds"),
      ("at 10 s: disconnect now", "1:21: expected nothing after 'disconnect'"),
      ("# nothing", "1:1: there is no fault"),
    ])
  func wrong(text: String, message: String) {
    let error = #expect(throws: TraceError.self) { try FaultScript(text, path: "f") }
    #expect(error?.description.hasPrefix("f:\(message)") == true, "\(error?.description ?? "")")
  }

  @Test("is reported missing")
  func missing() {
    #expect(throws: TraceError.notFound(path: "/no/such/script")) {
      try FaultScript(path: "/no/such/script")
    }
  }
}

@Suite("A feed with faults", .timeLimit(.minutes(90)))
struct FaultyFeedTests {
  /// What a table of fixes at these seconds gives: `3` for the fix of a second, with its shift.
  private func items(_ script: String, _ seconds: [Double]) throws -> (
    items: [String], remarks: [String]
  ) {
    var feed = FaultyFeed(
      try TraceFolder(["track.csv": table(seconds)]).playback(),
      try FaultScript(script, path: "f"))
    var items: [String] = []
    while let (item, due) = try feed.nextItem() {
      let place = Int(due.seconds(since: noon))
      switch item {
      case .fix(let served):
        let shift = (served.fix.time?.seconds(since: noon) ?? .nan) - Double(place)
        items.append(shift == 0 ? "\(place)" : "\(place)\(shift < 0 ? "" : "+")\(Int(shift))")
      case .junk(let bytes): items.append("junk \(bytes.count) at \(place)")
      case .disconnect: items.append("cut at \(place)")
      case .line: items.append("line")
      }
    }
    return (items, feed.remarks)
  }

  @Test("is silent, sends junk, has another clock and loses its clients as the script says")
  func all() throws {
    let (items, remarks) = try items(
      """
      at 2 s: silence 3 s
      at 3 s: junk 7 B
      at 6 s: clock -60 s
      at 7 s: disconnect
      at 8.5 s: clock +1 h
      at 1 h: disconnect
      """, (0..<10).map(Double.init))
    #expect(
      items == [
        "0", "1", "junk 7 at 3", "5", "6-60", "cut at 7", "7-60", "8-60", "9+3540",
      ])
    #expect(
      remarks == [
        "3 lost in silences of --fault",
        "1 of 6 faults never happened, the first that of line 6: they are due after the end",
      ])
  }

  @Test("is the same each time")
  func deterministic() throws {
    func junk() throws -> [UInt8] {
      var feed = FaultyFeed(
        try TraceFolder(["track.csv": table([0])]).playback(),
        try FaultScript("at 0 s: junk 100 B", path: "f"))
      guard case .junk(let bytes)? = try feed.nextItem()?.item else { return [] }
      return bytes
    }
    let bytes = try junk()
    #expect(Set(bytes).count > 50)
    #expect(try junk() == bytes)
  }

  @Test("closes connections after what was sent before, and takes clients again")
  func disconnect() throws {
    let folder = try TraceFolder(["track.csv": table([0, 1, 2])])
    var limits = FeedLimits()
    limits.linger = .milliseconds(20)
    let server = try FeedServer(
      on: [.address(ListenAddress(port: 0))],
      registry: DeviceRegistry(devices: [ServedDevice(name: "track", activated: noon)]),
      limits: limits
    ) { _ in }
    defer { server.shutDown() }
    var playback = try folder.playback()
    _ = playback.takeNewDevices()
    var feed = FaultyFeed(playback, try FaultScript("at 2 s: disconnect", path: "f"))
    let socket = try Socket(server.addresses[0])
    socket.watch()
    _ = try socket.line(of: "WATCH")
    try server.play(&feed, pace: .unlimited)
    #expect(try socket.rest().count { $0.contains("TPV") } == 2)
    let tally = server.tally
    #expect((tally.fixes, tally.disconnects) == (3, 1))
    #expect(tally.summary.contains("1 time all clients were disconnected"))
  }
}
