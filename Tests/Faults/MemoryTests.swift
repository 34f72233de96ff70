import Foundation
import Glibc
import TestSupport
import Testing

/// Memory is bounded however long a track is, and what is too large is refused.
@Suite("memory")
struct MemoryTests {
  @Test("of a replay of a GPX that comes through a pipe does not grow with it")
  func stream() throws {
    let sizes = Effort.isSoak ? [64, 1_024] : [4, 48]
    let used = try sizes.map { size in
      let stage = try Stage()
      let fifo = stage.folder.file("track")
      #expect(mkfifo(fifo, 0o600) == 0)
      let writer = Thread { GPXStream.write(megabytes: size, to: fifo) }
      writer.start()
      let outcome = try stage.run(
        ["replay", "-", "--fence", "gate=52,13,150", "--output", "events"], input: "track",
        environment: ["FAULTS_UNDER": "/nonexistent"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.memory
    }
    print("\(sizes[1]) MB of GPX: \(used[1] >> 20) MiB; \(sizes[0]) MB: \(used[0] >> 20) MiB")
    #expect(used[1] < used[0] + 8 << 20)
    #expect(used[1] < 64 << 20)
  }

  @Test("that is capped is enough, or the end of a program that has kept what was")
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
    let hours = megabytes * 1_000_000 / template.utf8.count
    Stream.write(to: path, parts: hours + 2) { part in
      switch part {
      case 0:
        #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
      case hours + 1: "</trkseg></trk></gpx>\n"
      default: hour(part)
      }
    }
  }

  private static let template: String = (0..<3_600).map { second in
    let (minute, rest) = (second / 60, second % 60)
    let lon = 13 + Double(abs(second - 1_800)) / 100_000
    return #"<trkpt lat="52.0001" lon="\#(lon)"><ele>34.5</ele><time>@:"#
      + "\(minute / 10)\(minute % 10):\(rest / 10)\(rest % 10)Z</time></trkpt>\n"
  }.joined()

  private static func hour(_ number: Int) -> String {
    let time = Date(timeIntervalSince1970: 1_735_689_600 + Double(number) * 3_600)
    return template.replacingOccurrences(
      of: "@", with: String(time.formatted(.iso8601).prefix(13)))
  }
}
