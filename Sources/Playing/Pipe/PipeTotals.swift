package import EventLog
package import Tracking

/// The totals of a pipe; they account for all of the input.
package struct PipeTotals: Sendable, Hashable {
  /// Lines of the input.
  package var lines = 0
  /// The counts of the gate, without fixes out of order.
  package var gate = GateCounts()
  /// Fixes not used because they were out of order.
  package var disordered = 0
  /// Doubtful fixes in the resumed state that were waiting for another fix.
  package var resumed = 0
  /// Known devices.
  package var devices = 0
  /// Skipped records of other kinds.
  package var others = 0
  /// Problems of the input, including fixes out of order.
  package var problems = 0
  /// Events by kind, whether or not they were written.
  package var events: [LogEntry.Kind: Int] = [:]
  /// The FNV-1a hash of the output before the trailer; nil when the trailer goes elsewhere.
  package var checksum: String?

  package init() {}

  /// One JSON object.
  ///
  /// `fixes` and `resumed` together are `used`, `waiting` and all that is in `dropped`.
  package var trailer: [UInt8] {
    var text: [UInt8] = []
    text.append(contentsOf: #"{"type":"trailer""#.utf8)
    func add(_ name: String, _ number: Int) {
      text.append(contentsOf: ",\"\(name)\":\(number)".utf8)
    }
    add("lines", lines)
    add("fixes", gate.received + disordered)
    add("resumed", resumed)
    add("used", gate.accepted)
    add("waiting", gate.waiting)
    var dropped: [(String, Int)] = Defect.allCases.map { ($0.rawValue, gate[$0]) }
    dropped.append(("disorder", disordered))
    text.append(contentsOf: Self.object("dropped", dropped).utf8)
    add("reordered", gate.reordered)
    add("cleaned", gate.cleaned)
    add("teleports", gate.believedTeleports)
    add("clockJumps", gate.believedClockJumps)
    add("others", others)
    add("problems", problems)
    add("devices", devices)
    let kinds = LogEntry.Kind.allCases.map { ($0.rawValue, events[$0] ?? 0) }
    text.append(contentsOf: Self.object("events", kinds).utf8)
    if let checksum { text.append(contentsOf: ",\"checksum\":\"\(checksum)\"".utf8) }
    text.append(contentsOf: "}\n".utf8)
    return text
  }

  /// A JSON object of the numbers other than 0.
  private static func object(_ name: String, _ numbers: [(String, Int)]) -> String {
    let parts = numbers.filter { $0.1 != 0 }.map { "\"\($0.0)\":\($0.1)" }
    return ",\"\(name)\":{\(parts.joined(separator: ","))}"
  }
}
