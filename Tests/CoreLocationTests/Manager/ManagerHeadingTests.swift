import Delivering
import Foundation
import Services
import TestSupport
import Testing
import Traces

@testable import CoreLocation

@Suite("Headings of a manager", .timeLimit(.minutes(90)))
struct ManagerHeadingTests {
  /// A log of gpsd: a boat that lies still and turns about, with a compass that has no time of its own.
  private static func log(_ headings: [Double], variation: String = #","magvar":3.5"#) -> [String] {
    headings.enumerated().flatMap { second, heading in
      [
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2026-03-01T08:00:0"#
          + #"\#(second).000Z","lat":52.5,"lon":13.4,"eph":9.5\#(variation)}"#,
        #"{"class":"ATT","device":"/dev/ttyUSB1","heading":\#(heading),"mag_st":"N","#
          + #""mag_x":18.5,"mag_y":-2,"mag_z":44.25}"#,
      ]
    }
  }

  private func withFile<R>(_ lines: [String], _ body: (String) throws -> R) throws -> R {
    let path = NSTemporaryDirectory() + "waymark-\(UUID().uuidString).log"
    try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  @Test("16.1 a recorded log of gpsd gives headings beside the locations, in their order")
  func replay() throws {
    try LocationService.isolated { service in
      let it = LoggedManager()
      #expect(it.manager.heading == nil)
      it.manager.startUpdatingLocation()
      it.manager.startUpdatingHeading()
      service.settle()
      it.log.clear()
      try withFile(Self.log([359, 359.5, 0.25, 1, 90])) { try service.replay($0) }
      #expect(
        it.log.lines == [
          "locations 1", "heading 355.5 359.0", "locations 1", "locations 1",
          "heading 356.75 0.25", "locations 1", "locations 1", "heading 86.5 90.0",
        ])
      let heading = try #require(it.log.headings.first)
      #expect(heading.timestamp == Trip.start && heading.headingAccuracy == 180)
      #expect(heading.x == 18.5 && heading.y == -2 && heading.z == 44.25)
      #expect(it.manager.heading == it.log.headings.last)
    }
  }

