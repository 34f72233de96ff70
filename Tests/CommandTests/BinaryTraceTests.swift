import Foundation
import TestSupport
import Testing

/// FIT files as a user's: what the messages of a binary trace name as the place.
@Suite("A binary trace", .timeLimit(.minutes(90)))
struct BinaryTraceTests {
  /// The bytes of files of one message each, and of an activity of two records that are alike.
  private static let files = [
    "settings.fit": "DCBUCAsAAAAuRklUQAAAAAABAAEAAALGQw==",
    "ride.fit":
      "DCBUCDQAAAAuRklUQAAAAAABAAEAAARBAAAUAAP9BIYABIUBBIUB36QxQgAAACAAAAAQAd+kMUIAAAAgAAAAELF6",
  ]

  private func runner() throws -> CommandRunner {
    let runner = try CommandRunner()
    for (name, text) in Self.files {
      let data = try #require(Data(base64Encoded: text))
      try data.write(to: runner.folder.appendingPathComponent(name))
    }
    return runner
  }

  @Test("a file without a position is bad data, which says what it is")
  func settings() throws {
    let outcome = try runner().waymark(["replay", "settings.fit"])
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.hasPrefix(
        "waymark: settings.fit: byte 0: there is no position in a file of settings, "
          + "expected an activity or a course\n"))
  }

  @Test("a dropped fix and an error are at bytes")
  func places() throws {
    let runner = try runner()
    let outcome = try runner.waymark(["replay", "ride.fit"])
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains(
        "dropped 1 fix: same time and place as the fix before (first at ride.fit: byte 51)"))
    let cut = try runner.shell("head -c 55 ride.fit | $waymark replay -")
    #expect(cut.code == 65)
    #expect(
      cut.errors.contains("-: byte 55: the trace ends inside a file; what is complete was read"))
    let packed = try runner.shell("gzip ride.fit; $waymark convert ride.fit.gz -o - --format csv")
    #expect(packed.output.contains("45,22.5") && packed.code == 0)
  }
}
