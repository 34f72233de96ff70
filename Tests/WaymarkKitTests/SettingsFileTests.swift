import Foundation
import TestSupport
import Testing
import WaymarkFoundation
import WaymarkSettings

@Suite("The config file as a library reads it")
struct SettingsFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("fences and rules are those of the file; sections of the program are skipped")
  func rules() throws {
    try folder.write(
      "waymark.yaml",
      """
      device: van
      fences:
        - id: home
          center: [48, 8]
          radius: 100
          dwell: 5 min
          notify: [enter, exit, dwell]
      visits:
        minimum-stay: 10 min
      store:
        file: events.gpkg

      """)
    let settings = try SettingsFile(folder.file("waymark.yaml"))
    #expect(settings.device == "van" && settings.warnings == [])
    #expect(settings.rules.fences.map(\.id) == ["home"])
    #expect(settings.rules.fences[0].dwellTime == .seconds(300))
    #expect(settings.rules.visits == VisitRules(minimumStay: .seconds(600)))
  }

  @Test("all problems are reported, each at its place")
  func problems() throws {
    let text = "fences:\n  - id: home\n    center: [91, 8]\n    radius: 100\nvisit: {}\n"
    let error = #expect(throws: SettingsError.self) { try SettingsFile(text: text) }
    #expect(error?.code == .invalid)
    #expect(error?.problems.map(\.line) == [3, 5])
    #expect(error?.problems.first?.keyPath == "fences[0].center[0]")
    #expect(error?.description.hasPrefix("config:3:") == true)
  }

  @Test("what cannot be read has a code")
  func unread() throws {
    let error = #expect(throws: SettingsError.self) {
      try SettingsFile(folder.file("absent.yaml"))
    }
    #expect(error?.code == .notFound && error?.problems.first?.line == nil)
  }

  @Test("what is probably not intended is a warning")
  func warnings() throws {
    let text = "fences:\n  - id: home\n    center: [48, 8]\n    radius: 5\n"
    let settings = try SettingsFile(text: text)
    #expect(settings.warnings.first?.line == 2)
    #expect(settings.warnings.first?.message.isEmpty == false)
  }

  @Test("a URL of a file opens a track, another one is refused")
  func urls() throws {
    try folder.write("a walk.csv", "time,latitude,longitude\n1,1,2\n")
    let track = try TrackReader(contentsOf: URL(fileURLWithPath: folder.file("a walk.csv")))
    #expect(track.map(\.coordinate.longitude) == [2])
    let remote = try #require(URL(string: "https://example.com/walk.gpx"))
    let problem = #expect(throws: TrackProblem.self) { try TrackReader(contentsOf: remote) }
    #expect(problem?.code == .unreadable)
  }
}
