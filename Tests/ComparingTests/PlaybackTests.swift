import Foundation
import Playing
import Session
import Settings
import TestSupport
import Testing
import Tracking

@testable import Comparing

@Suite("Tracks under several settings")
struct PlaybackTests {
  private static func path(_ name: String) -> String { Built.package("traces/\(name)").path }

  private static func settings(_ story: String) throws -> Playback.Settings {
    let configuration = try Configuration(path: path("\(story)/waymark.yaml"))
    return Playback.Settings(rules: try configuration.rules(), device: nil)
  }

  private static func logs(threads: Int) throws -> [String] {
    let tracks = ["commute/track.gpx", "fleet/track.csv", "two-days/track.gpx"].map(path)
    let playback = Playback(tracks: tracks, threads: threads)
    return try playback.play(["commute", "fleet", "two-days"].map(settings)) { number, outcome in
      #expect(outcome.devices.count == 5)
      return "\(number) " + String(decoding: outcome.log, as: UTF8.self)
    }
  }

  @Test("give the same bytes in the same order on any number of threads")
  func threads() throws {
    let logs = try Self.logs(threads: 1)
    #expect(logs.map { $0.prefix(2) } == ["0 ", "1 ", "2 "])
    #expect(logs.allSatisfy { $0.contains(#""type":"visit""#) })
    for threads in [2, 3, 7] { #expect(try Self.logs(threads: threads) == logs) }
  }

  @Test("give the log of the story, so comparing configs is comparing their logs")
  func story() throws {
    let playback = Playback(tracks: [Self.path("two-days/track.gpx")], threads: 1)
    let configuration = try Configuration(path: Self.path("two-days/waymark.yaml"))
    let settings = Playback.Settings(
      rules: try configuration.rules(), device: configuration.device)
    let log = try playback.play([settings]) { _, outcome in
      try ComparedLog(outcome.log, file: "log")
    }[0]
    var golden = try LogFile(path: Self.path("two-days/events.jsonl")) { Issue.record("\($0)") }
    let comparison = Comparison(try golden.read(), log, limit: 600)
    #expect(comparison.isSame)
    #expect(comparison.total.same > 20)
  }

  @Test("report errors of a track once, and count them for each of the settings")
  func issues() throws {
    let folder = try ScratchFolder()
    try folder.write("van.csv", "time,latitude,longitude\n2026-05-04T08:00:00Z,1,2\nnoon,1,2\n")
    var playback = Playback(tracks: [folder.file("van.csv")], threads: 2)
    var warnings: [String] = []
    playback.warn = { warnings.append($0) }
    let settings = Playback.Settings(rules: Rules(), device: nil)
    let issues = try playback.play([settings, settings, settings]) { _, outcome in outcome.issues }
    #expect(issues == [1, 1, 1])
    #expect(warnings.count == 1)
  }

  @Test("end with the error of the first that has one")
  func missing() throws {
    let folder = try ScratchFolder()
    try folder.write("van.csv", "time,latitude,longitude\n2026-05-04T08:00:00Z,1,2\n")
    let playback = Playback(tracks: [folder.file("van.csv"), folder.file("bus.csv")], threads: 2)
    let settings = Playback.Settings(rules: Rules(), device: nil)
    let error = #expect(throws: SessionError.self) {
      try playback.play([settings, settings]) { number, _ in number }
    }
    #expect(error?.description == "\(folder.file("bus.csv")): no such file")
  }

  @Test("the progress is that of all together")
  func progress() throws {
    var playback = Playback(tracks: [Self.path("two-days/track.gpx")], threads: 2)
    nonisolated(unsafe) var last: (fixes: Int, read: Int, total: Int?) = (0, 0, nil)
    playback.progress = { last = ($0.fixes, $0.bytesRead, $0.bytesTotal) }
    let settings = try Self.settings("two-days")
    _ = try playback.play([settings, settings]) { number, _ in number }
    #expect(last.fixes > 0)
    #expect(last.total == last.read)
  }
}
