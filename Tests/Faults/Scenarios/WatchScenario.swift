import Foundation

/// `watch` with state, events in a file, a recording that is rotated, and a status; perhaps a store.
struct WatchScenario: Scenario {
  var name: String { hasStore ? "watch-store" : "watch" }
  /// gpsd ends the connection, and is not tried again.
  let code: Int32 = 69
  var drive = Drive(count: 16)
  /// Whether it is to run for long: with larger files.
  var isLong = false
  var hasStore = false
  var usesSQLite: Bool { hasStore }
  /// Events that come at once are stored at once, so the number of transactions varies.
  var isRepeatable: Bool { !hasStore }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    stage.peer = .gpsd { [drive, unowned stage] in
      drive.rest(after: stage.text("events"), from: stage.said)
    }
    var arguments = [
      "watch", "gpsd://127.0.0.1:\(stage.port)", "--no-reconnect", "--fence", "gate=0,0,150",
      "--device", "van", "--format", "jsonl", "--output", "events", "--state", "state", "--record",
      "trip.jsonl", "--rotate", isLong ? "1MB" : "1500B", "--status", "status",
    ]
    for kind in ["fix", "enter", "exit", "state", "visit", "significant-change"] {
      arguments += ["--include", kind]
    }
    if hasStore { arguments += ["--store", "events.gpkg"] }
    return try stage.run(arguments, fault: fault, environment: environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    let (events, whole) = (stage.text("events"), expected.text("events"))
    return whole.hasPrefix(events)
      ? nil : firstDifference("events", events, String(whole.prefix(events.count)))
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    difference(stage, expected, told: "")
  }

  func difference(_ stage: Stage, _ expected: Stage, told: String) -> String? {
    firstDifference("events", stage.text("events"), expected.text("events"))
      ?? Recordings(stage).difference(drive.lines, told: told)
      ?? StoredEvents.difference(stage, expected)
  }

  func hasWholeState(_ stage: Stage, _ expected: Stage) throws -> Bool? {
    let next = try stage.copy()
    // gpsd has nothing more to say, so this run saves what it finds, of which a part may be in the journal.
    next.said = drive.lines.count
    _ = try run(next, nil, [:])
    return try Self.engine(next) == Self.engine(expected)
  }

  /// What the state has of the engine: without the number of times that it was saved.
  private static func engine(_ stage: Stage) throws -> String {
    let state = try? JSONSerialization.jsonObject(with: checkedBody(stage, "state"))
    return (state as? [String: Any])?["tracker"].map(sortedJSON) ?? ""
  }

  /// Events are in order, whole, and no fence is entered twice; what was not synchronised may lack.
  func differenceAfterCut(_ stage: Stage, _ expected: Stage) throws -> String? {
    let lines = stage.text("events").split(separator: "\n").map(String.init)
    let events = lines.filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
    var isInside: Bool?
    var last = ""
    for event in events {
      guard (try? JSONSerialization.jsonObject(with: Data(event.utf8))) != nil else {
        return "no event: \(event.debugDescription)"
      }
      if event.hasPrefix(#"{"type":"enter""#) || event.hasPrefix(#"{"type":"exit""#) {
        let enters = event.hasPrefix(#"{"type":"enter""#)
        if isInside == enters { return "twice in a row: \(event)" }
        isInside = enters
      }
      if event.hasPrefix(#"{"type":"fix""#),
        let time = event.components(separatedBy: #""time":""#).dropFirst().first?.prefix(24)
      {
        if time <= last { return "not in order: \(event)" }
        last = String(time)
      }
    }
    // One line may be cut, in each of the two runs.
    if lines.count - events.count > 2 { return "\(lines.count - events.count) cut lines" }
    if hasStore {
      // The store has an event before the log does.
      let stored = Set(try StoredEvents.lines(stage))
      let missing = events.first { !$0.hasPrefix(#"{"type":"fix""#) && !stored.contains($0) }
      if let missing { return "not in the store: \(missing)" }
    }
    return try Recordings(stage).wrongFix(stage, drive.lines)
  }

  func said(_ calls: some Sequence<Call>) -> Int { drive.said(calls) }
}
