/// `record` with rotation: what gpsd says, of which a kill costs at most the last line.
struct RecordScenario: Scenario {
  let name = "record"
  /// gpsd ends the connection, and is not tried again.
  let code: Int32 = 69
  var drive = Drive(count: 24)

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    stage.peer = .gpsd { [drive, unowned stage] in
      Array(drive.lines.dropFirst(max(stage.said, Recordings(stage).count(of: drive.lines))))
    }
    return try stage.run(
      [
        "record", "gpsd://127.0.0.1:\(stage.port)", "--no-reconnect", "-o", "trip.jsonl",
        "--rotate", "1000B",
      ], fault: fault, environment: environment)
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    difference(stage, expected, told: "")
  }

  func difference(_ stage: Stage, _ expected: Stage, told: String) -> String? {
    Recordings(stage).difference(drive.lines, told: told)
  }

  /// A replay of what is left gives fixes that there were, in order, and no other.
  func differenceAfterCut(_ stage: Stage, _ expected: Stage) throws -> String? {
    try Recordings(stage).wrongFix(stage, drive.lines)
  }

  func said(_ calls: some Sequence<Call>) -> Int { drive.said(calls) }
}
