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
      (
        "a,1,2\n",
        "expected an id, in quotes if it has a comma, a latitude, a longitude and a radius"
      ),
      ("\"a,1,2,3\n", "expected an id, in quotes if it has a comma"),
      ("\"a\"b,1,2,3\n", "expected an id, in quotes if it has a comma"),
      ("a,x,2,3\n", "expected numbers of degrees in the second and the third cell"),
      ("a,91,2,3\n", "expected a latitude of -90 to 90 and a longitude of -180 to 180"),
      ("a,nan,2,3\n", "expected a latitude of -90 to 90 and a longitude of -180 to 180"),
      ("a,1,2,0\n", "fences.csv:2: found 'a,1,2,0', expected a radius in metres, above 0"),
      ("a,1,2,1000000.1\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,1e300\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,nan\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      ("a,1,2,inf\n", "expected a radius in metres, above 0 and up to 1,000,000"),
      (
        "a,1,2,3\na,1,2,3\n",
        "fences.csv:3: found the id 'a' a second time, expected a unique id (first used on line 2)"
      ),
      (
        "\u{E9},1,2,3\n\ne\u{301},1,2,3\n",
        "fences.csv:4: found the id 'e\u{301}' a second time, expected a unique id "
          + "(first used on line 2)"
      ),
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

  /// What reading a file of fences complains about; nil when it does not.
  private func complaint(_ name: String) -> String? {
    do throws(FenceSourceError) {
      _ = try FenceSource(folder.file(name))
      return nil
    } catch {
      return error.description.replacing(folder.file(name), with: name)
    }
  }

  @Test("packed files are named, by their first bytes, in compile and as an include")
  func packed() throws {
    var tar = [UInt8](repeating: 0x61, count: 600)
    tar.replaceSubrange(257..<262, with: Array("ustar".utf8))
    for (bytes, name) in [
      ([0x1F, 0x8B, 8, 0], "a gzip file"), ([0x50, 0x4B, 3, 4], "a ZIP archive"),
      ([0x28, 0xB5, 0x2F, 0xFD, 0], "a Zstandard file"), (Array("BZh91AY".utf8), "a bzip2 file"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz file"), (tar, "a tar archive"),
    ] as [([UInt8], String)] {
      let advice = "fences are not read from packed files, so unpack it first"
      for file in ["f.csv", "f.geojson"] {
        try folder.write(file, bytes: bytes)
        #expect(complaint(file) == "\(file): found \(name), expected text; \(advice)")
      }
      try folder.write("w.yaml", "fences: [{include: f.geojson}]")
      let found = try #require(complaint("w.yaml"))
      #expect(found.hasPrefix("w.yaml:1:20: fences[0].include: found '"))
      #expect(found.hasSuffix(" to be \(name), expected a GeoJSON file; \(advice)"), "\(found)")
    }
    try folder.write("f.geojson", bytes: [0x1F])
    #expect(complaint("f.geojson")?.hasPrefix("f.geojson:1:1: ") == true)
  }

  @Test("every bad line of CSV is named, and every bad feature of GeoJSON")
  func everyError() throws {
    var bytes = Array("id,latitude,longitude,radius\na,91,2,3\nb,1,2,3\nc\nx".utf8)
    bytes.append(0xFF)
    bytes += Array(",1,2,3".utf8)
    try folder.write("f.csv", bytes: bytes)
    #expect(
      complaint("f.csv") == """
        f.csv:2: found 'a,91,2,3', expected a latitude of -90 to 90 and a longitude of -180 to 180
        f.csv:4: found 'c', expected an id, in quotes if it has a comma, a latitude, a longitude \
        and a radius
        f.csv:5: found 'x\u{FFFD},1,2,3', expected UTF-8 text
        """)
    let point = #""properties":{"radius":5},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    try folder.write(
      "f.geojson",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"a",\(point),
      {"type":"Feature","id":"b"},
      {"type":"Feature","id":"a",\(point)]}
      """)
    let lines = complaint("f.geojson")?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("f.geojson:3:1: features[1]: the Feature has no ") == true)
    #expect(
      lines.last == "f.geojson:4: found the id 'a' a second time, expected a unique id "
        + "(first used on line 2)")
  }

  @Test("quotes around the cells of CSV are no part of them")
  func quotes() throws {
    try folder.write(
      "f.csv",
      #""id","latitude","longitude","radius"\#r\#n"a, ""b""",1,"2",3\#r\#nc"d,1,2,3\#n"#)
    let fences = try FenceSource(folder.file("f.csv")).fences
    #expect(fences.map(\.id) == [#"a, "b""#, #"c"d"#])
  }

  @Test("an id of compiled fences that another fence has is an error of the config")
  func sameID() throws {
    try folder.write("fences.csv", csv)
    let set = try FenceSource(folder.file("fences.csv")).fences
    for name in ["a.wmf", "b.wmf"] { try CompiledFences.write(set, to: folder.file(name)) }
    func problems(_ text: String) throws -> [String] {
      try folder.write("waymark.yaml", text)
      let path = folder.file("waymark.yaml")
      let error = #expect(throws: ConfigurationError.self) { try Configuration(path: path) }
      return (error?.problems ?? []).map { $0.description.replacing("\(folder.path)/", with: "") }
    }
    #expect(
      try problems("fences: [{include: a.wmf}, {id: home, center: [1, 2], radius: 300}]") == [
        "a.wmf: found the id 'home' a second time, expected a unique id "
          + "(first used at waymark.yaml:1:33)"
      ])
    #expect(
      try problems("fences: [{include: a.wmf}, {include: b.wmf}]") == [
        "b.wmf: found the id 'home' a second time, expected a unique id (first used at a.wmf)",
        "b.wmf: found the id 'work' a second time, expected a unique id (first used at a.wmf)",
      ])
    try folder.write(
      "waymark.yaml", "fences: [{include: a.wmf}, {id: c, center: [1, 2], radius: 300}]")
    let configuration = try Configuration(path: folder.file("waymark.yaml"))
    #expect(configuration.place(ofFence: "work")?.file == folder.file("a.wmf"))
    #expect(configuration.place(ofFence: "c")?.line == 1)
    #expect(configuration.place(ofFence: "d") == nil)
  }

  @Test("ids that look the same are the same, also those of the command line")
  func sameLook() throws {
    try folder.write("waymark.yaml", "fences: [{id: \u{E9}, center: [1, 2], radius: 300}]")
    let configuration = try Configuration(path: folder.file("waymark.yaml"))
    #expect(throws: FenceSetError.duplicateID("e\u{301}")) {
      try configuration.rules(adding: [try Fence(option: "e\u{301}=1,2,50")])
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
