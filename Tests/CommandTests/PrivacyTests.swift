import Foundation
import Testing

@Suite("Files with positions", .timeLimit(.minutes(90)))
struct PrivacyTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func mode(_ name: String) throws -> Int {
    let path = runner.folder.appendingPathComponent(name).path
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  /// Files that were there before, open to all.
  private func leave(_ names: [String]) throws {
    for name in names {
      try runner.write(name, "")
      let path = runner.folder.appendingPathComponent(name).path
      try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    }
  }

  /// Runs a line of shell that must succeed.
  private func shell(_ line: String) throws {
    let outcome = try runner.shell(line)
    #expect(outcome.code == 0, "\(line): \(outcome.errors)")
  }

  private static func report(_ second: Int) -> String {
    let stamp = String(format: "2025-03-10T08:00:%02d.000Z", second)
    return #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(stamp)","lat":12.3456789,"#
      + #""lon":98.7654321,"altMSL":34.0,"eph":9.5,"speed":0.1}"#
  }

  @Test(
    "a watch keeps state, journal and recording private, and prints no position on standard error")
  func watch() throws {
    let gpsd = try ScriptedGPSD()
    try leave(["van.state.journal", "van.state.new", "trip.jsonl"])
    let watch = try runner.start(
      [
        "watch", gpsd.address, "--state", "van.state", "--record", "trip.jsonl", "--output",
        "events", "--format", "jsonl", "--include", "fix", "--status", "status",
      ], errors: "errors", umask: "0")
    let client = try gpsd.client()
    client.say(#"{"class":"TPV","device":"/dev/x","mode":3,"lat":12.3456789,"lon":"98.7654321"}"#)
    for second in 0..<30 { client.say(Self.report(second)) }
    try runner.wait(for: "08:00:28.000Z", in: "events")
    try runner.wait(for: "waymark: fix: ", in: "errors")
    watch.send(SIGTERM)
    let outcome = try watch.finish()
    #expect(outcome.code == 0)
    for file in ["van.state", "van.state.journal", "trip.jsonl"] {
      #expect(try mode(file) == 0o600, "\(file)")
    }
    #expect(try mode("events") == 0o640)
    #expect(try mode("status") == 0o640)
    #expect(!outcome.errors.contains("12.34") && !outcome.errors.contains("98.76"))
    #expect(try runner.read("events").contains("12.3456789"))
  }

  @Test("a recording is private, whatever permissions the file had")
  func record() throws {
    let gpsd = try ScriptedGPSD()
    try leave(["trip.jsonl"])
    let record = try runner.start(["record", gpsd.address, "-o", "trip.jsonl"], umask: "0")
    let client = try gpsd.client()
    client.say(Self.report(0))
    try runner.wait(for: "12.3456789", in: "trip.jsonl")
    record.send(SIGTERM)
    let outcome = try record.finish()
    #expect(outcome.code == 0 && !outcome.errors.contains("12.34"))
    #expect(try mode("trip.jsonl") == 0o600)
  }

  @Test("a pipe's state is private, and its events follow the user's umask")
  func pipe() throws {
    try runner.write("walk.csv", Walk.csv)
    try runner.write("here.yaml", Walk.config)
    try leave(["fleet.new"])
    try shell(
      "umask 0; $waymark pipe --in csv --config here.yaml --state fleet <walk.csv >/dev/null")
    #expect(try mode("fleet") == 0o600)
    for (mask, wanted) in [("0", 0o666), ("022", 0o644), ("077", 0o600)] {
      try shell(
        "umask \(mask); $waymark replay walk.csv --config here.yaml --output events-\(mask)")
      #expect(try mode("events-\(mask)") == wanted)
    }
  }

  @Test("compiled fences are readable as far as the umask allows")
  func compile() throws {
    try runner.write("fences.csv", "id,latitude,longitude,radius\na,1,2,3\n")
    for (mask, wanted) in [("0", 0o644), ("077", 0o600)] {
      try shell("umask \(mask); $waymark compile fences.csv -o fences.wmf 2>/dev/null")
      #expect(try mode("fences.wmf") == wanted)
    }
  }
}
