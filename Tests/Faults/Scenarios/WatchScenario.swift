/// `watch` with state, events in a file, a recording that is rotated, and a status.
struct WatchScenario: Scenario {
  let name = "watch"
  /// gpsd ends the connection, and is not tried again.
  let code: Int32 = 69
  var drive = Drive(count: 16)

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    stage.peer = .gpsd { [drive] in drive.rest(after: stage.text("events")) }
    var arguments = [
      "watch", "gpsd://127.0.0.1:\(stage.port)", "--no-reconnect", "--fence", "gate=0,0,150",
      "--device", "van", "--format", "jsonl", "--output", "events", "--state", "state", "--record",
      "trip.jsonl", "--rotate", "1500B", "--status", "status",
    ]
    for kind in ["fix", "enter", "exit", "state", "visit", "significant-change"] {
      arguments += ["--include", kind]
    }
    return try stage.run(arguments, fault: fault, environment: environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    let (events, whole) = (stage.text("events"), expected.text("events"))
    return whole.hasPrefix(events)
      ? nil : firstDifference("events", events, String(whole.prefix(events.count)))
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    firstDifference("events", stage.text("events"), expected.text("events"))
      ?? Recordings(stage).difference(drive.lines)
  }
}
