import EventLog
import Foundation
@testable import Playing
@testable import Session
@testable import System
import Testing
import TrackFiles
import Tracking

/// As strings of Swift these two names are equal.
private let names = ["caf\u{E9}", "cafe\u{301}"]

/// How often each of the two names is in a text, by bytes.
private func counts(_ text: String) -> [Int] {
  let bytes = Array(text.utf8)
  return names.map { name in
    let name = Array(name.utf8)
    return bytes.indices.count(where: { bytes[$0...].starts(with: name) })
  }
}

/// Ten fixes of each device, in turn: both have one at each time, far from each other.
private func rows(_ name: Int) -> [String] {
  (0..<10).map { "\(1_741_593_600 + 60 * $0),0,\(name + 1),\(names[name])\n" }
}

private let head = "time,latitude,longitude,device\n"
private let mixed = head + zip(rows(0), rows(1)).map { $0 + $1 }.joined()

@Suite("Devices whose names differ only in their form in Unicode")
struct DeviceFormsTests {
  @Test("are two for a replay, in one table and in two", arguments: [1, 3])
  func replay(threads: Int) throws {
    let fixture = try PlayingFixture()
    try fixture.write("both.csv", mixed)
    for name in [0, 1] { try fixture.write("\(name).csv", head + rows(name).joined()) }
    for files in [["both.csv"], ["0.csv", "1.csv"]] {
      let played = try fixture.play(files, kinds: [.fix], threads: threads)
      #expect(played.totals.devices == 2 && played.totals.gate.accepted == 20)
      #expect(counts(played.lines.joined()) == [10, 10])
    }
  }

  @Test(
    "are two for a conversion, sorted, cleaned or as they come",
    arguments: [(false, false), (true, false), (false, true), (true, true)])
  func conversion(sorts: Bool, cleans: Bool) throws {
    let fixture = try PlayingFixture()
    defer { withExtendedLifetime(fixture) {} }
    var conversion = TrackConversion(feeds: [try fixture.feed("both.csv", mixed)], device: nil)
    conversion.sorts = sorts
    if cleans { conversion.cleaning = Rules() }
    let path = "\(fixture.folder)/out.csv"
    var output = TrackFileOutput(try OutputFile(path: path), format: .csv)
    let totals = try conversion.run(to: &output)
    #expect(totals.devices.count == 2 && totals.read == 20)
    let found = counts(try String(contentsOfFile: path, encoding: .utf8))
    #expect(found[0] == found[1] && found[0] + found[1] == totals.written)
    #expect(cleans || found == [10, 10])
  }

  @Test("are two in statistics, in the order of their bytes")
  func statistics() throws {
    let fixture = try PlayingFixture()
    defer { withExtendedLifetime(fixture) {} }
    let summary = try TraceSummary(of: try fixture.feed("both.csv", mixed)) { _ in }
    #expect(
      summary.sortedDevices.map { Array($0.utf8) } == [names[1], names[0]].map { Array($0.utf8) })
    #expect(summary.counts.accepted == 20)
  }

  @Test("are two for traces that are merged")
  func merge() throws {
    let fixture = try PlayingFixture()
    defer { withExtendedLifetime(fixture) {} }
    var merge = TraceMerge([try fixture.feed("both.csv", mixed)])
    try merge.start()
    var fixes = [0, 0]
    while let step = try merge.next() { fixes[step.device] += 1 }
    #expect(merge.devices.count == 2 && fixes == [10, 10])
  }

  @Test("are two for files that are named so")
  func files() throws {
    let fixture = try PlayingFixture()
    let tracks = names.map { "\($0).csv" }
    for track in tracks { try fixture.write(track, table([(0, 1), (60, 1)])) }
    let played = try fixture.play(tracks, kinds: [.fix])
    #expect(played.totals.devices == 2 && counts(played.lines.joined()) == [2, 2])
    #expect(!played.lines.joined().contains("-2\""))
  }
}
