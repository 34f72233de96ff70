import EventLog
import Geodesy
import Receivers
import Session
import Testing
@testable import Tracking

@testable import Watching

@Suite("The metrics of a live run")
struct LiveMetricsTests {
  private func state(_ device: String = "secret van", number: Int? = 0) -> LiveSnapshot {
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_250_000_000),
      coordinate: Coordinate(latitude: 52.5, longitude: -13.25))
    fix.speed = 2
    var totals = SessionTotals()
    (totals.gate.received, totals.gate.accepted) = (12, 11)
    totals.events = [.enter: 3]
    return LiveSnapshot(
      device: device, number: number, source: "gpsd", status: .fix, fix: fix,
      receiver: ReceiverState(), fences: FenceSet(),
      presence: [Presence(fence: "a", since: Timestamp(nanoseconds: 0))], totals: totals)
  }

  private func lines(_ metrics: LiveMetrics, _ queues: [DeliveryQueue] = []) -> [String] {
    var text: [UInt8] = []
    metrics.append(LiveRunState(queues: queues), to: &text)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("count fixes and events, and have neither places nor names of devices")
  func numbers() {
    var metrics = LiveMetrics()
    metrics.take(state())
    let lines = lines(metrics)
    #expect(lines.contains("waymark_source_up 1"))
    #expect(lines.contains("waymark_devices 1"))
    #expect(lines.contains("waymark_fixes_total 12"))
    #expect(lines.contains("waymark_events_total{type=\"enter\"} 3"))
    #expect(lines.contains("waymark_events_total{type=\"exit\"} 0"))
    #expect(lines.contains("waymark_last_fix_timestamp_seconds 1741593600.250"))
    #expect(!lines.contains { $0.contains("secret") || $0.contains("52.5") })
    #expect(!lines.contains { $0.contains("sink") })
  }

  @Test("add up all devices, and what a forgotten device has counted stays")
  func several() {
    var metrics = LiveMetrics()
    var boat = state("boat", number: 1)
    boat.status = .stale
    var ship = state("ship-1", number: nil)
    for device in [state(), boat, ship] { metrics.take(device) }
    (ship.totals.gate.received, ship.presence) = (20, [])
    metrics.take(ship)
    var lines = lines(metrics)
    #expect(lines.contains("waymark_source_up{source=\"1\"} 1"))
    #expect(lines.contains("waymark_source_up{source=\"2\"} 0"))
    #expect(lines.contains("waymark_devices 3") && lines.contains("waymark_fences_inside 2"))
    #expect(lines.contains("waymark_fixes_total 44"))
    #expect(lines.contains("waymark_events_total{type=\"enter\"} 9"))
    metrics.forget("ship-1")
    metrics.forget("boat")
    metrics.forget("none")
    lines = self.lines(metrics)
    #expect(lines.contains("waymark_devices 1") && lines.contains("waymark_fences_inside 1"))
    #expect(lines.contains("waymark_fixes_total 44"))
    // One that comes back counts from zero.
    metrics.take(ship)
    #expect(self.lines(metrics).contains("waymark_fixes_total 64"))
  }

  @Test("have a type and a help for each family, once, before its samples")
  func form() {
    var metrics = LiveMetrics()
    metrics.take(state())
    let lines = lines(
      metrics,
      [
        DeliveryQueue(name: "a", waiting: 2, delivered: 7, dead: 1, error: "no"),
        DeliveryQueue(name: "b", waiting: 0, delivered: 9, dead: 0),
      ])
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
    let run = LiveRunState(queues: [
      DeliveryQueue(
        name: "a", waiting: 2, oldest: "2025-03-10T08:00:00.000Z", delivered: 7, dead: 1,
        error: "\"no\"", nextAttempt: 1_741_593_605.5)
    ])
    StatusJSON.append([state()], run, to: &text)
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        #","receivers":[{"name":"a","waiting":2,"oldest":"2025-03-10T08:00:00.000Z","#
          + #""delivered":7,"givenUp":1,"error":"\"no\"","nextAttempt":"2025-03-10T08:00:05.000Z"}],"#
      ))
  }
}
