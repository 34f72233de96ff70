import GPSD
import Receivers
import Services
import TestSupport
import Testing

@Suite("Source descriptions")
struct SourceDescriptionTests {
  @Test(
    "are a gpsd, a trace or nothing",
    arguments: [
      ("gpsd://boat", .gpsd(GPSDAddress(host: "boat"))),
      (
        "gpsd://[::1]:2950/dev/ttyUSB0",
        .gpsd(GPSDAddress(host: "::1", port: 2950, device: "/dev/ttyUSB0"))
      ),
      ("none", .none),
      ("trip.gpx", .trace(path: "trip.gpx", speed: 1, isNow: true)),
      ("/a b/trip.gpx?speed=2.5", .trace(path: "/a b/trip.gpx", speed: 2.5, isNow: true)),
      ("trip.gpx?speed=max", .trace(path: "trip.gpx", speed: nil)),
      ("what?.gpx?speed=1", .trace(path: "what?.gpx", speed: 1, isNow: true)),
      ("./none", .trace(path: "./none", speed: 1, isNow: true)),
      ("trip.gpx?time=recorded", .trace(path: "trip.gpx", speed: 1)),
      ("trip.gpx?time=now&speed=max", .trace(path: "trip.gpx", speed: nil, isNow: true)),
      (
        "fleet?device=van=2&speed=9&time=recorded",
        .trace(path: "fleet", speed: 9, device: "van=2")
      ),
    ] as [(String, SourceDescription)])
  func parses(text: String, expected: SourceDescription) throws {
    #expect(try SourceDescription(parsing: text) == expected)
  }

  @Test(
    "that are invalid report what was found and what was expected",
    arguments: [
      ("", "found nothing, expected gpsd://HOST"),
      ("?speed=2", "found nothing, expected gpsd://HOST"),
      ("-", "found '-', but the program uses standard input itself; expected"),
      ("gpsd://", "found 'gpsd://', expected gpsd://HOST"),
      ("gpsd:boat", "found 'gpsd:boat', expected gpsd://HOST"),
      ("gpsd://boat:0", "found 'gpsd://boat:0', expected gpsd://HOST"),
      ("http://boat", "found 'http://boat', expected gpsd://HOST"),
      ("trip.gpx?", "found '?' after the path, expected ?speed=N"),
      ("trip.gpx?sped=2", "found '?sped=2' after the path, expected ?speed=N"),
      ("trip.gpx?speed=0", "found '?speed=0' after the path"),
      ("trip.gpx?speed=-1", "found '?speed=-1' after the path"),
      ("trip.gpx?speed=nan", "found '?speed=nan' after the path"),
      ("trip.gpx?speed=inf", "found '?speed=inf' after the path"),
      ("trip.gpx?speed=fast", "found '?speed=fast' after the path"),
      ("trip.gpx?time=then", "found '?time=then' after the path"),
      ("trip.gpx?device=", "found '?device=' after the path"),
      ("trip.gpx?device=a&", "found '?device=a&' after the path"),
      ("trip.gpx?speed=1&speed=2", "found '?speed=1&speed=2' after the path"),
    ])
  func refuses(text: String, message: String) throws {
    let error = #expect(throws: SourceError.self) { try SourceDescription(parsing: text) }
    let found = try #require(error).description
    #expect(found.hasPrefix(message))
    #expect(!found.contains("\n"))
  }

  @Test("a gpsd is reachable where somebody listens, and a name of another host is believed")
  func reachable() throws {
    let server = try FakeServer()
    #expect(isReachable(server.address, within: .seconds(30)))
    #expect(
      isReachable(GPSDAddress(host: "localhost", port: server.port), within: .seconds(30)))
    #expect(!isReachable(try FakeServer.nowhere(), within: .seconds(30)))
    #expect(isReachable(GPSDAddress(host: "boat.invalid"), within: .zero))
  }
}
