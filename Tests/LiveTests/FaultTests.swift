import Foundation
import Testing

/// What goes wrong between a receiver and a watch, with a gpsd that is none of ours.
///
/// ``LiveStand/finish()`` checks for each that nothing is lost that gpsd gave, that nothing is told
/// twice, and that the recording says the same.
@Suite(
  "watch and record, with a real gpsd,", .serialized, .timeLimit(.minutes(90)),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct FaultTests {
  /// Long enough for a machine that is busy, short enough for a test.
  private static let impatient = ["--silence", "1"]

  private static func drive(_ seconds: Range<Int>) -> [Epoch] { seconds.map { Epoch($0) } }

  @Test("lose nothing while gpsd is stopped for a moment")
  func stopped() throws {
    let stand = try LiveStand()
    try stand.play(Self.drive(0..<60))
    try stand.reach(Epoch(59).time)
    stand.gpsd.signal(SIGSTOP)
    for epoch in Self.drive(60..<100) { stand.receiver.say(epoch.text) }
    stand.gpsd.signal(SIGCONT)
    try stand.reach(Epoch(99).time)
    try stand.play(Self.drive(100..<160))
    try stand.reach(Epoch(159).time)
    let outcome = try stand.finish()
    #expect(outcome.passages == ["state", "enter", "exit"])
    #expect(outcome.fixes.suffix(155) == (5..<160).map { Epoch($0).time }[...])
    #expect(!outcome.errors.contains { $0.contains("lost") })
  }

  @Test("disconnect from a gpsd that hangs, and reconnect when it continues")
  func hanging() throws {
    let stand = try LiveStand(live: Self.impatient)
    try stand.play(Self.drive(0..<90))
    try stand.reach(Epoch(89).time)
    stand.gpsd.signal(SIGSTOP)
    for program in [stand.watch, stand.recorder] {
      _ = try program.error(with: "gpsd does not answer")
    }
    try stand.folder.wait(for: #"{"status":"lost""#, in: "status")
    stand.gpsd.signal(SIGCONT)
    try stand.awaitConnections()
    try stand.play(Self.drive(91..<180))
    try stand.reach(Epoch(179).time)
    let outcome = try stand.finish()
    #expect(outcome.passages == ["state", "enter", "exit"])
  }

  @Test("report a silent receiver, and that it reports again")
  func silence() throws {
    let stand = try LiveStand(live: Self.impatient)
    try stand.play(Self.drive(0..<60))
    try stand.reach(Epoch(59).time)
    for program in [stand.watch, stand.recorder] {
      _ = try program.error(with: "silent: gpsd answers, but no receiver has reported")
    }
    try stand.folder.wait(for: #"{"status":"stale""#, in: "status")
    try stand.play(Self.drive(61..<160))
    try stand.reach(Epoch(159).time)
    for program in [stand.watch, stand.recorder] {
      _ = try program.error(with: "the receiver reports again")
    }
    try stand.folder.wait(for: #"{"status":"fix""#, in: "status")
    #expect(try stand.finish().passages == ["state", "enter", "exit"])
  }

  @Test("report a removed receiver, and follow it when it is back")
  func removed() throws {
    let stand = try LiveStand(hasControl: true)
    try stand.play(Self.drive(0..<90))
    try stand.reach(Epoch(89).time)
    try stand.gpsd.tell("-\(stand.receiver.device)")
    _ = try stand.watch.error(with: "the receiver was removed")
    try stand.folder.wait(for: #"{"status":"connected""#, in: "status")
    try stand.gpsd.tell("+\(stand.receiver.device)")
    try stand.play(Self.drive(91..<180))
    try stand.reach(Epoch(179).time)
    #expect(try stand.finish().passages == ["state", "enter", "exit"])
  }

  @Test("lose nothing between junk, damaged sentences and split lines")
  func junk() throws {
    let stand = try LiveStand()
    try stand.play(Self.drive(0..<10))
    for second in 10..<160 {
      let epoch = Epoch(second)
      switch second % 5 {
      case 0: stand.receiver.say("\u{1}\u{7F}junk \u{FFFD} without an end\r\n")
      case 1: stand.receiver.say(epoch.sentences[2].replacing(",A,", with: ",B,"))
      case 2: stand.receiver.say(Epoch.sentence("GPRMC,,V,,,,,,,,,,N"))
      default: break
      }
      if second % 3 == 0 {
        let text = epoch.text
        stand.receiver.say(String(text.prefix(text.count / 2)))
        stand.receiver.say(String(text.dropFirst(text.count / 2)))
      } else {
        stand.receiver.say(epoch.text)
      }
      if second % 20 == 0 { try stand.folder.wait(for: epoch.time, in: "recording") }
    }
    try stand.reach(Epoch(159).time)
    let outcome = try stand.finish()
    #expect(outcome.passages == ["state", "enter", "exit"])
    #expect(outcome.fixes.suffix(150) == (10..<160).map { Epoch($0).time }[...])
  }

  @Test("have one fix for a repeated instant, and none for an earlier one")
  func repeated() throws {
    let stand = try LiveStand()
    try stand.play(Self.drive(0..<80).flatMap { [$0, $0] })
    // Back by ten seconds: the receiver tells again what it told.
    try stand.play(Self.drive(70..<160))
    try stand.reach(Epoch(159).time)
    let outcome = try stand.finish()
    #expect(outcome.passages == ["state", "enter", "exit"])
    #expect(outcome.fixes.suffix(165) == (Array(5..<80) + (70..<160)).map { Epoch($0).time }[...])
    #expect(outcome.errors.contains { $0.contains("dropped 10 fixes: same time and place") })
  }

  @Test("report a receiver without time, which causes no events")
  func timeless() throws {
    let stand = try LiveStand()
    for second in 0..<40 { stand.receiver.say(Epoch(second, .withoutTime).text) }
    try stand.folder.wait(for: #""lat":54.500000000,"lon":8.003900000"#, in: "recording")
    _ = try stand.watch.error(with: "the receiver reports no time")
    try stand.play(Self.drive(60..<160))
    try stand.reach(Epoch(159).time)
    #expect(try stand.finish().passages == ["state", "enter", "exit"])
  }

  @Test("follow a receiver through no fix, two dimensions and three")
  func modes() throws {
    let stand = try LiveStand()
    for second in 0..<10 { stand.receiver.say(Epoch(second, .none).text) }
    try stand.folder.wait(for: #"{"status":"no-fix""#, in: "status")
    _ = try stand.watch.error(with: "the receiver has no fix")
    try stand.play((10..<60).map { Epoch($0, .twoD) })
    try stand.reach(Epoch(59).time)
    for second in 60..<66 { stand.receiver.say(Epoch(second, .none).text) }
    try stand.folder.wait(for: #"{"status":"no-fix""#, in: "status")
    try stand.play(Self.drive(66..<160))
    try stand.reach(Epoch(159).time)
    let outcome = try stand.finish()
    #expect(outcome.passages == ["state", "enter", "exit"])
    #expect(outcome.errors.contains { $0.contains("the receiver had no position") })
  }
}
