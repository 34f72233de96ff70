@testable import Receivers
import Testing
import Text
import Traces
import Tracking

@Suite("Losses and returns in the output of a receiver")
struct ReceiverWatchTests {
  private static func time(_ second: Int) -> String {
    var text: [UInt8] = []
    TimeText.append(Timestamp(nanoseconds: Int64(second) * 1_000_000_000), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func report(_ second: Int?, mode: Int = 3, device: String = "/dev/x") -> String {
    let time = second.map { #","time":"\#(Self.time($0))""# } ?? ""
    let place = mode >= 2 ? #","lat":50.0,"lon":8.0"# : ""
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode)\#(time)\#(place)}"# + "\n"
  }

  /// The changes in the lines, as words: status, second, duration and reason.
  private static func changes(_ lines: String, pieces: Int = .max) -> [String] {
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    let bytes = Array(lines.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + min(pieces, bytes.count))
      start += decoder.decode(bytes[start..<end].span, isFinal: end == bytes.count, into: &batch)
      if end == bytes.count { break }
    }
    return batch.marks.compactMap { mark in
      guard case .status(let change) = mark.mark else { return nil }
      let second = change.time.map { "\($0.nanoseconds / 1_000_000_000)" } ?? "-"
      let duration = change.duration.map { " \(Int($0))" } ?? ""
      return "\(change.status.rawValue) \(second)\(duration)"
        + (change.reason.map { " \($0)" } ?? "")
    }
  }

  @Test("a receiver that flaps for a moment has its fix, one without positions for 5 s has not")
  func noFix() {
    var lines = Self.report(0) + Self.report(1)
    for second in 2..<6 { lines += Self.report(second, mode: 1) }
    #expect(Self.changes(lines + Self.report(6)) == [])
    for second in 6..<20 { lines += Self.report(second, mode: 1) }
    #expect(Self.changes(lines + Self.report(20) + Self.report(21)) == ["no-fix 6 5", "fix 20 19"])
  }

  @Test("a wrong date is no time without a position, and no position until a second one has it")
  func wrongDate() {
    let day = 86_400
    let now = 20_000 * day
    let start = Self.report(now) + Self.report(now + 1)
    let old = Self.report(7_168 * day)
    let single = start + old + Self.report(now + 3, mode: 1) + Self.report(now + 4)
    #expect(Self.changes(single) == [])
    var lost = start + old
    for second in 3..<10 { lost += Self.report(now + second, mode: 1) }
    let returned = lost + old + Self.report(now + 10) + Self.report(now + 11)
    #expect(Self.changes(returned) == ["no-fix \(now + 6) 5", "fix \(now + 10) 9"])
    // Two days later, and there to stay.
    let later = lost + Self.report(now + 2 * day)
    #expect(Self.changes(later) == ["no-fix \(now + 6) 5"])
    #expect(
      Self.changes(later + Self.report(now + 2 * day + 1))
        == ["no-fix \(now + 6) 5", "fix \(now + 2 * day + 1) \(2 * day)"])
  }

  @Test("reports without a position that have a wrong date are counted")
  func wrongDates() {
    let now = 20_000 * 86_400
    var lines = Self.report(now) + Self.report(now + 1)
    for second in 0..<9 { lines += Self.report(second, mode: 1) }
    #expect(Self.changes(lines) == [])
    #expect(Self.changes(lines + Self.report(9, mode: 1)) == ["no-fix \(now + 1) 0"])
  }

