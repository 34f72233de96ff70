import Foundation
@testable import Playing
@testable import Session
import Testing

@Test("a trace that is wrong in every line is counted, and only its first faults are kept")
func boundedIssues() throws {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("waymark-\(UUID().uuidString).csv").path
  defer { try? FileManager.default.removeItem(atPath: path) }
  let text = "time,latitude,longitude\n" + String(repeating: "x\n", count: 20_000)
  try text.write(toFile: path, atomically: false, encoding: .utf8)
  let feed = try TraceFeed(path: path)
  #expect(try feed.peek() == nil)
  #expect(feed.issueCount == 20_000)
  #expect(feed.takeIssues().count == TraceFeed.reportedIssues)
  #expect(feed.takeIssues().isEmpty)
}

@Test("columns that are not read are told in the summary and in the report")
func unreadColumns() throws {
  let fixture = try PlayingFixture()
  try fixture.write("a.csv", "time,latitude,longitude,heart rate\n2025-01-01T00:00:00Z,1,2,99\n")
  let line = "columns that are not read: heart rate"
  #expect(try fixture.play(["a.csv"]).totals.summary.contains { $0.hasSuffix("a.csv: \(line)") })
  let report = try TraceSummary(of: TraceFeed(path: "\(fixture.folder)/a.csv")) { _ in }
  #expect(report.lines.contains { $0.hasSuffix(line) })
}

@Test("only a pipe may make a reader wait")
func waiting() throws {
  let fixture = try PlayingFixture()
  let feed = try fixture.feed("a.csv", "time,latitude,longitude\n2025-01-01T00:00:00Z,1,2\n")
  #expect(!feed.mayWait)
}
