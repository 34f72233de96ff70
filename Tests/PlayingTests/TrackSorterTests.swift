import Foundation
@testable import Playing
@testable import Session
@testable import System
import Testing
import TrackFiles
import Tracking

@Suite("What `convert --sort` holds in memory")
struct TrackSorterTests {
  /// Converts two files of ten fixes each, newest first; gives the lines that were written.
  private func sort(atMost count: Int, _ from: Timestamp? = nil) throws -> [Substring] {
    let fixture = try PlayingFixture()
    defer { withExtendedLifetime(fixture) {} }
    let feeds = try ["a.csv", "b.csv"].enumerated().map { number, name in
      let rows = (0..<10).map { (seconds: 600 * (2 * $0 + number), longitude: 1.0) }
      return try fixture.feed(name, table(rows.reversed()))
    }
    var conversion = TrackConversion(feeds: feeds, device: "d")
    (conversion.sorts, conversion.mostSorted) = (true, count)
    conversion.span = TimeSpan(from: from)
    let path = "\(fixture.folder)/out.csv"
    var output = TrackFileOutput(try OutputFile(path: path), format: .csv)
    do {
      _ = try conversion.run(to: &output)
    } catch {
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
      throw error
    }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  }

  @Test("is all fixes, up to a limit")
  func upToLimit() throws {
    #expect(try sort(atMost: 20).count == 21)
  }

  @Test("beyond it nothing is written, and a line says what to do")
  func beyondLimit() throws {
    let error = #expect(throws: SessionError.self) { try sort(atMost: 19) }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.hasSuffix(
        "/b.csv: --sort holds all fixes in memory, and there are more than 19; "
          + "sort them in parts, such as a month each, with --from and --until"))
  }

  @Test("is the chosen part")
  func part() throws {
    let from = Timestamp(nanoseconds: (1_741_593_600 + 6_000) * 1_000_000_000)
    #expect(try sort(atMost: 10, from).count == 11)
  }
}
