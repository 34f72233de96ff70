import Foundation
import Glibc
import Geodesy
import TestSupport
import Testing

@testable import Geocoding

@Suite("Tables of the stub in files") struct StubTableTests {
  private func table(_ text: String) throws -> StubGeocoder {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      return try StubGeocoder(contentsOf: file.path())
    } catch {
      throw Fault(text: error.description.replacing(file.path(), with: "t.json"))
    }
  }

  private struct Fault: Error, Equatable { let text: String }

  @Test("places, failures, languages and holds")
  func good() async throws {
    let stub = try table(
      """
      [{"latitude": 52.5, "longitude": 13.4, "name": "Hof", "country": "Deutschland",
        "timeZone": "Europe/Berlin"},
       {"latitude": 52.5, "longitude": 13.4, "name": "Yard", "language": "en"},
       {"latitude": 10, "longitude": 10, "radius": 5000, "error": "network"},
       {"latitude": 20, "longitude": 20, "name": "Late", "holdFor": 2}]
      """)
    let here = Coordinate(latitude: 52.5, longitude: 13.4)
    let known = try #require(stub.answerAtOnce(to: try .reverse(here))).get()
    #expect(known.map(\.label) == ["Hof, Deutschland"])
    #expect(known.first?.timeZoneIdentifier == "Europe/Berlin")
    #expect(try await stub.reverse(here, language: "en").map(\.name) == ["Yard"])
    let faulty = Coordinate(latitude: 10.01, longitude: 10)
    #expect(throws: GeocoderError.self) {
      try #require(stub.answerAtOnce(to: try .reverse(faulty))).get()
    }
    let held = try GeocoderRequest.reverse(Coordinate(latitude: 20, longitude: 20))
    #expect(stub.answerAtOnce(to: held) == nil)
  }

  @Test(
    "errors are reported at their position",
    arguments: [
      ("{", "t.json: invalid JSON"),
      ("{}", "t.json: expected a value of the type Array<Any>"),
      (#"[{"latitude": 1}]"#, "t.json: entry 0: 'longitude' is missing"),
      (
        #"[{"latitude": 1, "longitude": "x"}]"#,
        "t.json: entry 0, longitude: expected a value of the type Double"
      ),
      (
        #"[{"latitude": 91, "longitude": 1}]"#,
        "t.json: entry 0: expected a latitude of -90 to 90, a longitude of -180 to 180, a radius "
          + "above 0, and an error that is one of network, noResult, partialResult if there is one"
      ),
    ])
  func bad(_ text: String, _ message: String) {
    #expect(throws: Fault(text: message)) { try table(text) }
  }

  @Test("a table of more than 16 MiB is refused, one of 16 MiB is read")
  func tooLarge() throws {
    let row = #"[{"latitude": 1, "longitude": 2, "name": "a"}]"#
    let blanks = String(repeating: " ", count: (16 << 20) - row.utf8.count)
    _ = try table(row + blanks)
    #expect(throws: Fault(text: "t.json: it is larger than 16 MiB, the limit")) {
      try table(row + blanks + " ")
    }
    #expect(throws: GeocoderTableError.self) { try StubGeocoder(contentsOf: "/dev/zero") }
  }

  @Test("a named pipe without a writer is refused")
  func pipe() throws {
    let scratch = try ScratchFolder()
    let path = scratch.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: GeocoderTableError.self) { try StubGeocoder(contentsOf: path) }
    #expect(throws: GazetteerError.self) { try Gazetteer(contentsOf: path) }
  }

  @Test("a file that is not there")
  func missing() {
    let error = #expect(throws: GeocoderTableError.self) {
      try StubGeocoder(contentsOf: "/nowhere.json")
    }
    #expect(error?.description == "/nowhere.json: there is no such file")
  }
}
