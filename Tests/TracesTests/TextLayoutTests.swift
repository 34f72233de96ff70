import EventLog
import Geodesy
import TestSupport
import Testing
import Text
import Tracking

@Suite("The layout of the text for people")
struct TextLayoutTests {
  private static let time = Timestamp(nanoseconds: 1_741_615_327_300_000_000)
  private static let berlin = DisplayZone { _ in 3_600 }

  private func fix(at time: Timestamp) -> LogEntry {
    let place = Coordinate(latitude: 52.5163, longitude: 13.3777)
    return LogEntry(device: "van", .fix(Fix(time: time, coordinate: place)))
  }

  private func line(_ layout: TextLayout, _ entry: LogEntry) -> String {
    var writer = EventWriter(format: .text, layout: layout)
    return written { writer.append(entry, to: &$0) }
  }

  @Test("a time names its zone")
  func zones() {
    #expect(Readable.time(Self.time) == "2025-03-10 14:02:07.3Z")
    #expect(Readable.time(Self.time, in: Self.berlin) == "2025-03-10 15:02:07.3+01:00")
    let newfoundland = DisplayZone { _ in -12_600 }
    #expect(Readable.time(Self.time, in: newfoundland) == "2025-03-10 10:32:07.3-03:30")
    let greenwich = DisplayZone { _ in 0 }
    #expect(Readable.time(Self.time, in: greenwich) == "2025-03-10 14:02:07.3+00:00")
    let later = DisplayZone { _ in 14 * 3_600 }
    #expect(Readable.date(Self.time, in: later) == "2025-03-11")
    #expect(Readable.timeOfDay(Self.time, in: later) == "04:02:07")
  }

  @Test("the offset is that of each time, as clocks change twice a year")
  func changes() {
    let change = Self.time
    let zone = DisplayZone { $0 < change ? 3_600 : 7_200 }
    let before = change.advanced(byNanoseconds: -1_000_000_000)
    #expect(Readable.time(before, in: zone) == "2025-03-10 15:02:06.3+01:00")
    #expect(Readable.time(change, in: zone) == "2025-03-10 16:02:07.3+02:00")
  }

  @Test("the arrival of a visit over a change of the clock has its own offset")
  func visitOverChange() {
    let (arrival, departure) = (Self.time, Self.time.advanced(bySeconds: 7_200))
    let visit = Visit(
      arrival: arrival, isArrivalSeen: true, departure: departure, confidence: 0.9)
    let event = Event(
      statement: .visit(visit), time: departure, decided: departure,
      coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777))
    let entry = LogEntry(device: "van", .event(event))
    var layout = TextLayout()
    layout.zone = Self.berlin
    #expect(line(layout, entry).hasSuffix("  stayed 2 h, since 15:02:07\n"))
    layout.zone = DisplayZone { $0 < departure ? 7_200 : 3_600 }
    let row = line(layout, entry)
    #expect(row.hasPrefix("2025-03-10 17:02:07.3+01:00 "))
    #expect(row.hasSuffix("  stayed 2 h, since 16:02:07+02:00\n"))
  }

  @Test("rows are in the zone, and their columns as wide as its times need")
  func rows() {
    var layout = TextLayout()
    layout.zone = Self.berlin
    let row = line(layout, fix(at: Self.time))
    #expect(row.hasPrefix("2025-03-10 15:02:07.3+01:00          van  fix"))
  }

  @Test("a row is cut to the width of the terminal, and says so", arguments: 1...120)
  func width(_ width: Int) {
    let whole = line(TextLayout(), fix(at: Self.time)).dropLast()
    var layout = TextLayout()
    layout.width = width
    let row = line(layout, fix(at: Self.time)).dropLast()
    #expect(row.count <= width)
    if whole.count <= width {
      #expect(row == whole)
    } else {
      #expect(row.last == "…" && whole.hasPrefix(row.dropLast()))
      #expect(row.count == width)
    }
  }

  @Test("entries come in the order in which they happened, those of one instant as decided")
  func order() {
    var generator = SeededGenerator(seed: 7)
    let entries = (0..<1_000).map { _ in
      fix(at: Self.time.advanced(byNanoseconds: Int64.random(in: 0..<500, using: &generator)))
    }
    var (order, found) = (OccurrenceOrder(), [LogEntry]())
    for entry in entries { order.take(entry, into: &found) }
    #expect(found.isEmpty)
    found = order.takeRest()
    #expect(found.compactMap(\.time) == entries.compactMap(\.time).sorted())
    #expect(order.takeRest().isEmpty)
  }

  @Test("what waits is bounded, and nothing is lost")
  func bound() {
    var (order, found) = (OccurrenceOrder(), [LogEntry]())
    let count = 100_000
    for index in 0..<count {
      order.take(fix(at: Self.time.advanced(byNanoseconds: Int64(index))), into: &found)
      #expect(index - found.count < 1 << 15)
    }
    found += order.takeRest()
    #expect(found.count == count)
    let times = found.compactMap(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy(<))
  }
}