  @Test("reports without a position after a day or more give the time of the tenth, one does not")
  func laterDate() {
    let now = 20_000 * 86_400
    let start = Self.report(now) + Self.report(now + 1)
    let back = now + 108_000
    var lines = start
    for second in 0..<9 { lines += Self.report(back + second, mode: 1) }
    #expect(Self.changes(lines) == [])
    #expect(
      Self.changes(lines + Self.report(back + 9, mode: 1)) == ["no-fix \(back + 9) 108008"])
    let timeless = String(repeating: Self.report(nil, mode: 1), count: 9)
    #expect(Self.changes(start + timeless + Self.report(back, mode: 1)) == [])
  }

  @Test("a tracker that wakes once in more than a day has its fix with the second position")
  func rarePositions() {
    let (now, day) = (20_000 * 86_400, 90_000)
    let lost = #"{"class":"WAYMARK","status":"lost"}"# + "\n"
    let first = Self.report(now) + lost + Self.report(now + day)
    #expect(Self.changes(first) == ["lost \(now) 0"])
    #expect(
      Self.changes(first + Self.report(now + 2 * day))
        == ["lost \(now) 0", "fix \(now + 2 * day) \(2 * day)"])
    // A late report confirms no date.
    let late = Self.report(now) + lost + Self.report(now - 5) + Self.report(now + 9_000 * day)
    #expect(Self.changes(late) == ["lost \(now) 0"])
  }

  @Test("a late position ends no time without one, and a clock that was set back does at its tenth")
  func latePosition() {
    var lines = Self.report(40) + Self.report(41)
    for second in 60..<68 { lines += Self.report(second, mode: 1) }
    #expect(
      Self.changes(lines + Self.report(30) + Self.report(69)) == ["no-fix 60 19", "fix 69 28"])
    for second in 10..<19 { lines += Self.report(second) }
    #expect(Self.changes(lines) == ["no-fix 60 19"])
    #expect(Self.changes(lines + Self.report(19) + Self.report(20)) == ["no-fix 60 19", "fix 19"])
  }

  @Test("a start without a fix, or without times, is reported after ten reports")
  func start() {
    let cold = String(repeating: Self.report(nil, mode: 1), count: 10)
    #expect(Self.changes(cold + Self.report(9)) == ["no-fix -", "fix 9"])
    let timeless = String(repeating: Self.report(nil), count: 10)
    #expect(Self.changes(timeless) == ["no-time -"])
    #expect(Self.changes(Self.report(0) + Self.report(1)) == [])
  }

  @Test("a removed receiver, and what a recording says of gpsd, once each, until positions come")
  func others() {
    let removed = #"{"class":"DEVICE","path":"/dev/x","activated":0}"# + "\n"
    let lost =
      #"{"class":"WAYMARK","status":"lost","time":"\#(Self.time(30))","reason":"gone"}"# + "\n"
    let back = #"{"class":"WAYMARK","status":"connected"}"# + "\n"
    #expect(
      Self.changes(Self.report(0) + removed + removed + lost + lost + back + Self.report(60)) == [
        "connected 0 0 the receiver was removed", "lost 30 30 gone", "connected 0 0", "fix 60 60",
      ])
  }

  @Test("changes without a time differ from each other, in a run and between runs")
  func occurrences() {
    let lost = #"{"class":"WAYMARK","status":"lost"}"# + "\n"
    let back = #"{"class":"WAYMARK","status":"connected"}"# + "\n"
    func start(_ number: String) -> String {
      #"{"class":"WAYMARK","recording":1,"device":"van"\#(number)}"# + "\n"
    }
    let run = lost + back + lost
    let lines = start(#","start":"f0""#) + run + start(#","start":"9e""#) + lost + start("") + lost
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    _ = decoder.decode(Array(lines.utf8).span, isFinal: true, into: &batch)
    let found = batch.marks.compactMap { mark -> SourceChange? in
      if case .status(let change) = mark.mark { change } else { nil }
    }
    #expect(found.map(\.occurrence) == [0xF1, 0xF2, 0xF3, 0x9F, nil])
  }

  @Test("a program that starts knows nothing of what was before; other lines of ours mean nothing")
  func restart() {
    let lost = #"{"class":"WAYMARK","status":"lost"}"# + "\n"
    let start = #"{"class":"WAYMARK","recording":1,"device":"van"}"# + "\n"
    let gap = #"{"class":"WAYMARK","lost":3}"# + "\n"
    let later = #"{"class":"WAYMARK","status":"of tomorrow"}"# + "\n"
    #expect(Self.changes(Self.report(0) + lost + start + Self.report(9)) == ["lost 0 0"])
    #expect(Self.changes(Self.report(0) + gap + later + Self.report(9)) == [])
  }
}
