@testable import Formats
import TestSupport
import Testing
@testable import Traces
import Tracking

@Suite("Files that are nearly right")
struct ForeignFileTests {
  @Test("white space before the XML declaration is skipped with a note, and the encoding is known")
  func lateDeclaration() throws {
    let text =
      "\n <?xml version='1.0' encoding='ISO-8859-1'?><gpx><trk><name>\u{E9}</name><trkseg>"
      + "<trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
    let file = TemporaryFile(text.unicodeScalars.map { UInt8($0.value) })
    var reader = try TraceReader(path: file.path)
    var batch = TraceBatch()
    #expect(try reader.read(into: &batch))
    #expect(batch.points.map(\.line) == [2])
    #expect(
      batch.marks.map(\.mark) == [
        .note("white space before the XML declaration, which XML does not allow, is skipped"),
        .track(name: "\u{E9}"), .segment,
      ])
  }

  @Test("an empty element has no value, and is no error")
  func emptyElements() throws {
    let text =
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'><ele/><time></time><hdop/><fix/><speed/>"
      + "<extensions><accuracy/></extensions></trkpt></trkseg></trk></gpx>"
    let decoded = decode(text)
    #expect(decoded.issues.isEmpty && decoded.points.count == 1)
    #expect(decoded.points[0].fix.altitude == nil && decoded.points[0].fix.time == nil)
  }

  @Test("waypoints of NMEA are waypoints")
  func waypoints() {
    let decoded = decodeReceiver("$GPWPL,5230.00,N,01315.00,W,HOME*54\r\n$GPWPL,,,,,X\r\n")
    #expect(decoded.issues.isEmpty, "\(decoded.issues)")
    #expect(decoded.marks.first?.contains("waypoint") == true)
    #expect(decoded.marks.last?.contains("otherRecord") == true)
  }

  @Test(
    "a file of another kind says what it is and what to do",
    arguments: [
      ("%PDF-1.7\n%\u{e2}\n", "a PDF document cannot be read; export one of the formats below"),
      ("PAR1\u{15}\u{4}", "a Parquet file cannot be read; save its table as CSV, with DuckDB"),
      ("ARROW1\0\0", "an Arrow file cannot be read; save its table as CSV"),
      ("Rar!\u{1a}\u{7}\0", "a RAR archive cannot be read; unpack it into a folder"),
      (
        "day.csv" + String(repeating: "\0", count: 250) + "ustar  \0"
          + String(repeating: "\0", count: 247) + "time,latitude,longitude\n1,1,2\n",
        "a tar archive cannot be read; unpack it into a folder, and name that: tar -xf 'my day'"
      ),
    ])
  func otherKinds(text: String, message: String) {
    let head = Array(text.utf8)[...]
    #expect(ForeignFile.description(of: head, path: "my day").hasPrefix(message))
    #expect(TraceFormat.detect(head) == .unknown)
  }

  @Test(
    "the raw data of a receiver is known by two frames, wherever they begin",
    arguments: [
      ([0xB5, 0x62, 0x01, 0x22, 0x02, 0x00, 7, 7, 0x2E, 0xC9, 0xB5, 0x62, 0x01, 0x22], "UBX"),
      ([0xA0, 0xA2, 0x00, 0x01, 0x02, 0x00, 0x02, 0xB0, 0xB3, 0xA0, 0xA2, 0x00, 0x01], "SiRF"),
      ([0xB5, 0x62, 0x01, 0x22, 0x03, 0x00, 7, 7, 0x2E, 0xC9, 0xB5, 0x62, 0x01, 0x22], nil),
    ] as [([UInt8], String?)])
  func rawReceivers(frames: [UInt8], name: String?) {
    for before in ["", "# a log\n", "\u{1}half of a frame"] {
      let head = Array(before.utf8) + frames
      let found = ForeignFile.description(of: head[...], path: "my ride")
      if let name {
        #expect(
          found == "the raw data of a receiver (\(name)) cannot be read; decode it: "
            + "gpsdecode -j <'my ride' | waymark replay -")
      } else {
        #expect(!found.contains("receiver"))
      }
    }
    #expect(RawReceiver.name(of: frames.prefix(9)) == nil)
  }

  @Test("the command for a pipe, an entry of an archive or gzip needs a saved copy")
  func unnamed() throws {
    let frame: [UInt8] = [0xB5, 0x62, 0x01, 0x22, 0x02, 0x00, 7, 7, 0x2E, 0xC9]
    let saved = "save it, unpacked, as FILE, then "
    for (head, command) in [
      (frame + frame, "decode that: gpsdecode -j <FILE | waymark replay -"),
      (Array("MsRcf\u{0}".utf8), "convert that: gpsbabel -t -i gdb -f FILE -o gpx -F track.gpx"),
      (Array("BZh9".utf8), "unpack that: bzip2 -dc FILE | waymark replay -"),
    ] as [([UInt8], String)] {
      #expect(ForeignFile.description(of: head[...], path: nil).hasSuffix("; \(saved)\(command)"))
      let found = ForeignFile.description(of: head[...], path: "my.gz", isCompressed: true)
      #expect(found.hasSuffix("; \(saved)\(command)"))
    }
    let tar = [UInt8](repeating: 0, count: 257) + Array("ustar".utf8)
    #expect(
      ForeignFile.description(of: tar[...], path: "my.tgz", isCompressed: true).hasSuffix(
        "; unpack it into a folder, and name that: tar -xf my.tgz"))
    // MsRcf, as gzip compresses it.
    let packed: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xF3, 0x2D, 0x0E, 0x4A, 0x4E, 0x63, 0, 0, 0x7F, 0x5C,
      0x44, 0xA4, 6, 0, 0, 0,
    ]
    let file = TemporaryFile(packed)
    let error = #expect(throws: TraceError.self) { _ = try TraceReader(path: file.path) }
    #expect(error.map { "\($0)".contains(" -f FILE -o gpx") } == true)
  }

  @Test("a root behind long comments, and a web page, are named as what they are")
  func xmlRoots() throws {
    for root in ["kml", "TrainingCenterDatabase"] {
      let text = "<!--\(String(repeating: "x", count: 200_000))--><\(root)></\(root)>"
      let file = TemporaryFile(Array(text.utf8))
      var reader = try TraceReader(path: file.path)
      var issues: [TraceIssue] = []
      var batch = TraceBatch()
      while try reader.read(into: &batch) {
        for case .issue(let issue) in batch.marks.map(\.mark) { issues.append(issue) }
      }
      #expect(
        issues.map(\.message) == [
          "the root element is <\(root)>, which comes too late for the format to be recognised; delete "
            + "what is before it"
        ])
    }
    let page = decode("<?xml version='1.0'?><html><body/></html>").issues.map(\.message)
    #expect(page == ["the root element is <html>: \(ForeignFile.webPage)"])
  }

  @Test(
    "a file that begins as a web page does is one error, at its place, whatever follows",
    arguments: [
      ("\u{FEFF}\n<!doctype html>\n<html lang=en>", 2, 1), ("<HTML lang=de><br>", 1, 1),
      (" <!DOCTYPE html><html><body/></html>", 1, 2), ("<html></html>", 1, 1), ("<html", 1, 1),
    ])
  func webPages(text: String, line: Int, column: Int) {
    let bytes = Array(text.utf8)
    let decoded = decode(bytes)
    #expect(decoded.issues.map(\.message) == [ForeignFile.webPage])
    #expect(decoded.issues.map(\.line) == [line] && decoded.issues.map(\.column) == [column])
    #expect(decoded.issues.map(\.kind) == [.malformed])
    #expect(decode(bytes, chunk: 1).issues == decoded.issues)
    #expect(TraceFormat.detect(bytes[...], isFinal: true) == .format(.gpx))
  }

  @Test("the command for an unreadable file quotes its name")
  func quoting() {
    let head = Array("MsRcf\u{0}".utf8)
    #expect(
      ForeignFile.description(of: head[...], path: "my 'old' ride.gdb").contains(
        #"-f 'my '\''old'\'' ride.gdb' -o gpx"#))
  }
}
