import TestSupport

/// `replay --output`: a stream of events, of which a kill leaves the beginning.
struct ReplayScenario: Scenario {
  let name = "replay"
  let outputs = ["events"]

  func prepare(_ stage: Stage) throws {
    try stage.folder.write("walk.csv", Walk.csv(Walk.rows))
    try stage.folder.write("events", "from yesterday\n")
  }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try stage.run(
      ["replay", "walk.csv", "--format", "jsonl", "--include", "fix", "--output", "events"]
        + Walk.fence, fault: fault, environment: environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    let events = stage.text("events")
    return events == "from yesterday\n" || expected.text("events").hasPrefix(events)
      ? nil : "events: neither old nor the beginning of the new: \(events)"
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    firstDifference("events", stage.text("events"), expected.text("events"))
  }
}

/// `pipe --state`: a run leaves the state with which it began or the new one; when it has replaced the
/// state, all of its events are out; and a run with the same input writes them all again, whichever
/// state is there.
struct PipeScenario: Scenario {
  let name = "pipe"
  let outputs = ["events"]
  let keeps = ["state"]
  /// Whether a complete run with the same input came before.
  var repeatsRun = false

  func prepare(_ stage: Stage) throws {
    try stage.folder.write("first.csv", Walk.csv(Walk.rows.prefix(17)))
    try stage.folder.write("second.csv", Walk.csv(Walk.rows.dropFirst(17)))
    let outcome = try stage.run(Self.arguments, input: "first.csv")
    guard outcome.code == 0 else { throw Failure("pipe: \(outcome)") }
    if repeatsRun {
      let complete = try run(stage, nil, [:])
      guard complete.code == 0 else { throw Failure("pipe: \(complete)") }
    }
    // Whoever redirects output to a file makes it; no program can make its name last.
    try stage.folder.write("events", "")
  }

  private static let arguments = ["pipe", "--in", "csv", "--state", "state"] + Walk.fence

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    // The state may be the new one already, when a run that was complete is repeated.
    stage.stateBefore = stage.bytes("state")
    return try stage.run(
      Self.arguments, input: "second.csv", output: "events", fault: fault, environment: environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    if stage.bytes("state") == stage.stateBefore { return nil }
    return stage.bytes("state") == expected.bytes("state")
      ? firstDifference("events", stage.text("events"), expected.text("events"))
      : "the state is neither old nor new"
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    firstDifference("events", stage.text("events"), expected.text("events"))
      ?? (stage.bytes("state") == expected.bytes("state") ? nil : "another state")
  }

  func hasWholeState(_ stage: Stage, _ expected: Stage) -> Bool? {
    stage.bytes("state") == expected.bytes("state")
  }
}

/// `compile --output`: the file is the old one or the new one.
struct CompileScenario: Scenario {
  let name = "compile"
  let keeps = ["set.wmf"]

  func prepare(_ stage: Stage) throws {
    for (name, count) in [("old", 3), ("new", 50)] {
      let rows = (0..<count).map { "\(name)\($0),\(Double($0) / 100),13,150" }
      try stage.folder.write(
        "\(name).csv", (["id,latitude,longitude,radius"] + rows).joined(separator: "\n") + "\n")
    }
    let outcome = try stage.run(["compile", "old.csv", "-o", "set.wmf"])
    guard outcome.code == 0 else { throw Failure("compile: \(outcome)") }
    try stage.folder.write("set.before", bytes: stage.bytes("set.wmf") ?? [])
  }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try stage.run(
      ["compile", "new.csv", "-o", "set.wmf"], fault: fault, environment: environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    [stage.bytes("set.before"), expected.bytes("set.wmf")].contains(stage.bytes("set.wmf"))
      ? nil : "the fences are neither old nor new"
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    stage.bytes("set.wmf") == expected.bytes("set.wmf") ? nil : "other fences"
  }
}
