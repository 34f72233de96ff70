import Foundation
import Formats
import Glibc
@testable import Session
import TestSupport
import Testing
import Traces
import Tracking

@Suite("Folders and archives of tracks")
struct TrackInputsTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A table of two fixes from a second on.
  private func table(_ second: Int) -> String {
    "time,latitude,longitude\n\(second),1,2\n\(second + 1),1,2\n"
  }

  private func write(_ name: String, _ text: String) throws {
    try folder.write(name, bytes: Array(text.utf8))
  }

  private func open(
    _ names: [String], pattern: String? = nil, threads: Int = 1
  ) throws -> (feeds: [TraceFeed], remarks: [String]) {
    var options = ReadingOptions()
    options.devices = try pattern.map { try DevicePattern($0) }
    var remarks: [String] = []
    let feeds = try TraceFeed.open(names.map(folder.file), options: options, threads: threads) {
      remarks.append($0.replacing(folder.path + "/", with: ""))
    }
    return (feeds, remarks)
  }

  private func paths(_ feeds: [TraceFeed]) -> [String] {
    feeds.map { $0.path.replacing(folder.path + "/", with: "") }
  }

  private func devices(_ feeds: [TraceFeed], given: String? = nil) throws -> [String] {
    var names = DeviceNames(given: given)
    return try feeds.map {
      _ = try $0.peek()
      return names.name(of: $0)
    }
  }

  @Test("come in the order of their first times, whatever their names", arguments: [1, 4])
  func order(threads: Int) throws {
    try write("t/a.csv", table(300))
    try write("t/b/z.csv", table(100))
    try write("t/b/c/d.csv", table(200))
    try write("t/timeless.gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>")
    try write("t/same.csv", table(100))
    let (feeds, remarks) = try open(["t"], threads: threads)
    #expect(
      paths(feeds) == ["t/b/z.csv", "t/same.csv", "t/b/c/d.csv", "t/a.csv", "t/timeless.gpx"])
    #expect(remarks == [])
    #expect(try devices(feeds) == ["t", "t", "t", "t", "t"])
  }

  @Test("files that are no tracks are counted in a line, and hidden ones left out")
  func others() throws {
    try write("t/a.csv", table(1))
    try write("t/notes.txt", "Hello")
    try write("t/.b.csv", table(1))
    try write("t/.git/c.csv", table(1))
    try write("t/empty", "")
    try folder.symbolicLink("t/dead", to: "nowhere")
    mkfifo(folder.file("t/pipe"), 0o600)
    let (feeds, remarks) = try open(["t"])
    #expect(paths(feeds) == ["t/a.csv"])
    #expect(
      remarks == ["4 files in t skipped: not a track: t/dead, t/empty, t/notes.txt, …"])
  }

  @Test("a table in a folder whose columns are not known is reported with them")
  func unknownTable() throws {
    try write("t/a.csv", table(1))
    try write("t/b.csv", "Fahrzeug;Breite;Laenge\nB-1;52,5;13,3\n")
    let (feeds, remarks) = try open(["t"])
    #expect(paths(feeds) == ["t/a.csv"] && remarks.count == 2)
    #expect(remarks.first == "1 file in t skipped: not a track: t/b.csv")
    #expect(remarks.last?.contains("a table with the columns Fahrzeug, Breite, Laenge") == true)
  }

  @Test(
    "XML documents of other programs are no tracks; a web page or a track cut short is an error")
  func foreignDocuments() throws {
    try write("t/a.csv", table(1))
    try write("t/device.xml", "<?xml version='1.0'?>\n<Device xmlns='urn:d'><Model/></Device>")
    try write("t/map.svg", "\u{FEFF}<!-- a map -->\n<svg/>")
    try write(
      "t/export.xml",
      "<?xml version='1.0'?>\n<!DOCTYPE HealthData [\n<!ELEMENT Me EMPTY>]><HealthData/>")
    try write("t/report.html", "<!DOCTYPE html>\n<html><head></head></html>")
    try write("t/with-dtd.gpx", "<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>")
    try write("t/late.gpx", "<?xml version='1.0'?><gpx>")
    try write("t/login.gpx", "<HTML><body>Please log in</body></HTML>")
    try write("t/denied.gpx", "<Error><Code>AccessDenied</Code></Error>")
    try write("t/page.gpx", "<?xml version='1.0'?><html/>")
    try write("t/text.gpx", "<")
    let (feeds, remarks) = try open(["t"])
    #expect(
      paths(feeds) == [
        "t/a.csv", "t/denied.gpx", "t/late.gpx", "t/login.gpx", "t/page.gpx", "t/text.gpx",
        "t/with-dtd.gpx",
      ])
    #expect(
      remarks == [
        "4 files in t skipped: not a track: t/device.xml, t/export.xml, t/map.svg, …"
      ])
    for feed in feeds { while try feed.peek() != nil { feed.take() } }
    #expect(feeds.map(\.issueCount) == [0, 1, 1, 1, 1, 1, 1])
    let named = try open(["t/map.svg"]).feeds
    #expect(try named[0].peek() == nil)
    #expect(named[0].issueCount == 1)
  }

  @Test("links are followed, and a folder is read once")
  func links() throws {
    try write("t/b/a.csv", table(1))
    try folder.symbolicLink("t/b/up", to: "..")
    try folder.symbolicLink("t/c", to: "b")
    try folder.symbolicLink("link", to: "t")
    #expect(paths(try open(["link"]).feeds) == ["link/b/a.csv"])
  }

  @Test("a folder without a track is an error, which says what is in it")
  func nothing() throws {
    try write("t/notes.txt", "Hello")
    try FileManager.default.createDirectory(
      atPath: folder.file("empty"), withIntermediateDirectories: true)
    #expect(
      throws: TraceError.unrecognised(path: folder.file("empty"), reason: "no track in this folder")
    ) { try open(["empty"]) }
    do {
      _ = try open(["t"])
      Issue.record("it was opened")
    } catch let error as TraceError {
      #expect(
        error.description.hasPrefix(
          "\(folder.file("t")): no track in this folder; \(folder.file("t/notes.txt")): the format")
      )
    }
  }

  @Test(
    "archives are folders, also in a folder, and what they cannot give is an error of their own")
  func archives() throws {
    var secret = ZipText.Entry("secret.csv", table(1))
    secret.flags = 1
    let inner = ZipText([.init("x.csv", table(1))])
    let zip = ZipText([
      .init("b.csv", table(200)), .init("../a.csv", table(50)), .init("notes.txt", "Hello"), secret,
      .init("inner.zip", inner.bytes),
    ])
    try folder.write("t/data", bytes: zip.bytes)
    try write("t/c.csv", table(100))
    let (feeds, remarks) = try open(["t"])
    #expect(
      paths(feeds) == [
        "t/data/../a.csv", "t/c.csv", "t/data/b.csv", "t/data", "t/data/inner.zip",
      ])
    #expect(feeds.map(\.isTrack) == [true, true, true, false, false])
    #expect(remarks == ["1 file in t skipped: not a track: t/data/notes.txt"])
    let issues = try feeds.flatMap { feed in
      _ = try feed.peek()
      return feed.takeIssues().map(\.message)
    }
    #expect(
      issues == [
        "a file in it is encrypted: secret.csv; unpack the archive with its password",
        "a ZIP archive can be read from a file of its own alone, not from a pipe or another archive; "
          + "unpack it first",
      ])
  }

  @Test("a spreadsheet is one error, and in a folder a file that is no track")
  func spreadsheet() throws {
    let sheet = ZipText([.init("[Content_Types].xml", "<a/>"), .init("xl/workbook.xml", "<a/>")])
    try folder.write("t/real.xlsx", bytes: sheet.bytes)
    let reason = "a spreadsheet cannot be read; export its positions as CSV"
    let path = folder.file("t/real.xlsx")
    #expect(throws: TraceError.unrecognised(path: path, reason: reason)) {
      try open(["t/real.xlsx"])
    }
    #expect(
      throws: TraceError.unrecognised(
        path: folder.file("t"), reason: "no track in this folder; \(path): \(reason)")
    ) { try open(["t"]) }
    try write("t/a.csv", table(1))
    let (feeds, remarks) = try open(["t"])
    #expect(paths(feeds) == ["t/a.csv"])
    #expect(remarks == ["1 file in t skipped: not a track: t/real.xlsx"])
  }

  @Test("a folder or an archive is a device, unless the user names one or the path does")
  func names() throws {
    try write("t/van/1.csv", table(1))
    try write("t/bus/2.csv", table(2))
    try write("t/3.csv", table(3))
    try folder.write("my.trip.kmz", bytes: ZipText([.init("doc.csv", table(4))]).bytes)
    try write("u/t/4.csv", table(5))
    let names = ["t", "my.trip.kmz", "u/t"]
    let plain = try open(names).feeds
    #expect(try devices(plain) == ["t", "t", "t", "my.trip", "t-2"])
    #expect(try devices(plain, given: "x") == ["x", "x", "x", "x", "x"])
    let (feeds, remarks) = try open(names, pattern: "t/{device}/*")
    #expect(try devices(feeds) == ["van", "bus", "t", "my.trip", "t-2"])
    #expect(
      remarks == [
        "3 files do not match 't/{device}/*' and have another device: t/3.csv, "
          + "my.trip.kmz/doc.csv, u/t/4.csv"
      ])
    #expect(
      try open(["u/t"], pattern: "t/{device}/*").remarks == [
        "1 file does not match 't/{device}/*' and has another device: u/t/4.csv"
      ])
    #expect(
      try devices(try open(["t"], pattern: "{device}.csv").feeds, given: "x") == ["1", "2", "3"])
  }

  @Test("a folder that is named by . has its own name")
  func here() {
    #expect(
      DeviceNames.stem(ofCollection: folder.path + "/.")
        == (folder.path as NSString).lastPathComponent)
    #expect(DeviceNames.stem(ofCollection: "a/b.zip") == "b")
    #expect(DeviceNames.stem(ofCollection: "a/B.KMZ") == "B")
    #expect(DeviceNames.stem(ofCollection: "a/2026.05/") == "2026.05")
  }

  @Test("more files than may be open are read to their ends, from an archive too")
  func many() throws {
    let rows = { (day: Int) in
      "time,latitude,longitude\n" + (0..<300).map { "\(day * 86_400 + $0),1,2\n" }.joined()
    }
    let entries = (0..<100).map { ZipText.Entry("\(99 - $0).csv", rows($0)) }
    try folder.write("a.zip", bytes: ZipText(entries).bytes)
    let (feeds, _) = try open(["a.zip"], threads: 2)
    #expect(feeds.count == 100)
    var last = -1.0
    for feed in feeds {
      var count = 0
      while let point = try feed.peek() {
        feed.take()
        let time = try #require(point.fix.time).seconds(since: .init(nanoseconds: 0))
        #expect(time > last)
        last = time
        count += 1
      }
      #expect(count == 300)
    }
  }
}
