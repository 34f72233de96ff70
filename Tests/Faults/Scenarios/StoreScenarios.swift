import TestSupport

/// `replay --store`: the store is made by the run, and another run completes it.
struct ReplayStoreScenario: Scenario {
  let name = "replay-store"
  let usesSQLite = true

  func prepare(_ stage: Stage) throws {
    try stage.folder.write("walk.csv", Walk.csv(Walk.rows))
  }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try stage.run(
      ["replay", "walk.csv", "--store", "events.gpkg"] + Walk.fence, fault: fault,
      environment: environment)
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    StoredEvents.difference(stage, expected)
  }
}

/// `replay --deliver`: a program gets every event in order, after a kill perhaps once more.
struct DeliverScenario: Scenario {
  let name = "deliver"
  let failureCodes: [Int32] = [69, 74]
  let usesSQLite = true
  let isRepeatable = false
  let isWhollySeen = false

  func prepare(_ stage: Stage) throws {
    try stage.folder.write("first.csv", Walk.csv(Walk.rows.prefix(17)))
    try stage.folder.write("walk.csv", Walk.csv(Walk.rows))
    // A program that outlives a killed run has half of its line or all of it, and adds the whole line.
    try stage.folder.write(
      "w.yaml",
      """
      fences: [{id: gate, center: [0, 0], radius: 150}]
      store: events.gpkg
      deliver: [{name: log, command: [sh, -c, 'read -r line && echo "$line" >> got'], only: [enter]}]

      """)
    let outcome = try deliver("first.csv", stage, nil, [:])
    guard outcome.code == 0 else { throw Failure("deliver: \(outcome)") }
  }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try deliver("walk.csv", stage, fault, environment)
  }

  private func deliver(
    _ file: String, _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try stage.run(
      ["replay", file, "--config", "w.yaml", "--device", "van", "--deliver"], fault: fault,
      environment: environment)
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    StoredEvents.difference(stage, expected)
      ?? firstDifference("got", Self.received(stage), Self.received(expected))
  }

  /// What the program got, without what it got again.
  private static func received(_ stage: Stage) -> String {
    var known: Set<Substring> = []
    return stage.text("got").split(separator: "\n").filter { known.insert($0).inserted }
      .joined(separator: "\n")
  }
}
