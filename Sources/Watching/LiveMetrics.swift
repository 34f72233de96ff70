internal import EventLog
internal import Session
internal import System
internal import Text
internal import Tracking

/// The numbers of a live run in Prometheus' text format, version 0.0.4: no places, no names of devices.
///
/// Those of all devices are added up as they change, so thousands of them cost no more than one.
package struct LiveMetrics: Sendable {
  /// What is counted of a device, or of all.
  private struct Counts: Sendable {
    var received = 0
    var dropped = [Int](repeating: 0, count: Defect.allCases.count)
    var events = [Int](repeating: 0, count: LogEntry.Kind.allCases.count)
    var inside = 0

    init() {}

    init(_ state: LiveSnapshot) {
      received = state.totals.gate.received
      dropped = Defect.allCases.map { state.totals.gate[$0] }
      let totals = state.totals
      events = LogEntry.Kind.allCases.map {
        $0 == .problem ? totals.issues : totals.events[$0] ?? 0
      }
      inside = state.presence.count
    }

    mutating func add(_ other: Self, _ sign: Int) {
      received += sign * other.received
      for index in dropped.indices { dropped[index] += sign * other.dropped[index] }
      for index in events.indices { events[index] += sign * other.events[index] }
      inside += sign * other.inside
    }
  }

  private var devices: [ExactText: Counts] = [:]
  private var sum = Counts()
  /// Whether each source reports fixes, by its number.
  private var sources: [Int: Bool] = [:]
  private var lastFix: Timestamp?

  package init() {}

  /// Takes the state of a device.
  package mutating func take(_ state: LiveSnapshot) {
    let counts = Counts(state)
    if let before = devices.updateValue(counts, forKey: ExactText(state.device)) {
      sum.add(before, -1)
    }
    sum.add(counts, 1)
    if let number = state.number { sources[number] = state.status == .fix }
    if let time = state.fix?.time { lastFix = lastFix.map { max($0, time) } ?? time }
  }

  /// Forgets a device; what it counted stays.
  package mutating func forget(_ device: String) {
    if let counts = devices.removeValue(forKey: ExactText(device)) { sum.inside -= counts.inside }
  }

  package func append(_ run: LiveRunState, to text: inout [UInt8]) {
    var page = Page()
    page.family("waymark_build_info", "gauge", "The release.")
    page.sample("waymark_build_info", [("version", Release.version)], 1)
    if !sources.isEmpty {
      page.family("waymark_source_up", "gauge", "Whether the receiver of a source reports fixes.")
    }
    for (number, isUp) in sources.sorted(by: { $0.key < $1.key }) {
      let labels = sources.count > 1 ? [("source", "\(number + 1)")] : []
      page.sample("waymark_source_up", labels, isUp ? 1 : 0)
    }
    page.family("waymark_devices", "gauge", "Devices that have reported.")
    page.sample("waymark_devices", [], devices.count)
    page.family("waymark_fixes_total", "counter", "Fixes that came.")
    page.sample("waymark_fixes_total", [], sum.received)
    page.family("waymark_fixes_dropped_total", "counter", "Fixes that were dropped, by reason.")
    for (defect, count) in zip(Defect.allCases, sum.dropped) {
      page.sample("waymark_fixes_dropped_total", [("reason", defect.rawValue)], count)
    }
    page.family("waymark_events_total", "counter", "Lines of the event log, by type.")
    for (kind, count) in zip(LogEntry.Kind.allCases, sum.events) where kind != .fix {
      page.sample("waymark_events_total", [("type", kind.rawValue)], count)
    }
    page.family("waymark_fences_inside", "gauge", "Fences that devices are inside.")
    page.sample("waymark_fences_inside", [], sum.inside)
    if !run.queues.isEmpty { Self.append(run.queues, to: &page) }
    if let lastFix {
      page.family(
        "waymark_last_fix_timestamp_seconds", "gauge", "The time of the last fix that was used.")
      page.begin("waymark_last_fix_timestamp_seconds", [])
      DecimalText.append(Double(lastFix.nanoseconds) / 1e9, decimals: 3, to: &page.text)
      page.text.append(UInt8(ascii: "\n"))
    }
    text += page.text
  }

  private static func append(_ queues: [DeliveryQueue], to page: inout Page) {
    page.family("waymark_sink_queue_events", "gauge", "Events that wait for a receiver.")
    for queue in queues {
      page.sample("waymark_sink_queue_events", [("sink", queue.name)], queue.waiting)
    }
    page.family("waymark_sink_deliveries_total", "counter", "Events that left the queue.")
    for queue in queues {
      for (result, count) in [("delivered", queue.delivered), ("given-up", queue.dead)] {
        page.sample(
          "waymark_sink_deliveries_total", [("sink", queue.name), ("result", result)], count)
      }
    }
    page.family("waymark_sink_up", "gauge", "Whether the last attempt was acknowledged.")
    for queue in queues {
      page.sample("waymark_sink_up", [("sink", queue.name)], queue.error == nil ? 1 : 0)
    }
  }

  private struct Page {
    var text: [UInt8] = []

    mutating func family(_ name: String, _ type: String, _ help: String) {
      text += Array("# HELP \(name) \(help)\n# TYPE \(name) \(type)\n".utf8)
    }

    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Int) {
      begin(name, labels)
      text += Array("\(value)\n".utf8)
    }

    /// The values of labels are words of ours and names of receivers, which need no escapes.
    mutating func begin(_ name: String, _ labels: [(String, String)]) {
      let list = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
      text += Array((labels.isEmpty ? "\(name) " : "\(name){\(list)} ").utf8)
    }
  }
}
