import Session
import Foundation
import Geodesy
import Testing
import Traces
import Tracking

@testable import Serving

/// Traces in a temporary folder, for playbacks.
final class TraceFolder {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("waymark-\(UUID().uuidString)")
  private var paths: [String] = []

  convenience init(_ files: KeyValuePairs<String, String>) throws {
    try self.init(files.map { ($0, $1) })
  }

  init(_ files: [(String, String)]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      paths.append(file.path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func playback() throws -> Playback {
    let paths = paths
    var playback = Playback(try TraceFeed.open(paths) { _ in }) { [self] () throws(TraceError) in
      // The files must exist as long as they may be opened again.
      try withExtendedLifetime(self) { () throws(TraceError) in try TraceFeed.open(paths) { _ in } }
    }
    try playback.start()
    return playback
  }
}

/// A table of fixes at some seconds after 2025-03-10T14:02:07Z, a thousandth of a degree of latitude
/// apart, which numbers them.
func table(_ seconds: [Double?]) -> String {
  var text = "time,latitude,longitude\n"
  for (index, second) in seconds.enumerated() {
    let time = second.map { "\(Double(noon.nanoseconds) / 1e9 + $0)" } ?? ""
    text += "\(time),\(Double(index) / 1_000),0\n"
  }
  return text
}

extension Playback {
  /// The numbers of the next fixes, and their times in seconds.
  fileprivate mutating func take(_ count: Int) throws -> [[Double]] {
    try (0..<count).compactMap { _ in
      try next().map { step in
        let time = step.served.fix.time?.seconds(since: noon) ?? .infinity
        return [(step.served.fix.coordinate.latitude * 1_000).rounded(), time]
      }
    }
  }
}

@Suite("Playback")
struct PlaybackTests {
  @Test("gives every fix once, of every device, in the order of time")
  func once() throws {
    var playback = try TraceFolder(["a.csv": table([0, 2, 4]), "b.csv": table([1, 2, 3])])
      .playback()
    #expect(playback.takeNewDevices().map(\.path) == ["replay://a", "replay://b"])
    var seen: [String] = []
    while let (served, due) = try playback.next() {
      #expect(served.fix.time == due)
      seen.append("\(served.device)@\(due.seconds(since: noon))")
    }
    #expect(seen == ["0@0.0", "1@1.0", "0@2.0", "1@2.0", "1@3.0", "0@4.0"])
    #expect(playback.takeNewDevices().isEmpty)
    #expect(playback.passes == 1)
  }

  @Test("makes a device for each name in a table, when it first occurs")
  func names() throws {
    var playback = try TraceFolder([
      "fleet.csv": """
      device,time,latitude,longitude
      van 1,2025-03-10T14:02:07Z,1,1
      van/1,2025-03-10T14:02:08Z,2,1
      van 1,2025-03-10T14:02:09Z,3,1

      """
    ]).playback()
    #expect(
      playback.takeNewDevices() == [ServedDevice(name: "van-1", activated: noon)])
    #expect(try playback.next()?.served.device == 0)
    #expect(try playback.next()?.served.device == 1)
    // Both names make the same path; the second gets a number.
    #expect(playback.takeNewDevices().map(\.path) == ["replay://van-1-2"])
    #expect(try playback.next()?.served.device == 0)
  }

  @Test("continues from pass to pass by the usual interval")
  func loop() throws {
    var playback = try TraceFolder(["a.csv": table([0, 10, 20, 25, 35])]).playback()
    playback.loops = true
    #expect(
      try playback.take(12) == [
        [0, 0], [1, 10], [2, 20], [3, 25], [4, 35],
        [0, 45], [1, 55], [2, 65], [3, 70], [4, 80],
        [0, 90], [1, 100],
      ])
    #expect(playback.passes == 3)
  }

