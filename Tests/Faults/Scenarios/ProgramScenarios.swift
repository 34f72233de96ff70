import Foundation
import TestSupport

/// A program with location services, as a user's would be: where it keeps what, and as whom it asks.
private enum LocationProgram {
  static let environment = [
    "WAYMARK_SOURCE": "none", "WAYMARK_STATE": "state", "WAYMARK_PURPOSES": "purposes.plist",
  ]

  static func prepare(_ stage: Stage) throws {
    try stage.folder.write(
      "purposes.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>NSLocationWhenInUseUsageDescription</key><string>to show where you are</string>
      <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>to watch the place</string>
      </dict></plist>

      """)
  }

  static func run(
    _ stage: Stage, _ story: String, _ permission: String, _ fault: Fault?,
    _ environment: [String: String]
  ) throws -> Stage.Outcome {
    var values = Self.environment.merging(environment) { $1 }
    values["WAYMARK_PERMISSION"] = permission
    return try stage.run(
      [story], program: "chapter-program", fault: fault, environment: values)
  }
}

/// A program that is allowed to know places: the permission file is there and right, or not there.
struct PermissionScenario: Scenario {
  let name = "permission"
  let keeps = ["state/permission"]

  func prepare(_ stage: Stage) throws { try LocationProgram.prepare(stage) }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try LocationProgram.run(stage, "permission", "allow", fault, environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    [nil, expected.bytes("state/permission")].contains(stage.bytes("state/permission"))
      ? nil : "half a permission"
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    firstDifference(
      "permission", stage.text("state/permission"), expected.text("state/permission"))
  }
}

/// A program that asks for significant changes: what it wants is kept, or it asks again.
struct StoreScenario: Scenario {
  let name = "store"
  let keeps = ["state/services"]

  func prepare(_ stage: Stage) throws { try LocationProgram.prepare(stage) }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try LocationProgram.run(stage, "changes", "always", fault, environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    stage.bytes("state/services") == nil || Self.content(stage) == Self.content(expected)
      ? nil : "half a state"
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    firstDifference("services", Self.content(stage), Self.content(expected))
  }

  private static func content(_ stage: Stage) -> String { checkedContent(stage, "state/services") }
}

/// `launch`: a program is launched for every significant change, and finds it in its folder; after a
/// kill it may find it again, and never not at all.
struct LaunchScenario: Scenario {
  let name = "launch"
  let isWhollySeen = false
  let keeps = ["state/services", "state/pending"]

  func prepare(_ stage: Stage) throws {
    try LocationProgram.prepare(stage)
    let outcome = try LocationProgram.run(stage, "changes", "always", nil, [:])
    guard outcome.code == 0 else { throw Failure("changes: \(outcome)") }
    let rows = (0..<16).map { number in
      "2025-03-10T08:\(number < 10 ? "0" : "")\(number):00Z,0,"
        + "\(Double(number) / 200),5"
    }
    try stage.folder.write(
      "walk.csv", (["time,latitude,longitude,accuracy"] + rows).joined(separator: "\n") + "\n")
    try writeExecutable(
      """
      #!/bin/sh
      [ -f "$WAYMARK_STATE/pending" ] || exit 1
      n=$(ls | grep -c taken)
      mv "$WAYMARK_STATE/pending" "taken$((1000 + n))"

      """, to: stage.folder.file("program"))
  }

  func run(
    _ stage: Stage, _ fault: Fault?, _ environment: [String: String]
  ) throws -> Stage.Outcome {
    try stage.run(
      ["launch", "walk.csv", "--speed", "max", "--state", "state", "--", "./program"],
      fault: fault, environment: environment)
  }

  func damage(_ stage: Stage, _ expected: Stage) -> String? {
    stage.bytes("state/services") == nil ? "the state is gone" : nil
  }

  func difference(_ stage: Stage, _ expected: Stage) -> String? {
    let (found, all) = (Self.events(stage), Self.events(expected))
    var distinct: [String] = []
    for event in found where !distinct.contains(event) { distinct.append(event) }
    if distinct != all { return "\(distinct.count) events instead of \(all.count)" }
    return hasBroken(stage) ? "a file was put aside" : nil
  }

  /// Where what the engine knows could not be kept, it finds the same once more, a little differently.
  func difference(_ stage: Stage, _ expected: Stage, told: String) -> String? {
    // What comes while the folder cannot be used is not heard.
    if told.contains("cannot save the state") { return hasBroken(stage) ? "a broken file" : nil }
    guard told.contains("cannot be written") else { return difference(stage, expected) }
    let isComplete = Set(Self.events(stage)).isSuperset(of: Self.events(expected))
    return isComplete && !hasBroken(stage) ? nil : "events are missing"
  }

  private func hasBroken(_ stage: Stage) -> Bool {
    ((try? stage.folder.names()) ?? []).contains { $0.hasSuffix(".broken") }
  }

  /// What the program was given, in order.
  private static func events(_ stage: Stage) -> [String] {
    let names = ((try? stage.folder.names()) ?? []).filter { $0.hasPrefix("taken") }.sorted()
    return names.flatMap { name -> [String] in
      let list = (try? JSONSerialization.jsonObject(with: checkedBody(stage, name))) as? [Any]
      return (list ?? []).map(sortedJSON)
    }
  }
}

/// What is behind the first line of a file, which has its checksum: JSON.
func checkedBody(_ stage: Stage, _ name: String) -> Data {
  Data((stage.bytes(name) ?? []).drop { $0 != UInt8(ascii: "\n") })
}

/// The same with keys in order, which a program writes as they come.
private func checkedContent(_ stage: Stage, _ name: String) -> String {
  (try? JSONSerialization.jsonObject(with: checkedBody(stage, name))).map(sortedJSON) ?? ""
}

func sortedJSON(_ value: Any) -> String {
  let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
  return String(decoding: data ?? Data(), as: UTF8.self)
}
