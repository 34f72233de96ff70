import Foundation
import Glibc
import TestSupport
import Testing

/// The app of the chapter as a program, fed by a recording, by `waymark feed` and by a made-up gpsd.
@Suite("The chapter: the program", .serialized, .timeLimit(.minutes(90)))
struct ChapterProgramTests {
  private let folder: Folder
  /// Ten minutes at a place, then twice 80 m away and back.
  private let track: String

  init() throws {
    folder = try Folder()
    track = folder.path("walk.csv")
    try Self.walk.write(toFile: track, atomically: true, encoding: .utf8)
    try Self.purposes.write(
      toFile: folder.path("purposes.plist"), atomically: true, encoding: .utf8)
  }

  private static let walk: String = {
    let way = Array(stride(from: 0.0, through: 80, by: 1.4)) + Array(repeating: 80, count: 30)
    let back = Array(stride(from: 80.0, through: 0, by: -1.4)) + Array(repeating: 0, count: 30)
    let places = Array(repeating: 0.0, count: 600) + way + back + way + back
    let rows = places.enumerated().map { second, east in
      let time = Date(timeIntervalSince1970: 1_772_352_000 + Double(second)).formatted(.iso8601)
      return "\(time),52.5,\(13.4 + east / 67_830),3"
    }
    return (["time,latitude,longitude,accuracy"] + rows).joined(separator: "\n") + "\n"
  }()

