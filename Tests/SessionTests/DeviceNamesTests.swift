@testable import Session
import TestSupport
import Testing

@Suite("Device names")
struct DeviceNamesTests {
  @Test(
    "the stem of a path is its file name without folders and extensions",
    arguments: [
      ("day.gpx", "day"), ("trips/day.gpx.gz", "day"), ("/a/b/day", "day"), ("-", "stdin"),
      ("my.long.name.csv", "my.long.name"), (".hidden", ".hidden"), (".gz", ".gz"),
      (".csv.gz", ".csv"), ("a/", "a"),
      ("./-", "-"), ("Tag 1.gpx", "Tag 1"), ("tränk.gpx", "tränk"),
    ])
  func stem(path: String, stem: String) {
    #expect(DeviceNames.stem(of: path) == stem)
  }

  @Test("a name in use gets a free number")
  func numbers() throws {
    let folder = try ScratchFolder()
    let row = "time,latitude,longitude\n1,2,3\n"
    var names = DeviceNames(given: nil)
    let paths = ["day.csv", "day-2.csv", "b/day.csv", "c/day.csv"]
    #expect(
      try paths.map { names.name(of: try feed($0, row, folder)) } == [
        "day", "day-2", "day-3", "day-4",
      ])
  }

  @Test("a given name applies to all")
  func given() throws {
    let folder = try ScratchFolder()
    var names = DeviceNames(given: "van")
    for path in ["a.csv", "b.csv"] {
      #expect(names.name(of: try feed(path, "time,latitude,longitude\n", folder)) == "van")
    }
  }

  private func feed(_ name: String, _ text: String, _ folder: ScratchFolder) throws -> TraceFeed {
    try folder.write(name, bytes: Array(text.utf8))
    return try TraceFeed(path: folder.file(name))
  }
}
