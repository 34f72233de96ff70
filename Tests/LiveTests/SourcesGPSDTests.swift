import Foundation
import Testing

@Suite(
  "several sources, at real gpsds,", .serialized, .timeLimit(.minutes(90)),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct SourcesGPSDTests {
  @Test("two receivers of one gpsd and one of another are three devices; the recording replays")
  func receivers() throws {
    let folder = try Folder()
    let receivers = [try Receiver(), try Receiver(), try Receiver()]
    let harbour = try RealGPSD([receivers[0].device, receivers[1].device])
    let boat = try RealGPSD([receivers[2].device])
    let devices = ["van", "dinghy", "boat"]
    try """
    sources:
      - {gpsd: "\(harbour.address)/\(receivers[0].device)", device: van}
      - {gpsd: "\(harbour.address)/\(receivers[1].device)", device: dinghy}
      - {gpsd: "\(boat.address)", device: boat}
    """.write(toFile: folder.path("waymark.yaml"), atomically: true, encoding: .utf8)
    let engine =
      ["--config", folder.path("waymark.yaml"), "--fence", Epoch.fence] + LiveStand.log
    let watch = try Program(
      Program.waymark(),
      ["watch", "--output", folder.path("events"), "--record", folder.path("recording")] + engine)
    try Program.wait("three wishes to be granted") {
      folder.lines("recording").count { $0.contains(#""class":"WATCH""#) } >= 3
    }
    for second in 0..<180 {
      for receiver in receivers { receiver.say(Epoch(second).text) }
      guard second % 20 == 19 else { continue }
      for device in devices {
        try folder.wait(
          for: #"{"type":"fix","device":"\#(device)","time":"\#(Epoch(second).time)""#,
          in: "events")
      }
    }
    watch.signal(SIGTERM)
    #expect(try watch.end() == 0)
    let log = folder.lines("events")
    for device in devices {
      let passages = log.filter {
        $0.contains(#""fence":"#) && $0.contains("\"device\":\"\(device)\"")
      }
      #expect(passages.map(\.kind) == ["state", "enter", "exit"], "\(device)")
    }
    let replay = try Program(Program.waymark(), ["replay", folder.path("recording")] + engine)
    let replayed = replay.output.rest()
    #expect(try replay.end() == 0)
    let difference = zip(log, replayed).first { $0 != $1 }
    #expect(difference == nil, "watched \(difference?.0 ?? ""), \(difference?.1 ?? "") replayed")
    #expect(log.count == replayed.count)
  }
}
