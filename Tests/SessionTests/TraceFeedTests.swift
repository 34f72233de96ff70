import Foundation
import Testing

@testable import Session

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
  #expect(feed.takeIssues().count == TraceFeed.toldIssues)
  #expect(feed.takeIssues().isEmpty)
}
