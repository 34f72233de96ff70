import TestSupport
import Testing

/// kill -9 at every call that changes a file: whoever begins anew gets what an undisturbed run gives.
@Suite("kill -9 at every point", .ownThreads, .timeLimit(Effort.limit))
struct KillTests {
  @Test("of each command that writes files", arguments: scenarios)
  func everywhere(_ scenario: any Scenario) throws {
    switch scenario {
    // They run for months: over several rotations, checkpoints and crossings.
    case let watch as WatchScenario where !watch.hasStore:
      try Self.killEverywhere(WatchScenario(drive: Drive(count: 54)))
    case is RecordScenario: try Self.killEverywhere(RecordScenario(drive: Drive(count: 72)))
    default: try Self.killEverywhere(scenario)
    }
  }

  @Test("of a pipe that repeats a complete run")
  func repetition() throws { try Self.killEverywhere(PipeScenario(repeatsRun: true)) }

  @Test("of a watch without a state: a truncated line is ended before anything is appended")
  func cutLine() throws {
    let stage = try Stage()
    try stage.folder.write("events", #"{"type":"fix","dev"#)
    stage.peer = .gpsd { Drive(count: 3).lines }
    _ = try stage.run(
      [
        "watch", "gpsd://127.0.0.1:\(stage.port)", "--no-reconnect", "--format", "jsonl",
        "--output", "events", "--include", "fix",
      ])
    let lines = stage.text("events").split(separator: "\n")
    #expect(lines.first == #"{"type":"fix","dev"#)
    #expect(lines.dropFirst().count == 3)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(#"{"type":"fix","device":"#) })
  }

  /// Kills a run before each call that changes the disk, and in the middle of each write.
  static func killEverywhere(_ scenario: any Scenario) throws {
    let before = try Stage()
    try scenario.prepare(before)
    let expected = try before.copy()
    let (outcome, calls) = try expected.calls { try scenario.run(expected, nil, $0) }
    try #require(outcome.code == scenario.code, "\(outcome.errors)")
    let points = points(calls)
    let faults = Effort.sample(points)
    for fault in faults { try kill(scenario, fault, before, expected) }
    print(
      "\(scenario.name): killed at \(faults.count) of \(points.count) points of \(calls.count) "
        + "calls, seed \(Effort.seed)")
  }

  /// Where there is something to be killed at.
  static func points(_ calls: [Call]) -> [Fault] {
    var faults: [Fault] = []
    for (place, call) in calls.enumerated() where call.changesDisk {
      faults.append(Fault(call: place + 1, kind: .killBefore))
      if call.kind == .write, call.second > 1 {
        faults.append(Fault(call: place + 1, kind: .killHalf))
      }
    }
    if let last = calls.lastIndex(where: \.changesDisk) {
      faults.append(Fault(call: last + 1, kind: .killAfter))
    }
    return faults
  }

  private static func kill(
    _ scenario: any Scenario, _ fault: Fault, _ before: Stage, _ expected: Stage
  ) throws {
    let stage = try before.copy()
    let killed = try scenario.run(stage, fault, [:])
    #expect(
      killed.isKilled || !scenario.isRepeatable, "\(scenario.name), \(fault): ended with \(killed)")
    let damage = scenario.damage(stage, expected)
    #expect(damage == nil, "\(scenario.name), \(fault)")
    let anew = try scenario.run(stage, nil, [:])
    #expect(anew.code == scenario.code, "\(scenario.name), \(fault): \(anew.errors)")
    let difference = scenario.difference(stage, expected)
    #expect(difference == nil, "\(scenario.name), \(fault)")
  }
}
