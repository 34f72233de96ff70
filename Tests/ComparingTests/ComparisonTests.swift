import EventLog
import Geodesy
import Scoring
import Testing
import Tracking

@testable import Comparing

@Suite("The comparison of two logs")
struct ComparisonTests {
  /// Lines of a log; the id of each is that of its position in this list.
  static func log(_ lines: String...) throws -> ComparedLog {
    try ComparedLog(Array(lines.joined(separator: "\n").utf8), file: "events.jsonl")
  }

  static func enter(_ time: String, fence: String = "home", device: String = "van") -> String {
    #"{"type":"enter","device":"\#(device)","fence":"\#(fence)","time":"2026-05-04T\#(time)Z","#
      + #""decided":"2026-05-04T\#(time)Z","latitude":52.0,"longitude":13.0}"#
  }

  static func visit(
    _ arrival: String, until departure: String?, id: String, decided: String
  ) -> String {
    let end = departure.map { #""2026-05-04T\#($0)Z""# } ?? "null"
    return #"{"type":"visit","id":"\#(id)","device":"van","time":"2026-05-04T\#(arrival)Z","#
      + #""decided":"2026-05-04T\#(decided)Z","arrival":"2026-05-04T\#(arrival)Z","departure":\#(end)}"#
  }

  private func text(_ old: ComparedLog, _ new: ComparedLog, limit: Double = 600) -> [String] {
    ComparisonText.lines(Comparison(old, new, limit: limit))
  }

  @Test("a log is the same as itself, and nothing as nothing")
  func same() throws {
    let log = try Self.log(Self.enter("08:00:00"), Self.enter("09:00:00"))
    #expect(text(log, log) == ["0 added, 0 removed, 0 moved, 2 the same"])
    #expect(text(ComparedLog(), ComparedLog()) == ["0 added, 0 removed, 0 moved, 0 the same"])
  }

  @Test("events of one side alone were added or removed")
  func oneSide() throws {
    let log = try Self.log(Self.enter("08:00:00"))
    #expect(
      text(ComparedLog(), log) == [
        "+ enter  home  van  2026-05-04 08:00:00.0Z", "1 added, 0 removed, 0 moved, 0 the same",
      ])
    #expect(
      text(log, ComparedLog()) == [
        "- enter  home  van  2026-05-04 08:00:00.0Z", "0 added, 1 removed, 0 moved, 0 the same",
      ])
  }

  @Test("devices whose names differ only in their form in Unicode are two")
  func forms() throws {
    let old = try Self.log(Self.enter("08:00:00", device: "caf\u{E9}"))
    let new = try Self.log(Self.enter("08:00:00", device: "cafe\u{301}"))
    #expect(old.devices.isDisjoint(with: new.devices))
    #expect(text(old, new).last == "1 added, 1 removed, 0 moved, 0 the same")
    #expect(text(old, old).last == "0 added, 0 removed, 0 moved, 1 the same")
  }

  @Test("a moved event shows by how much; ids take no part")
  func moved() throws {
    let old = try Self.log(
      #"{"type":"enter","id":"0000000000000001","device":"van","fence":"home","#
        + #""time":"2026-05-04T10:00:40.200Z","decided":"2026-05-04T10:00:45Z","#
        + #""latitude":52.0,"longitude":13.0}"#)
    let new = try Self.log(
      #"{"type":"enter","id":"0000000000000002","device":"van","fence":"home","#
        + #""time":"2026-05-04T10:00:48.000Z","decided":"2026-05-04T10:00:54Z","#
        + #""latitude":52.0001,"longitude":13.0}"#)
    #expect(
      text(old, new).first
        == "~ enter  home  van  2026-05-04 10:00:40.2Z → 10:00:48.0 (+7.8 s, 11 m, reported +9 s)")
    let json = String(
      decoding: ComparisonJSON.bytes(Comparison(old, new, limit: 600)), as: UTF8.self)
    #expect(
      json.hasPrefix(
        #"{"change":"moved","device":"van","type":"enter","fence":"home","#
          + #""old":{"id":"0000000000000001","time":"2026-05-04T10:00:40.200Z","#
          + #""decided":"2026-05-04T10:00:45.000Z","latitude":52.0000000,"longitude":13.0000000},"#
          + #""new":{"id":"0000000000000002","#))
    #expect(json.contains(#""seconds":7.800,"metres":11.13,"decidedSeconds":9.000}"#))
    #expect(json.hasSuffix(#"{"change":"total","added":0,"removed":0,"moved":1,"same":0}"# + "\n"))
  }

  @Test("an event that is only reported later has moved")
  func reportedLater() throws {
    let old = try Self.log(Self.enter("08:00:00"))
    let line = Self.enter("08:00:00").replacing(
      #""decided":"2026-05-04T08:00:00Z""#, with: #""decided":"2026-05-04T08:01:10Z""#)
    let comparison = Comparison(old, try Self.log(line), limit: 600)
    #expect(
      ComparisonText.lines(comparison).first
        == "~ enter  home  van  2026-05-04 08:00:00.0Z (reported +1 min 10 s)")
    #expect(comparison.delays == [70])
  }

  @Test("events of another device, fence, kind or side are other events")
  func subjects() throws {
    let old = try Self.log(Self.enter("08:00:00"))
    for line in [
      Self.enter("08:00:00", device: "bus"), Self.enter("08:00:00", fence: "office"),
      Self.enter("08:00:00").replacing("enter", with: "exit"),
    ] {
      let total = Comparison(old, try Self.log(line), limit: 600).total
      #expect(total == Comparison.Counts(added: 1, removed: 1, moved: 0, same: 0), "\(line)")
    }
    let state = Self.enter("08:00:00").replacing("enter", with: "state").dropLast()
    let total = Comparison(
      try Self.log(state + #","state":"inside"}"#), try Self.log(state + #","state":"outside"}"#),
      limit: 600
    ).total
    #expect(total == Comparison.Counts(added: 1, removed: 1, moved: 0, same: 0))
  }

  @Test("a status is an event of its word, unless it has no time")
  func statuses() throws {
    func status(_ word: String, _ time: String) -> String {
      #"{"type":"status","device":"van","time":"2026-05-04T\#(time)Z","#
        + #""decided":"2026-05-04T\#(time)Z","state":"\#(word)"}"#
    }
    let old = try Self.log(
      Self.enter("08:00:00"), status("lost", "08:10:00"), status("fix", "08:20:00"),
      #"{"type":"status","device":"van","state":"lost"}"#)
    let new = try Self.log(Self.enter("08:00:00"), status("lost", "08:10:05"))
    #expect(
      text(old, new) == [
        "~ status lost  van  2026-05-04 08:10:00.0Z → 08:10:05.0 (+5 s, reported +5 s)",
        "- status fix   van  2026-05-04 08:20:00.0Z",
        "",
        "fence   added  removed  moved  same",
        "home        0        0      0     1",
        "status      0        1      1     0",
        "",
        "0 added, 1 removed, 1 moved, 1 the same",
      ])
    let json = String(
      decoding: ComparisonJSON.bytes(Comparison(old, new, limit: 600)), as: UTF8.self)
    #expect(
      json.contains(
        #"{"change":"group","type":"status","added":0,"removed":1,"moved":1,"same":0}"#))
  }

  @Test("events further apart than the limit are different events")
  func limit() throws {
    let (old, new) = (
      try Self.log(Self.enter("08:00:00")), try Self.log(Self.enter("08:10:00.001"))
    )
    #expect(Comparison(old, new, limit: 600).total.added == 1)
    #expect(Comparison(old, new, limit: 600.001).total.moved == 1)
  }

  @Test("as many events at one time as there are on the other side are the same")
  func sameTime() throws {
    let two = try Self.log(Self.enter("08:00:00"), Self.enter("08:00:00"))
    let one = try Self.log(Self.enter("08:00:00"))
    let total = Comparison(two, one, limit: 600).total
    #expect(total == Comparison.Counts(added: 0, removed: 1, moved: 0, same: 1))
  }

  @Test("of a visit counts what stands: its last line, and when its first was reported")
  func visits() throws {
    let first = Self.visit("08:00:00", until: nil, id: "1", decided: "08:05:00")
    let last = Self.visit("08:00:00", until: "09:00:00", id: "1", decided: "09:10:00")
    let retracted =
      Self.visit("12:00:00", until: nil, id: "2", decided: "12:20:00").dropLast()
      + #","retracted":true}"#
    let old = try Self.log(
      first, last, Self.visit("12:00:00", until: nil, id: "2", decided: "12:05:00"),
      String(retracted))
    let new = try Self.log(Self.visit("08:01:00", until: nil, id: "7", decided: "08:08:00"))
    #expect(
      text(old, new) == [
        "~ visit  van  2026-05-04 08:00:00.0Z → 08:01:00.0 "
          + "(+1 min, not over, reported +3 min)",
        "0 added, 0 removed, 1 moved, 0 the same",
      ])
    #expect(
      text(new, old).first
        == "~ visit  van  2026-05-04 08:01:00.0Z → 08:00:00.0 "
        + "(-1 min, departure 09:00:00.0, reported -3 min)")
    #expect(
      text(ComparedLog(), old).first == "+ visit  van  2026-05-04 08:00:00.0Z to 09:00:00.0")
    #expect(text(ComparedLog(), new).first == "+ visit  van  2026-05-04 08:01:00.0Z, not over")
  }

  @Test("differences are in order of time, and counted by fence and in sum")
  func groups() throws {
    let old = try Self.log(
      Self.enter("10:00:00"), Self.enter("08:00:00", fence: "office"),
      Self.visit("09:00:00", until: nil, id: "1", decided: "09:05:00"))
    #expect(
      text(old, ComparedLog()) == [
        "- enter  office  van  2026-05-04 08:00:00.0Z",
        "- visit          van  2026-05-04 09:00:00.0Z, not over",
        "- enter  home    van  2026-05-04 10:00:00.0Z",
        "",
        "fence   added  removed  moved  same",
        "home        0        1      0     0",
        "office      0        1      0     0",
        "visits      0        1      0     0",
        "",
        "0 added, 3 removed, 0 moved, 0 the same",
      ])
  }

  @Test("Markdown shows names as they are")
  func markdown() throws {
    let log = try Self.log(Self.enter("10:00:00", fence: "a|b_<i>"))
    let lines = ComparisonText.markdown(Comparison(ComparedLog(), log, limit: 600))
    #expect(
      lines == [
        "|  | event | fence | device | time | moved |",
        "| --- | --- | --- | --- | --- | --- |",
        #"| + | enter | a\|b\_&lt;i> | van | 2026-05-04 10:00:00.0Z |  |"#,
        "",
        "| fence | added | removed | moved | same |",
        "| --- | --: | --: | --: | --: |",
        #"| a\|b\_&lt;i> | 1 | 0 | 0 | 0 |"#,
        "",
        "**1 added, 0 removed, 0 moved, 0 the same**",
      ])
  }
}
