import Glibc
@testable import Settings
import TestSupport
import Testing
import Tracking

@Suite("Fences included from other files")
struct ConfigurationIncludeTests {
  @Test("settings beside include apply to all its fences")
  func settings() throws {
    let text = """
      fences:
        - include: fences.geojson
          notify: [enter, dwell]
          dwell: 1 min
          decision: strict
          initial: none
      """
    let config = try configuration(text, others: ["fences.geojson": yardGeoJSON])
    #expect(config.fences.map(\.id) == ["yard", "fences-2"])
    for entry in config.entries {
      #expect(entry.fence.notifications == [.enter, .dwell])
      #expect(entry.fence.dwell == 60_000_000_000)
      #expect(entry.fence.initial == .none)
      #expect(entry.fence.decision == .strict)
    }
    #expect(config.entries.map(\.place.description) == ["fences.geojson:2", "fences.geojson:4"])
  }

  @Test("problems of an include name the file that is wrong")
  func problems() {
    #expect(
      complaint("fences: [{include: no.geojson}]")
        == "w.yaml:1:20: fences[0].include: found no file 'no.geojson', "
        + "expected a GeoJSON file, its path relative to the config")
    #expect(
      complaint("fences: [{include: [a]}]")
        == "w.yaml:1:20: fences[0].include: found a list, "
        + "expected the path of a GeoJSON file such as fences.geojson")
    #expect(
      complaint("fences: [{include: f.geojson, id: a}]", others: ["f.geojson": yardGeoJSON])
        == "w.yaml:1:31: fences[0].id: found 'id' beside include, expected only notify, dwell, "
        + "decision and initial there; ids and areas come from the included file")
    let broken = complaint("fences: [{include: f.geojson}]\nx: 1", others: ["f.geojson": "{\n  oh"])
    let lines = broken.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("w.yaml:2:1: x: found the unknown key"))
    #expect(lines[1].hasPrefix("f.geojson:2:3: "))
  }

  @Test("an id in both the config and the include is reported with both places")
  func sameID() {
    let text = "fences: [{id: yard, center: [1, 2], radius: 50}, {include: f.geojson}]"
    #expect(
      complaint(text, others: ["f.geojson": yardGeoJSON])
        == "f.geojson:2: found the id 'yard' a second time, "
        + "expected a unique id (first used at w.yaml:1:15)")
  }

  @Test(
    "paths are relative to the config",
    arguments: [
      ("w.yaml", "f.json", "f.json"), ("a/w.yaml", "f.json", "a/f.json"),
      ("/a/w.yaml", "b/f.json", "/a/b/f.json"), ("/a/w.yaml", "../f.json", "/a/../f.json"),
      ("/a/w.yaml", "/f.json", "/f.json"),
    ])
  func paths(config: String, name: String, path: String) {
    #expect(ConfigurationFile.resolve(name, besides: config) == path)
  }

  @Test(
    "a fence without a name is named after the file",
    arguments: [("a/b.geojson", "b"), ("b.tar.gz", "b.tar"), (".hidden", ".hidden"), ("b", "b")])
  func stems(path: String, stem: String) {
    #expect(ConfigurationReader.stem(path) == stem)
  }

  @Test("files are read from the disk")
  func fromDisk() throws {
    var template = Array("/tmp/waymark-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { for name in ["/w.yaml", "/f.geojson", ""] { remove(folder + name) } }
    try write("fences: [{include: f.geojson}]", to: "\(folder)/w.yaml")
    try write(yardGeoJSON, to: "\(folder)/f.geojson")
    let config = try Configuration(path: "\(folder)/w.yaml")
    #expect(config.fences.map(\.id) == ["yard", "f-2"])
    #expect(config.entries[0].place.file == "\(folder)/f.geojson")
    #expect(throws: ConfigurationFile.Failure.notFound) {
      try ConfigurationFile.read("\(folder)/w.yaml\0x")
    }
  }

  @Test(
    "a named pipe without a writer is rejected at once, as include and as config",
    .timeLimit(.minutes(90)))
  func namedPipe() throws {
    let folder = try ScratchFolder()
    for name in ["f.geojson", "f.wmf"] {
      let pipe = folder.file(name)
      #expect(mkfifo(pipe, 0o600) == 0)
      let end = NamedPipes.release(pipe)
      defer { end() }
      try folder.write("w.yaml", "fences: [{include: \(name)}]")
      let error = #expect(throws: ConfigurationError.self) {
        try Configuration(path: folder.file("w.yaml"))
      }
      let reason =
        name == "f.wmf"
        ? "found no compiled fences (\(pipe): it is not a regular file)"
        : "unreadable (it is a named pipe that no program writes to)"
      #expect(error?.description.contains(reason) == true)
    }
    let pipe = folder.file("f.geojson")
    let end = NamedPipes.release(pipe)
    defer { end() }
    let error = #expect(throws: ConfigurationError.self) { try Configuration(path: pipe) }
    #expect(error?.kind == .unreadable)
  }

  @Test("a file over 64 MiB is rejected")
  func tooLarge() {
    #expect(throws: ConfigurationFile.Failure.tooLarge) {
      try ConfigurationFile.read("/dev/zero")
    }
  }

  @Test("included files of up to 256 MiB in total are read")
  func tooMuch() throws {
    let fences = Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)
    let file = fences + [UInt8](repeating: 0x20, count: (64 << 20) - fences.count)
    let includes = Array(repeating: "{include: f.geojson}", count: 4).joined(separator: ", ")
    func read(_ text: String) throws(ConfigurationError) {
      _ = try Configuration(Array(text.utf8), file: "w.yaml") {
        _ throws(ConfigurationFile.Failure) in file
      }
    }
    try read("fences: [\(includes)]")
    do throws(ConfigurationError) {
      try read("fences: [\(includes), {include: f.geojson}]")
      Issue.record("it was read")
    } catch {
      #expect(
        error.description.hasSuffix(
          "found 'f.geojson' to make included files over 256 MiB, expected less, or a file that "
            + "'waymark compile' wrote"))
    }
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    fputs(text, file)
  }
}
