import EventLog
import Geodesy
import Receivers
import Session
import Testing
import Tracking

@testable import Watching

@Suite("The metrics of a live run")
struct LiveMetricsTests {
  private func state(_ queues: [DeliveryQueue] = []) -> LiveSnapshot {
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_250_000_000),
      coordinate: Coordinate(latitude: 52.5, longitude: -13.25))
    fix.speed = 2
    var totals = SessionTotals()
    (totals.gate.received, totals.gate.accepted) = (12, 11)
    totals.events = [.enter: 3]
    return LiveSnapshot(
      device: "secret van", source: "gpsd", status: .fix, fix: fix, receiver: ReceiverState(),
      fences: FenceSet(), presence: [], totals: totals, queues: queues)
  }

  private func lines(_ state: LiveSnapshot) -> [String] {
    var text: [UInt8] = []
    LiveMetrics.append(state, to: &text)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("count fixes and events, and have neither places nor names of devices")
  func numbers() {
    let lines = lines(state())
    #expect(lines.contains("waymark_source_up 1"))
    #expect(lines.contains("waymark_fixes_total 12"))
    #expect(lines.contains("waymark_events_total{type=\"enter\"} 3"))
    #expect(lines.contains("waymark_events_total{type=\"exit\"} 0"))
    #expect(lines.contains("waymark_last_fix_timestamp_seconds 1741593600.250"))
    #expect(!lines.contains { $0.contains("secret") || $0.contains("52.5") })
    #expect(!lines.contains { $0.contains("sink") })
  }

  @Test("have a type and a help for each family, once, before its samples")
  func form() {
    let lines = lines(
      state([
        DeliveryQueue(name: "a", waiting: 2, delivered: 7, dead: 1, error: "no"),
        DeliveryQueue(name: "b", waiting: 0, delivered: 9, dead: 0),
      ]))
    var families: [String] = []
    for line in lines {
      if line.hasPrefix("# TYPE ") {
        families.append(String(line.split(separator: " ")[2]))
      } else if !line.hasPrefix("#") {
        #expect(line.prefix { $0 != "{" && $0 != " " } == families.last ?? "")
      }
    }
    #expect(Set(families).count == families.count)
    #expect(lines.contains("waymark_sink_queue_events{sink=\"a\"} 2"))
    #expect(lines.contains("waymark_sink_deliveries_total{sink=\"a\",result=\"given-up\"} 1"))
    #expect(lines.contains("waymark_sink_up{sink=\"a\"} 0"))
    #expect(lines.contains("waymark_sink_up{sink=\"b\"} 1"))
  }

  @Test("the status has what waits for each receiver")
  func status() {
    var text: [UInt8] = []
    StatusJSON.append(
      state([
        DeliveryQueue(
          name: "a", waiting: 2, oldest: "2025-03-10T08:00:00.000Z", delivered: 7, dead: 1,
          error: "\"no\"", nextAttempt: 1_741_593_605.5)
      ]), source: "x", to: &text)
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        #","receivers":[{"name":"a","waiting":2,"oldest":"2025-03-10T08:00:00.000Z","#
          + #""delivered":7,"givenUp":1,"error":"\"no\"","nextAttempt":"2025-03-10T08:00:05.000Z"}],"#
      ))
  }
}
