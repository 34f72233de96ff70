import EventLog
import Foundation
import Session
import Testing

/// Every story gives the very bytes of its golden event log.
@Suite("Goldens")
struct GoldenTests {
  @Test("there are stories")
  func stories() {
    #expect(Story.all.count >= 12)
    let sizes = Story.all.map { story in
      (try? FileManager.default.attributesOfItem(atPath: story.path(story.track))[.size] as? Int)
        ?? 0
    }
    #expect(sizes.reduce(0, +) < 5_000_000, "committed tracks stay small")
    #expect(sizes.allSatisfy { $0 > 0 })
  }

  @Test("a story gives its golden event log, byte for byte", arguments: Story.all)
  func golden(story: Story) throws {
    // The id of a problem is made from its message, which names the path; that of a golden is
    // relative to the project, that of a test is not.
    #expect(try withoutProblemIDs(story.replay()) == withoutProblemIDs(story.golden))
  }

  @Test("a story replayed at a pace gives the same bytes", arguments: Story.all)
  func paced(story: Story) throws {
    let clock = MadeUpClock()
    let pace = Pacer(speed: 60, now: { clock.now }, sleep: { clock.advance(by: $0) })
    let paced = try story.replay(pace: pace)
    #expect(try paced == story.replay())
    #expect(clock.slept > .zero)
  }

  /// The log holds accuracies in centimetres, which those made from other figures are not.
  @Test(
    "a story rewritten as NDJSON and replayed gives the same events",
    arguments: Story.all.filter { !["old-gpx", "ferry-nmea", "ferry-gpsd"].contains($0.name) })
  func asFixes(story: Story) throws {
    let fixes = FileManager.default.temporaryDirectory
      .appending(path: "fixes-\(UUID().uuidString).ndjson").path
    defer { try? FileManager.default.removeItem(atPath: fixes) }
    try story.replay(kinds: [.fix]).write(toFile: fixes, atomically: true, encoding: .utf8)
    let events = Set(LogEntry.Kind.allCases).subtracting([.fix, .problem])
    #expect(try story.replay(track: fixes, kinds: events) == story.replay(kinds: events))
  }

  private func withoutProblemIDs(_ log: String) -> String {
    log.replacing(/("type":"problem","id":)"[0-9a-f]{16}"/) { "\($0.1)\"\"" }
  }
}

/// A clock that goes forward when somebody sleeps.
private final class MadeUpClock: @unchecked Sendable {
  // Used by one test on one thread.
  private(set) var now = ContinuousClock.now
  private(set) var slept = Duration.zero

  func advance(by duration: Duration) {
    now += duration
    slept += duration
  }
}
