import Foundation
import TestSupport
import Testing

@Suite(
  "ships, at a real gpsd,", .serialized, .timeLimit(.minutes(90)),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct ShipsGPSDTests {
  /// A ship that meets the boat of ``Epoch`` in the fence, on the opposite course.
  private static func ferry(_ second: Int) -> ShipMessage {
    var ship = ShipMessage(1, mmsi: 211_234_560)
    ship.latitude = 54.5
    ship.longitude = 8.02 - Double(second) * 0.000_1
    (ship.speed, ship.course) = (6.46 / 0.514444, 270)
    (ship.second, ship.isPrecise) = (second % 60, true)
    return ship
  }

  /// What the receiver of AIS says in a second.
  private static func messages(_ second: Int) -> [ShipMessage] {
    var messages: [ShipMessage] = []
    if second % 4 == 0 { messages.append(ferry(second)) }
    if second == 50 {
      var name = ShipMessage(5, mmsi: 211_234_560)
      name.name = "ELBE FERRY"
      messages.append(name)
    }
    if second % 30 == 15 {
      var yacht = ShipMessage(18, mmsi: 211_000_002)
      (yacht.latitude, yacht.longitude, yacht.second) = (-33.856_784, -70.6, second % 60)
      messages.append(yacht)
    }
    return messages
  }

  @Test(
    "AIVDM sentences are ships of watch and of record --ais, whose recordings replay to the log")
  func sentences() throws {
    let folder = try Folder()
    let (gps, ais) = (try Receiver(), try Receiver())
    let gpsd = try RealGPSD([gps.device, ais.device])
    try """
    sources:
      - {gpsd: "\(gpsd.address)", device: boat, ais: true}
    """.write(toFile: folder.path("waymark.yaml"), atomically: true, encoding: .utf8)
    let engine = ["--fence", Epoch.fence] + LiveStand.log
    let watch = try Program(
      Program.waymark(),
      ["watch", "--config", folder.path("waymark.yaml"), "--output", folder.path("events")]
        + ["--record", folder.path("own-recording"), "--status", folder.path("status")] + engine)
    let record = try Program(
      Program.waymark(),
      ["record", gpsd.address, "--ais", "--device", "boat", "--output", folder.path("recording")])
    let recordings = ["recording", "own-recording"]
    func wait(_ what: String, _ isThere: (String) -> Bool) throws {
      try Program.wait(what) {
        recordings.allSatisfy { folder.lines($0).contains(where: isThere) }
      }
    }
    try wait("two wishes to be granted") { $0.contains(#""class":"WATCH""#) }
    // gpsd learns in its first seconds which sentence ends one.
    for second in 0..<20 { gps.say(Epoch(second).text) }
    try wait("the first seconds") { $0.contains(Epoch(19).time) }
    var sent = 0
    for second in 20..<200 {
      gps.say(Epoch(second).text)
      let messages = Self.messages(second)
      guard !messages.isEmpty else { continue }
      // The time of a ship is that of the receiver's last report.
      try wait("second \(second)") { $0.contains(Epoch(second).time) }
      for message in messages { ais.say(message.sentences) }
      sent += messages.count
      try Program.wait("\(sent) messages in the recordings") {
        recordings.allSatisfy { name in
          folder.lines(name).count { $0.contains(#""class":"AIS""#) } >= sent
        }
      }
    }
    try folder.wait(
      for: #"{"type":"fix","device":"boat","time":"\#(Epoch(199).time)""#, in: "events")
    try folder.wait(
      for: #"{"type":"fix","device":"ship-211234560","time":"\#(Epoch(196).time)""#, in: "events")
    try folder.wait(for: #""device":"ship-211234560","name":"ELBE FERRY""#, in: "status")
    for program in [watch, record] {
      program.signal(SIGTERM)
      #expect(try program.end() == 0)
    }
    let log = folder.lines("events")
    func passages(_ device: String) -> [String?] {
      log.filter { $0.contains(#""fence":"#) && $0.contains("\"device\":\"\(device)\"") }
        .map(\.kind)
    }
    #expect(passages("boat") == ["state", "enter", "exit"])
    #expect(passages("ship-211234560") == ["state", "enter", "exit"])
    #expect(passages("ship-211000002") == ["state"])
    // The position of a message is its own, to the ten-thousandth of a minute of AIS.
    let yacht = log.filter { $0.kind == "fix" && $0.contains("ship-211000002") }
    #expect(yacht.count == 6)
    #expect(yacht.allSatisfy { $0.contains(#""latitude":-33.85678"#) }, "\(yacht)")
    #expect(yacht.allSatisfy { $0.contains(#""longitude":-70.6"#) })
    for recording in recordings {
      let replay = try Program(
        Program.waymark(), ["replay", folder.path(recording), "--device", "boat"] + engine)
      let replayed = replay.output.rest()
      #expect(try replay.end() == 0)
      let difference = zip(log, replayed).first { $0 != $1 }
      #expect(
        difference == nil, "watched \(difference?.0 ?? ""), \(recording): \(difference?.1 ?? "")")
      #expect(log.count == replayed.count)
    }
  }
}