  @Test("begins at another time, and keeps the intervals, also in a loop")
  func shifted() throws {
    var playback = try TraceFolder(["a.csv": table([nil, 0, 10, 20])]).playback()
    playback.loops = true
    playback.begin = noon.advanced(bySeconds: 86_400)
    #expect(
      try playback.take(7) == [
        [0, .infinity], [1, 86_400], [2, 86_410], [3, 86_420],
        [0, .infinity], [1, 86_430], [2, 86_440],
      ])
    var part = try TraceFolder(["a.csv": table([0, 10, 20])]).playback()
    part.span = TimeSpan(from: noon.advanced(bySeconds: 10), until: nil)
    part.begin = noon
    #expect(try part.take(2) == [[1, 0], [2, 10]])
  }

  @Test("never lets time go back between passes, even if it does in the file")
  func disordered() throws {
    var playback = try TraceFolder(["a.csv": table([5, 1, nil, 3])]).playback()
    playback.loops = true
    // From 1 s to 5 s, and 2 s from the second fix with a time to the third.
    #expect(
      try playback.take(8) == [
        [0, 5], [1, 1], [2, .infinity], [3, 3], [0, 11], [1, 7], [2, .infinity], [3, 9],
      ])
  }

  @Test("loops over a single fix, a second apart")
  func single() throws {
    var playback = try TraceFolder(["a.csv": table([0])]).playback()
    playback.loops = true
    #expect(try playback.take(3) == [[0, 0], [0, 1], [0, 2]])
  }

  @Test("loops over several files as one")
  func loopOfTwo() throws {
    var playback = try TraceFolder(["a.csv": table([0, 1]), "b.csv": table([4, 5])]).playback()
    playback.loops = true
    #expect(
      try playback.take(6) == [[0, 0], [1, 1], [0, 4], [1, 5], [0, 6], [1, 7]])
    #expect(playback.takeNewDevices().count == 2)
  }

  @Test("plays and loops over the chosen span only")
  func span() throws {
    var playback = try TraceFolder(["a.csv": table([0, 1, 2, 3, 4, 5])]).playback()
    playback.span = TimeSpan(
      from: noon.advanced(bySeconds: 2), until: noon.advanced(bySeconds: 4))
    playback.loops = true
    #expect(try playback.take(5) == [[2, 2], [3, 3], [4, 4], [2, 5], [3, 6]])
    #expect(playback.outsideSpan == 3)
  }

  @Test(
    "ends when it cannot loop, and reports why",
    arguments: [
      (table([nil, nil]), 2, "no fix that is played has a time"),
      ("time,latitude,longitude\n2200-01-01T00:00:00Z,1,1\n2261-12-31T00:00:00Z,1,1\n", 2, "2262"),
      ("time,latitude,longitude\n1678-01-02T00:00:00Z,1,1\n2261-12-31T00:00:00Z,1,1\n", 2, "2262"),
    ])
  func noLoop(text: String, count: Int, why: String) throws {
    var playback = try TraceFolder(["a.csv": text]).playback()
    var warnings: [String] = []
    playback.loops = true
    playback.warn = { warnings.append($0) }
    #expect(try playback.take(20).count == count)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains(why) == true)
  }

  @Test("reports the errors of a file once, and counts them")
  func faults() throws {
    let text = table([0, 1]) + "junk\n" + String(repeating: "x\n", count: 200)
    var playback = try TraceFolder(["a.csv": text]).playback()
    var warnings: [String] = []
    playback.warn = { warnings.append($0) }
    playback.loops = true
    _ = try playback.take(7)
    #expect(playback.issues == 201)
    #expect(warnings.count == TraceFeed.reportedIssues + 1)
    #expect(warnings.last?.hasSuffix("a.csv: 101 more problems like these") == true)
  }

  @Test("of a file without a fix ends at once")
  func empty() throws {
    var playback = try TraceFolder(["a.csv": "time,latitude,longitude\n"]).playback()
    playback.loops = true
    #expect(try playback.next() == nil)
    #expect(playback.takeNewDevices().isEmpty)
  }
}
