internal import EventLog
internal import Session
internal import System
internal import Text
internal import Tracking

/// The numbers of a live run in Prometheus' text format, version 0.0.4: no places, no names of devices.
package enum LiveMetrics {
  package static func append(_ state: LiveSnapshot, to text: inout [UInt8]) {
    var page = Page()
    page.family("waymark_build_info", "gauge", "The release.")
    page.sample("waymark_build_info", [("version", Release.version)], 1)
    page.family("waymark_source_up", "gauge", "Whether the receiver reports fixes.")
    page.sample("waymark_source_up", [], state.status == .fix ? 1 : 0)
    let gate = state.totals.gate
    page.family("waymark_fixes_total", "counter", "Fixes that came.")
    page.sample("waymark_fixes_total", [], gate.received)
    page.family("waymark_fixes_dropped_total", "counter", "Fixes that were dropped, by reason.")
    for defect in Defect.allCases {
      page.sample("waymark_fixes_dropped_total", [("reason", defect.rawValue)], gate[defect])
    }
    page.family("waymark_events_total", "counter", "Lines of the event log, by type.")
    for kind in LogEntry.Kind.allCases where kind != .fix {
      page.sample(
        "waymark_events_total", [("type", kind.rawValue)], state.totals.events[kind] ?? 0)
    }
    page.family("waymark_fences_inside", "gauge", "Fences that the device is inside.")
    page.sample("waymark_fences_inside", [], state.presence.count)
    if !state.queues.isEmpty { append(state.queues, to: &page) }
    if let time = state.fix?.time {
      page.family(
        "waymark_last_fix_timestamp_seconds", "gauge", "The time of the last fix that was used.")
      page.begin("waymark_last_fix_timestamp_seconds", [])
      DecimalText.append(Double(time.nanoseconds) / 1e9, decimals: 3, to: &page.text)
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