  @Test("16.1 sentences of a compass in a recording of NMEA 0183 are headings too")
  func sentences() throws {
    func sentence(_ text: String) -> String {
      let sum = text.utf8.reduce(0) { $0 ^ $1 }
      return "$\(text)*" + String(format: "%02X", sum)
    }
    try LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingHeading()
      let lines = [
        sentence("GPRMC,080000.00,A,5230.0,N,01324.0,E,0.0,,010326,3.5,E,A"),
        sentence("HCHDG,100.5,,,3.5,E"),
        sentence("GPRMC,080001.00,A,5230.0,N,01324.0,E,0.0,,010326,3.5,E,A"),
        sentence("HEHDT,120.0,T"),
      ]
      try withFile(lines) { try service.replay($0) }
      #expect(it.log.headings.map(\.magneticHeading) == [100.5, 116.5])
      #expect(it.log.headings.map(\.trueHeading) == [104, 120])
      #expect(it.log.headings.map(\.timestamp) == [Trip.start, Trip.start + 1])
    }
  }

  @Test("16.1 after a stop no heading comes, and a new start reports at once again")
  func stop() throws {
    try LocationService.isolated { service in
      let (it, other) = (LoggedManager(), LoggedManager())
      it.manager.startUpdatingHeading()
      it.log.react = { manager, line in
        if line == "heading 10.0 13.5" { manager.stopUpdatingHeading() }
      }
      try withFile(Self.log([13.5, 50, 90])) { try service.replay($0) }
      #expect(it.log.headings.map(\.trueHeading) == [13.5] && other.log.headings.isEmpty)
      #expect(it.manager.heading?.trueHeading == 13.5 && other.manager.heading == nil)
      it.log.clear()
      it.manager.startUpdatingHeading()
      try withFile(Self.log([13.5, 14])) { try service.replay($0) }
      #expect(it.log.headings.map(\.trueHeading) == [13.5])
    }
  }

  @Test("16.1 headings that wait in the queue are dropped by a stop")
  func withdrawal() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingHeading()
      service.settle()
      service.receive(.heading(Heading(magnetic: 10)))
      it.manager.stopUpdatingHeading()
      service.settle()
      #expect(it.log.headings.isEmpty)
    }
  }

  @Test(
    "16.1 a heading refers to the side of the device that is up",
    arguments: [
      ([.landscapeLeft], 95), ([.portraitUpsideDown], 185), ([.landscapeRight], 275),
      ([.portrait], 5), ([.landscapeRight, .faceUp, .unknown, .faceDown], 275),
    ] as [([CLDeviceOrientation], Double)])
  func orientation(orientations: [CLDeviceOrientation], expected: Double) {
    LocationService.isolated { service in
      let it = LoggedManager()
      for orientation in orientations { it.manager.headingOrientation = orientation }
      it.manager.startUpdatingHeading()
      service.receive(.heading(Heading(magnetic: 5, geographic: 355)))
      service.settle()
      #expect(it.log.headings.map(\.magneticHeading) == [expected])
      #expect(
        it.log.headings.map(\.trueHeading) == [
          (expected + 350).truncatingRemainder(dividingBy: 360)
        ])
    }
  }

  @Test("16.1 an alarm of the compass makes the accuracy negative; what is unknown is negative")
  func values() {
    let alarm = CLHeading(Heading(geographic: 12, isReliable: false))
    #expect(alarm.headingAccuracy < 0 && alarm.trueHeading == 12 && alarm.magneticHeading < 0)
    #expect(alarm.timestamp == .distantPast && alarm.x == 0 && alarm.y == 0 && alarm.z == 0)
    let magnetic = CLHeading(Heading(time: Trip.start.time, magnetic: 7))
    #expect(magnetic.trueHeading < 0 && magnetic.magneticHeading == 7)
    #expect(magnetic.headingAccuracy == 180 && magnetic.timestamp == Trip.start)
  }

  @Test("16.2 without permission a heading has no true north, and is reported all the same")
  func denied() throws {
    try LocationService.isolated(.init(permission: .deny)) { service in
      let it = LoggedManager()
      it.manager.startUpdatingHeading()
      service.settle()
      it.log.clear()
      try withFile(Self.log([103.5, 104, 120])) { try service.replay($0) }
      #expect(it.log.lines == ["heading 100.0 -1.0", "heading 116.5 -1.0"])
      #expect(service.authorizationStatus == .denied && it.manager.location == nil)
    }
  }

  @Test("16.1 headings of a live gpsd are those of its recording")
  func live() throws {
    let lines = Self.log([359, 0.5, 90])
    let recorded = try LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingHeading()
      try withFile(lines) { try service.replay($0) }
      return it.log.headings
    }
    #expect(recorded.count == 3)
    let server = try FakeServer()
    var configuration = LocationService.Configuration()
    configuration.source = .gpsd(host: "127.0.0.1", port: server.port)
    let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
    try service.run {
      #expect(CLLocationManager.headingAvailable())
      let it = LoggedManager()
      service.authorizationStatus = .authorizedWhenInUse
      it.manager.startUpdatingHeading()
      let peer = try server.accept()
      peer.send(GPSDLines.others[0] + "\r\n")
      var heard = ""
      try blockUntil("a request of reports") {
        heard += peer.received()
        return heard.contains("?WATCH=")
      }
      peer.send(#"{"class":"WATCH","enable":true,"json":true}"# + "\r\n")
      for line in lines { peer.send(line + "\r\n") }
      try blockUntil("three headings") {
        service.settle()
        return it.log.headings.count == 3
      }
      #expect(it.log.headings == recorded)
      it.manager.stopUpdatingHeading()
      #expect(!service.needsSource)
    }
  }

  @Test("16.3 whether headings are available follows what the source reports; the log says it once")
  func availability() throws {
    let lines = Log()
    var configuration = LocationService.Configuration()
    configuration.log = { lines.add($0) }
    try LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      it.manager.startUpdatingHeading()
      try Trip.withTrace(Trip.stay(0, start: 0, seconds: 60)) {
        #expect(CLLocationManager.headingAvailable())
        try service.replay($0)
        #expect(!CLLocationManager.headingAvailable())
        try service.replay($0)
      }
      #expect(it.log.headings.isEmpty)
      try withFile(Self.log([1, 2])) { try service.replay($0) }
      #expect(CLLocationManager.headingAvailable() && it.log.headings.count == 2)
      try Trip.withTrace(Trip.stay(0, start: 0, seconds: 60)) { try service.replay($0) }
      #expect(!CLLocationManager.headingAvailable())
    }
    ServiceLog.drain()
    #expect(lines.lines.count == 1)
    #expect(
      lines.lines.first?.hasPrefix(
        "headings are unavailable: the source has reported 30 fixes and no heading") == true)
  }

  @Test("16.3 without a source there are no headings, and the log says so once")
  func noSource() {
    let lines = Log()
    var configuration = LocationService.Configuration()
    configuration.source = .none
    configuration.log = { lines.add($0) }
    let service = LocationService(
      ServiceSetup(shared: configuration, propertyList: nil), isIsolated: false)
    service.run {
      #expect(!CLLocationManager.headingAvailable())
      let manager = CLLocationManager()
      manager.startUpdatingHeading()
      manager.startUpdatingHeading()
      manager.dismissHeadingCalibrationDisplay()
      CLLocationManager().startUpdatingHeading()
      #expect(manager.heading == nil)
    }
    ServiceLog.drain()
    #expect(
      lines.lines.filter { $0.hasPrefix("headings") }
        == ["headings are unavailable: there is no compass behind a source of locations (none)"])
  }
}
