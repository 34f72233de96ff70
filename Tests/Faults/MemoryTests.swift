import Foundation
import Glibc
import TestSupport
import Testing

/// Memory is bounded however long a track is, and what is too large is refused.
@Suite("memory", .ownThreads, .timeLimit(Effort.limit))
struct MemoryTests {
  @Test("of a replay of a GPX from a pipe does not grow with its size")
  func stream() throws {
    let size = Effort.isSoak ? 1_024 : 64
    let stage = try Stage()
    stage.lookEvery = 20
    let fifo = stage.folder.file("track")
    #expect(mkfifo(fifo, 0o600) == 0)
    let writer = Thread { GPXStream.write(megabytes: size, to: fifo) }
    writer.start()
    let outcome = try stage.run(
      ["replay", "-", "--fence", "gate=52,13,150", "--output", "events"], input: "track",
      environment: ["FAULTS_UNDER": "/nonexistent"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let used = try stage.uses().map(\.memory)
    let most = try #require(used.max())
    #expect(used.count > 8)
    print("\(size) MB of GPX: \(used.count) looks, at most \(most >> 20) MiB")
    #expect(most < 64 << 20)
    #expect(used[used.count - 1] < used[used.count / 2] + 8 << 20)
  }

  @Test("with a limit is enough, or ends the program without loss of earlier output")
  func capped() throws {
    let stage = try Stage()
    let circles = (0..<2_000).map { "f\($0),\(Double($0 % 100) / 100),\(Double($0) / 100),150" }
    try stage.folder.write(
      "f.csv", (["id,latitude,longitude,radius"] + circles).joined(separator: "\n") + "\n")
    // Kilobytes of addresses; what a program begins with is more than half a gigabyte.
    for room in [400_000, 700_000, 1_000_000, 4_000_000] {
      try stage.folder.write("f.wmf", "as before")
      let outcome = try stage.run(
        ["compile", "f.csv", "-o", "f.wmf"], setup: "ulimit -v \(room)")
      let isWhole = outcome.code == 0
      #expect(isWhole != (stage.text("f.wmf") == "as before"), "\(room): \(outcome)")
    }
  }
}

/// A track of many hours, a fix a second.
private enum GPXStream {
  static func write(megabytes: Int, to path: String) {
    let hours = megabytes * 1_000_000 / template.count
    Stream.write(to: path, parts: hours + 2) { part in
      switch part {
      case 0: Array(#"<gpx version="1.1" creator="t"><trk><trkseg>"#.utf8)
      case hours + 1: Array("</trkseg></trk></gpx>\n".utf8)
      default: hour(part)
      }
    }
  }

  private static let stamp = Array("2025-01-01T00".utf8)
  /// The first hour.
  private static let template: [UInt8] = (0..<3_600).flatMap { second in
    let (minute, rest) = (second / 60, second % 60)
    let lon = 13 + Double(abs(second - 1_800)) / 100_000
    let point =
      #"<trkpt lat="52.0001" lon="\#(lon)"><ele>34.5</ele><time>2025-01-01T00:"#
      + "\(minute / 10)\(minute % 10):\(rest / 10)\(rest % 10)Z</time></trkpt>\n"
    return Array(point.utf8)
  }
  /// Where its times are.
  private static let places = template.indices.filter {
    template[$0] == UInt8(ascii: "2") && template[$0...].starts(with: stamp)
  }

  private static func hour(_ number: Int) -> [UInt8] {
    let time = Date(timeIntervalSince1970: 1_735_689_600 + Double(number) * 3_600)
    var hour = template
    let new = Array(time.formatted(.iso8601).utf8.prefix(stamp.count))
    for place in places { hour.replaceSubrange(place..<(place + new.count), with: new) }
    return hour
  }
}
