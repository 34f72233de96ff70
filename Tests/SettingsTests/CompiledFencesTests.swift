import Foundation
import Geodesy
@testable import Settings
import TestSupport
import Testing
import Tracking

@Suite("Files of compiled fences")
struct CompiledFencesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private let csv = """
    id,latitude,longitude,radius
    home,52.5,13.4,100
    work,52.51,13.41,250.5

    """

  @Test("compiled and included fences equal those of the CSV file")
  func roundTrip() throws {
    try folder.write("fences.csv", csv)
    let set = try FenceSource(folder.file("fences.csv")).fences
    #expect(set.map(\.id) == ["home", "work"])
    try CompiledFences.write(set, to: folder.file("fences.wmf"))
    #expect(try CompiledFences.open(folder.file("fences.wmf")) == set)
    try folder.write("waymark.yaml", "fences: [{include: fences.wmf}]")
    let config = try Configuration(path: folder.file("waymark.yaml"))
    #expect(try config.rules().fences == set)
    let more = try Fence(option: "other=1,2,50")
    #expect(try config.rules(adding: [more]).fences.map(\.id) == ["home", "work", "other"])
    #expect(throws: FenceSetError.duplicateID("home")) {
      try config.rules(adding: [try Fence(option: "home=1,2,50")])
    }
    #expect(config.summary.contains("compiled fences: 2"))
    try folder.write("fences.csv", "\u{FEFF}" + csv)
    #expect(try FenceSource(folder.file("fences.csv")).fences.map(\.id) == ["home", "work"])
  }

  @Test(
    "a bad line is named",
    arguments: [
      ("", "fences.csv:1: found '', expected id,latitude,longitude,radius"),
      ("id;lat\n", "fences.csv:1: found 'id;lat', expected id,latitude,longitude,radius"),
      ("a,1,2\n", "expected an id without commas, a latitude, a longitude and a radius"),
      ("a,x,2,3\n", "expected numbers of degrees in the second and the third cell"),
      ("a,91,2,3\n", "expected a latitude of -90 to 90 and a longitude of -180 to 180"),
      ("a,nan,2,3\n", "expected a latitude of -90 to 90 and a longitude of -180 to 180"),
      ("a,1,2,0\n", "fences.csv:2: found 'a,1,2,0', expected a radius in metres, above 0"),
      ("a,1,2,1000000.1\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,1e300\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,nan\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,inf\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,3\na,1,2,3\n", "two fences are called 'a'"),
    ])
  func badLine(lines: String, message: String) throws {
    let isWhole = lines.isEmpty || lines.hasPrefix("id")
    try folder.write("fences.csv", (isWhole ? "" : "id,latitude,longitude,radius\n") + lines)
    do throws(FenceSourceError) {
      _ = try FenceSource(folder.file("fences.csv")).fences
      Issue.record("no error for \(lines)")
    } catch {
      #expect(error.description.contains(message))
    }
  }

  @Test("circles of a millimetre and of 1,000 km are read, at the poles and the antimeridian too")
  func extremeCircles() throws {
    let circles = ["90,0", "-90,180", "0,180", "0,-180", "12.3,-179.9999999"]
    let lines = circles.flatMap { ["\($0),0.001", "\($0),1000000"] }
    let text = lines.enumerated().map { "\($0.offset),\($0.element)\n" }.joined()
    try folder.write("fences.csv", "id,latitude,longitude,radius\n" + text)
    #expect(try FenceSource(folder.file("fences.csv")).fences.count == 10)
  }

  @Test("a file that cannot be opened is one clear error")
  func unusable() throws {
    func message(_ name: String) -> String? {
      do throws(FenceSourceError) {
        _ = try CompiledFences.open(folder.file(name))
        return nil
      } catch {
        return error.description
      }
    }
    #expect(message("none.wmf")?.contains("no such file") == true)
    try folder.write("empty.wmf", "")
    #expect(message("empty.wmf")?.contains("not a file of compiled fences") == true)
    try folder.write("text.wmf", String(repeating: "hello ", count: 100))
    #expect(message("text.wmf")?.contains("not a file of compiled fences") == true)
    #expect(message(".") != nil)
    try folder.write("fences.csv", csv)
    let set = try FenceSource(folder.file("fences.csv")).fences
    try CompiledFences.write(set, to: folder.file("short.wmf"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("short.wmf")))
    try bytes.dropLast(10).write(to: URL(fileURLWithPath: folder.file("short.wmf")))
    #expect(message("short.wmf")?.contains("is incomplete") == true)
  }

  @Test("settings beside a compiled include are a problem of the config")
  func settings() throws {
    try folder.write("fences.csv", csv)
    let set = try FenceSource(folder.file("fences.csv")).fences
    try CompiledFences.write(set, to: folder.file("fences.wmf"))
    try folder.write("waymark.yaml", "fences: [{include: fences.wmf, dwell: 5m}]")
    #expect(throws: ConfigurationError.self) {
      try Configuration(path: folder.file("waymark.yaml"))
    }
  }
}