  private static let purposes = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>NSLocationWhenInUseUsageDescription</key><string>to show where you are</string>
    <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>to watch the place</string>
    </dict></plist>
    """

  // MARK: Programs

  private static func program() throws -> String { try Built.program("chapter-program") }

  private func environment(_ source: String, _ more: [String: String] = [:]) -> [String: String] {
    [
      "WAYMARK_SOURCE": source, "WAYMARK_PERMISSION": "allow",
      "WAYMARK_PURPOSES": folder.path("purposes.plist"),
    ].merging(more) { $1 }
  }

  /// A program that reaches nothing but this machine, and has a home of its own.
  private func isolated(_ story: String, _ source: String, home: String) throws -> Program {
    let bare = ["sh", "-c", #"cd "$HOME"; exec "$0" "$1""#, try Self.program(), story]
    let cut = [
      "unshare", "-n", "sh", "-c", #"ip link set lo up && cd "$HOME" && exec "$0" "$1""#,
      try Self.program(), story,
    ]
    let command = try Self.canCutNetwork() ? cut : bare
    let places = ["HOME": home, "TMPDIR": home, "XDG_CACHE_HOME": home, "XDG_STATE_HOME": home]
    return try Program(
      command[0], Array(command.dropFirst()), environment: environment(source, places))
  }

  /// Whether a program can be cut off from the network; when not, that is printed.
  private static func canCutNetwork() throws -> Bool {
    guard Program.isInstalled("unshare", "ip") else { return false }
    let attempt = try Program("unshare", ["-n", "ip", "link", "set", "lo", "up"])
    if try attempt.end() == 0 { return true }
    print("unshare -n is not allowed here: the chapter's program runs with the network")
    return false
  }

  private static let nameOfPlace = "its name"
  private static let story = [
    "Awaiting geofence event", "52.5 13.4", nameOfPlace, "Left the place",
    "Back at the place", "Left the place", "Back at the place",
  ]

  /// Checks that a program tells the story of the geofence, and ends it.
  private func expectStory(_ program: Program, name: String = "Kreuzberg") throws {
    for expected in Self.story.map({ $0 == Self.nameOfPlace ? name : $0 }) {
      let line = program.output.next() ?? "nothing"
      #expect(expected.hasSuffix(": ") ? line.hasPrefix(expected) : line == expected)
    }
    program.closeInput()
    #expect(program.output.rest() == [])
    #expect(try program.end() == 0)
  }

  // MARK: Tests

  @Test("AT-45 the geofence screen: the place, its name, and the events of the fence")
  func screen() throws {
    try expectStory(
      Program(Self.program(), ["fence"], environment: environment(track + "?speed=200")))
  }

  @Test("AT-45 without a geocoder there is an error and no wait")
  func nameless() throws {
    try expectStory(
      Program(
        Self.program(), ["fence"],
        environment: environment(track + "?speed=200", ["WAYMARK_GEOCODER": "none"])),
      name: "An error ocurred: ")
  }

  @Test("AT-45 with a geocoder that code has set up, once, whichever thread, the place has a name")
  func named() throws {
    let program = try Program(
      Self.program(), ["named"], environment: environment(track + "?speed=200"))
    #expect(program.output.next() == "set up 1 time")
    #expect(
      program.output.next()?.hasPrefix("the program's location service is already configured")
        == true)
    try expectStory(program, name: "Fischerinsel")
  }

  @Test("a service in use can no longer be set up in code")
  func late() throws {
    let program = try Program(Self.program(), ["late"], environment: environment("none"))
    #expect(program.output.next() == "location services: false")
    let line = program.output.next() ?? "nothing"
    #expect(line.hasPrefix("the program's location service is already in use"))
    #expect(line.contains("call LocationService.configure before the first manager"))
    #expect(try program.end() == 0)
  }

  @Test(
    "16.1 a compass behind a real gpsd (HDT), with the variation that gpsd adds",
    .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
  func compass() throws {
    let receiver = try Receiver()
    let gpsd = try RealGPSD([receiver.device])
    let program = try Program(
      Self.program(), ["compass"], environment: environment(gpsd.address))
    // gpsd opens the receiver for its first client, and what came before is lost.
    var second = 0
    try Program.wait("a heading") {
      receiver.say(Epoch(second).text + Epoch.sentence("GPHDT,104.5,T"))
      second = min(second + 1, 50_000)
      return !program.isRunning
    }
    let words = program.output.rest().flatMap { $0.split(separator: " ") }
    #expect(try program.end() == 0)
    #expect(words.count == 3 && words.prefix(2) == ["heading", "104.5"])
    // The variation at 54.5 N 8 E is about 4 degrees.
    let magnetic = try #require(words.last.flatMap { Double($0) })
    #expect(98.0..<104.0 ~= magnetic)
  }

  @Test("AT-44 the same program on gpsd and on a recording, by WAYMARK_SOURCE alone")
  func sources() throws {
    let feed = try Program(
      Program.waymark(), ["feed", track, "--listen", "127.0.0.1:0", "--speed", "200"])
    let line = try feed.error(with: "serving 1 device at gpsd://")
    let address = String(line.split(separator: " ").last ?? "")
    for source in [address, track + "?speed=200"] {
      try expectStory(Program(Self.program(), ["fence"], environment: environment(source)))
    }
    feed.signal(SIGTERM)
    #expect(try feed.end() == 0)
  }

  @Test("AT-08 AT-15 AT-40 everything works without a network, and nothing is written")
  func alone() throws {
    let home = try Folder()
    let screen = try isolated("location", track + "?speed=200", home: home.path(""))
    #expect(screen.output.next() == "52.5 13.4")
    screen.closeInput()
    #expect(try screen.end() == 0)
    try expectStory(isolated("fence", track + "?speed=200", home: home.path("")))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path("")) == [])
  }

  @Test("AT-14 gpsd is disconnected when no location is needed, and connected again when one is")
  func gpsd() throws {
    let server = try FakeServer()
    let program = try Program(
      Self.program(), ["location"],
      environment: environment(
        "gpsd://127.0.0.1:\(server.port)", ["WAYMARK_PERMISSION": "always"]))
    do {
      let peer = try Self.watcher(of: server)
      peer.send(
        #"{"class":"DEVICES","devices":[]}"# + "\r\n"
          + #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n")
      let time = Date().formatted(.iso8601)
      for _ in 0..<2 {
        peer.send(
          #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(time)","#
            + #""lat":52.5,"lon":13.4,"eph":5.0}"# + "\r\n")
      }
      #expect(program.output.next() == "52.5 13.4")
      // Nothing more comes, and the connection ends all the same.
      peer.wait(forRoom: false)
      #expect(peer.received().isEmpty, "it hears on")
      #expect(recv(peer.descriptor, nil, 0, 0) == 0, "the connection is still there")
    }
    program.send("again\n")
    let peer = try Self.watcher(of: server)
    program.closeInput()
    #expect(try program.end() == 0)
    #expect(peer.received().isEmpty)
  }

  /// The next client that wants to be told something; others only look whether a gpsd is there.
  private static func watcher(of server: FakeServer) throws -> FakePeer {
    for _ in 0..<100 {
      let peer = try server.accept()
      peer.send(
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
          + "\r\n")
      peer.wait(forRoom: false)
      if peer.received().hasPrefix("?WATCH=") { return peer }
    }
    throw FakeServerError(code: ETIMEDOUT)
  }

  /// Registers by hand, then has the program launched along a track; gives what it said.
  private func launch(_ story: String) throws -> [String] {
    let more = [
      "WAYMARK_STATE": folder.path("state"), "WAYMARK_PERMISSION": "always",
    ]
    let byHand = try Program(Self.program(), [story], environment: environment("none", more))
    #expect(byHand.output.rest() == ["started by hand"])
    #expect(try byHand.end() == 0)
    let launcher = try Program(
      Program.waymark(),
      [
        "launch", Program.package("traces/out-and-back/track.gpx"), "--speed", "max", "--state",
        folder.path("state"), "--", try Self.program(), story,
      ], environment: environment("none", more))
    let lines = launcher.output.rest()
    #expect(try launcher.end() == 0)
    return lines
  }

  @Test("AT-28 a program that is not running is launched for visits")
  func visits() throws {
    let lines = try launch("visits")
    #expect(lines.count == 10)
    for (number, line) in lines.enumerated() {
      let isArrival = number % 4 == 1
      #expect(
        line.hasPrefix(
          number % 2 == 0 ? "launched for a location" : isArrival ? "arrival " : "departure "))
    }
  }

  @Test(
    "AT-30 AT-31 launched for a significant change, delivered once with its own time, and again")
  func changes() throws {
    let lines = try launch("changes")
    #expect(lines.count == 4)
    #expect(lines.prefix(2) == ["launched for a location", "change 2026-05-02T06:51:10Z"])
    #expect(lines.dropFirst(2).first == "launched for a location")
    #expect(lines.last?.hasPrefix("change 2026-05-02T") == true && lines.last != lines[1])
  }
}
