import Foundation
import TestSupport
import Testing

/// What earlier releases wrote, `Tests/Releases`, is read by this one: no event is lost or doubled.
///
/// In each folder are the states and stores of runs over the first half of a track. `make.sh` there made
/// them with the program of that release.
@Suite("Files of earlier releases", .timeLimit(.minutes(90)))
struct ReleaseFilesTests {
  static let releases: [String] = {
    let folder = Built.package("Tests/Releases").resolvingSymlinksInPath().path
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.first?.isNumber == true }.sorted()
  }()

  /// A runner with a copy of a release's files, for their owner alone as the program wrote them.
  private func runner(_ release: String) throws -> CommandRunner {
    let runner = try CommandRunner()
    let files = Built.package("Tests/Releases/\(release)").path
    let copied = try runner.shell("cp \(files)/* . && chmod 600 *.* && ls")
    try #require(copied.code == 0, "\(copied.errors)")
    return runner
  }

  private func count(_ store: String, _ runner: CommandRunner) throws -> String {
    try runner.shell(
      "sqlite3 \(store) \"SELECT count(*), count(DISTINCT id || revision) FROM events WHERE type != 'status'\""
    ).output.trimmingCharacters(in: .newlines)
  }

  @Test("there are some")
  func some() { #expect(Self.releases.contains("0.2.0")) }

  @Test("a pipe goes on where it ended", arguments: releases)
  func pipe(_ release: String) throws {
    let runner = try runner(release)
    let pipe = "$waymark pipe --config waymark.yaml"
    let whole = try runner.shell("\(pipe) --store whole.gpkg <fixes.ndjson")
    let rest = try runner.shell("\(pipe) --state pipe.state --store pipe.gpkg <second.ndjson")
    #expect(rest.code == 0, "\(rest.errors)")
    try expect(try runner.read("pipe.jsonl") + rest.output, likes: whole.output)
    #expect(try count("pipe.gpkg", runner) == count("whole.gpkg", runner))
  }

  @Test("a killed watch goes on where it ended, by its state and its journal", arguments: releases)
  func watch(_ release: String) throws {
    let runner = try runner(release)
    try watch("fixes.ndjson", "whole", runner)
    try watch("second.ndjson", "watch", runner)
    try expect(try runner.read("watch.jsonl"), likes: try runner.read("whole.jsonl"))
    #expect(try count("watch.gpkg", runner) == count("whole.gpkg", runner))
  }

  private struct LoggedEvent: Decodable {
    let type: String
    let id: String
    let fence: String?
    let revision: Int?
    let time: String

    /// What it is about: an engine that has learnt since dates it otherwise, which changes its id.
    var subject: String { "\(type) \(fence ?? "") \(revision ?? 0)" }
  }

  /// Expects that a log which two releases wrote has the events of one that this release wrote alone.
  private func expect(_ log: String, likes whole: String) throws {
    // Each connection to gpsd has a status of its own.
    func events(_ log: String) throws -> [LoggedEvent] {
      try log.split(separator: "\n").map {
        try JSONDecoder().decode(LoggedEvent.self, from: Data($0.utf8))
      }.filter { $0.type != "status" }
    }
    let (found, expected) = (try events(log), try events(whole))
    #expect(found.map(\.subject) == expected.map(\.subject))
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for (one, other) in zip(found, expected) {
      let difference = try format.parse(one.time).timeIntervalSince(try format.parse(other.time))
      #expect(abs(difference) < 1, "\(one)")
    }
    #expect(Set(found.map { "\($0.id) \($0.revision ?? 0)" }).count == found.count)
    for event in found where event.revision ?? 0 > 0 {
      #expect(found.contains { $0.id == event.id && $0.revision == 0 }, "\(event)")
    }
  }

  /// Watches a feed of fixes to its end, with the state, the events and the store of a name.
  private func watch(_ fixes: String, _ name: String, _ runner: CommandRunner) throws {
    let log = "feed-\(name).log"
    let feed = try runner.start(
      ["feed", fixes, "--listen", "127.0.0.1:0", "--speed", "max"], errors: log)
    try runner.wait(for: "serving", in: log)
    let address = try #require(try runner.read(log).firstMatch(of: /gpsd:\/\/[0-9.:]+/)?.output)
    let watch = try runner.waymark([
      "watch", String(address), "--no-reconnect", "--config", "waymark.yaml",
      "--state", "\(name).state", "--output", "\(name).jsonl", "--format", "jsonl",
      "--store", "\(name).gpkg",
    ])
    // The feed is over.
    #expect(watch.code == 69, "\(watch.errors)")
    #expect(!watch.errors.contains("starts over"), "\(watch.errors)")
    #expect(try feed.finish().code == 0)
  }

  @Test("a state and a store of a later release are refused, and left as they are")
  func later() throws {
    let runner = try runner("0.2.0")
    let changed = try runner.shell(
      """
      sed -i '1s/ 1 / 2 /' watch.state && sed -i '1s/ 1 / 3 /' pipe.state && cp watch.state kept.state
      sqlite3 pipe.gpkg 'UPDATE waymark_store SET version = 99' && cp pipe.state kept.pipe
      """)
    #expect(changed.code == 0, "\(changed.errors)")
    let watch = try runner.waymark(
      ["watch", "gpsd://127.0.0.1:1", "--no-reconnect", "--state", "watch.state"])
    #expect(watch.code == 74)
    #expect(
      watch.errors.contains(
        "watch.state: it has version 2, this program reads version 1; install the release that wrote it"
      ), "\(watch.errors)")
    #expect(try runner.read("watch.state") == runner.read("kept.state"))
    let pipe = try runner.shell("$waymark pipe --state pipe.state <second.ndjson")
    #expect(pipe.code == 65 && pipe.errors.contains("it has version 3"), "\(pipe.errors)")
    let store = try runner.waymark(["replay", "fixes.ndjson", "--store", "pipe.gpkg"])
    #expect(store.code == 74)
    #expect(
      store.errors.contains(
        "it was written by a newer waymark (store version 99); update this one"),
      "\(store.errors)")
  }
}
