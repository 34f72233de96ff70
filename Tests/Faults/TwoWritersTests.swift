import Foundation
import TestSupport
import Testing

/// Two programs fill one store, and one of them is killed at each call that changes the disk: the other
/// one goes on, and nothing of either is lost.
@Suite("two programs on one store", .ownThreads, .timeLimit(Effort.limit))
struct TwoWritersTests {
  private static let devices = ["van", "bus"]

  private static func arguments(_ device: String) -> [String] {
    ["replay", "\(device).csv", "--store", "events.gpkg"] + Walk.fence
  }

  private static func prepared() throws -> Stage {
    let stage = try Stage()
    for device in devices {
      let rows = Walk.rows.map { $0.replacing("van", with: device) }
      try stage.folder.write("\(device).csv", Walk.csv(rows))
    }
    return stage
  }

  /// The events of one device in a store.
  private static func lines(_ stage: Stage, of device: String) throws -> [String] {
    try StoredEvents.lines(stage).filter { $0.contains(#""device":"\#(device)""#) }
  }

  /// A program without faults, beside the one of the stage.
  private static func start(_ device: String, in stage: Stage) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Stage.program("waymark"))
    process.arguments = arguments(device)
    process.currentDirectoryURL = URL(fileURLWithPath: stage.folder.path)
    process.standardOutput = FileHandle.nullDevice
    try stage.folder.write("\(device).errors", "")
    process.standardError = FileHandle(forWritingAtPath: stage.folder.file("\(device).errors"))
    try process.run()
    return process
  }

  private static func isRefused(_ code: Int32, _ errors: String) -> Bool {
    code == 74 && errors.contains("another program is writing to it")
  }

  @Test("of which one is killed: the other stores its events, or is refused; reruns complete both")
  func killed() throws {
    let before = try Self.prepared()
    let expected = try before.copy()
    let (outcome, calls) = try expected.calls {
      try expected.run(Self.arguments("van"), environment: $0)
    }
    try #require(outcome.code == 0, "\(outcome.errors)")
    #expect(try expected.run(Self.arguments("bus")).code == 0)
    let all = try Self.devices.map { try Self.lines(expected, of: $0) }
    #expect(all.allSatisfy { $0.count > 2 })
    let points = KillTests.points(calls)
    let faults = Effort.sample(points, most: 60)
    for fault in faults {
      let stage = try before.copy()
      let other = try Self.start("bus", in: stage)
      let killed = try stage.run(Self.arguments("van"), fault: fault)
      // It makes fewer calls when the other one has created the tables, and both wait for a lock for 2 s
      // at most, which is too short on a busy machine; who is refused says so, and is run again.
      #expect(
        killed.isKilled || killed.code == 0 || Self.isRefused(killed.code, killed.errors),
        "\(fault): \(killed)")
      try other.waitForEnd()
      if Self.isRefused(other.terminationStatus, stage.text("bus.errors")) {
        #expect(try stage.run(Self.arguments("bus")).code == 0)
      } else {
        #expect(other.terminationStatus == 0, "\(fault): \(stage.text("bus.errors"))")
      }
      #expect(try Self.lines(stage, of: "bus") == all[1], "\(fault)")
      #expect(try stage.run(Self.arguments("van")).code == 0)
      #expect(try Self.lines(stage, of: "van") == all[0], "\(fault)")
      #expect(try Self.lines(stage, of: "bus") == all[1], "\(fault)")
    }
    print("two writers: one killed at \(faults.count) of \(points.count) points")
  }
}
