internal import CWaymark
internal import EventLog
internal import Geodesy
internal import Session
internal import Text
internal import Tracking

/// The engines of many devices, and their events that were not taken yet.
///
/// It plays fixes as `replay` does.
final class EngineHandle {
  private let rules: RulesHandle
  private var session: Session
  private var entries: [LogEntry] = []
  /// The fixes given so far.
  private var rows = 0
  /// The counts in the states that were resumed.
  private var countsBefore = GateCounts()

  init(_ rules: RulesHandle) {
    self.rules = rules
    // Those that `replay` gives: problems are of files.
    session = Session(rules: rules.rules, kinds: LogEntry.Kind.ofTracks.subtracting([.problem]))
    session.sources = ["fixes"]
  }

  func device(_ name: String) throws(Misuse) -> Int32 {
    guard !name.isEmpty else { throw Misuse("the name of a device is empty") }
    guard let number = Int32(exactly: session.index(of: name)) else {
      throw Misuse("there are too many devices")
    }
    return number
  }

  func feed(_ fixes: FixColumns) throws(Misuse) {
    for row in 0..<fixes.count { _ = try known(fixes.devices[row], "row \(row): device") }
    for row in 0..<fixes.count {
      session.take(
        fixes.fix(row), of: Int(fixes.devices[row]), from: 0, line: rows, into: &entries)
      rows += 1
    }
  }

  func advance(_ device: Int32, to now: Timestamp) throws(Misuse) {
    session.take(.time(now, device: try known(device, "device")), into: &entries)
  }

  /// Removes and returns the events since the last call.
  func takeEvents() -> [LogEntry] {
    defer { entries = [] }
    return entries
  }

  func state(of device: Int32) throws(Misuse) -> [UInt8] {
    session.withPackedState(of: try known(device, "device")) {
      DeviceState.bytes($0, fences: rules.fingerprint)
    }
  }

  func resume(_ device: Int32, from bytes: [UInt8]) throws {
    let device = try known(device, "device")
    let packed = try DeviceState.packed(in: bytes, fences: rules.fingerprint)
    let before = session.counts(of: device)
    guard packed.withUnsafeBytes({ session.resume(device, from: $0) }) else {
      throw DeviceState.Failure.damaged
    }
    // What the device counted so far was of this engine.
    countsBefore += session.counts(of: device).since(before)
  }

  private func known(_ device: Int32, _ name: String) throws(Misuse) -> Int {
    guard 0 <= device, device < session.count else {
      throw Misuse("\(name) \(device) is no number of waymark_engine_device")
    }
    return Int(device)
  }
}

extension EngineHandle {
  /// What became of the fixes, as a JSON object.
  var counts: [UInt8] {
    let totals = session.finalTotals()
    let gate = totals.gate.since(countsBefore)
    var json = JSONBuilder()
    json.object { json in
      json.number("fixes", gate.received)
      json.number("used", gate.accepted)
      json.number("waiting", gate.waiting)
      json.object("dropped") { json in
        for defect in Defect.allCases where gate[defect] > 0 {
          json.object(defect.rawValue) { json in
            json.number("count", gate[defect])
            if let row = totals.firstDefects[defect]?.line { json.number("row", row) }
          }
        }
      }
      json.number("reordered", gate.reordered)
      json.number("cleaned", gate.cleaned)
      json.number("teleports", gate.believedTeleports)
      json.number("clockJumps", gate.believedClockJumps)
      json.number("devices", totals.devices)
    }
    return json.bytes
  }
}

/// Fixes of the caller as columns.
struct FixColumns {
  let count: Int
  /// Of no fixes when there are none.
  let devices: UnsafePointer<Int32>
  private let times: UnsafePointer<Int64>
  private let latitudes, longitudes: UnsafePointer<Double>
  private let accuracies, speeds, courses: UnsafePointer<Double>?

  /// Nil for no fixes.
  init?(_ fixes: waymark_fixes) throws(Misuse) {
    guard fixes.size >= MemoryLayout<waymark_fixes>.size else {
      throw Misuse("fixes.size is \(fixes.size), expected sizeof(waymark_fixes)")
    }
    guard fixes.count != 0 else { return nil }
    guard Received.possibleCounts.contains(fixes.count) else {
      throw Misuse("fixes.count is \(UInt(bitPattern: fixes.count))")
    }
    count = fixes.count
    devices = try Self.required(fixes.devices, "devices")
    times = try Self.required(fixes.times, "times")
    latitudes = try Self.required(fixes.latitudes, "latitudes")
    longitudes = try Self.required(fixes.longitudes, "longitudes")
    (accuracies, speeds, courses) = (fixes.accuracies, fixes.speeds, fixes.courses)
  }

  func fix(_ row: Int) -> Fix {
    let time = times[row] == .min ? nil : Timestamp(nanoseconds: times[row])
    var fix = Fix(
      time: time,
      coordinate: Coordinate(latitude: latitudes[row], longitude: longitudes[row]))
    // NaN is unknown in a fix as well.
    if let accuracies { fix.horizontalAccuracy = accuracies[row] }
    if let speeds { fix.speed = speeds[row] }
    if let courses { fix.course = courses[row] }
    return fix
  }

  private static func required<Value>(
    _ column: UnsafePointer<Value>?, _ name: String
  ) throws(Misuse) -> UnsafePointer<Value> {
    guard let column else { throw Misuse("fixes.\(name) is NULL") }
    return column
  }
}
