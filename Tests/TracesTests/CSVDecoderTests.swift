@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private let start = "time,latitude,longitude\n"

private func issues(_ rows: String, header: String = start) -> [String] {
  decode(header + rows, with: CSVDecoder()).issues.map(\.shown)
}

@Suite struct CSVDecoderTests {
  @Test("the apostrophe with which we write the name of a device as text is not part of it")
  func guardedNames() {
    let names = ["'=b", "'-x", " '+c ", "\"'=\"\"d\"", "''=e", "'f"]
    let decoded = decode(
      start.replacing("\n", with: ",device\n") + names.map { "1,1,2,\($0)\n" }.joined(),
      with: CSVDecoder())
    #expect(decoded.devices == ["=b", "-x", "+c", "=\"d", "'=e", "'f"])
    #expect(decoded.issues.isEmpty)
  }

  @Test(
    "a device that is not UTF-8 is reported, and its fix is not used", arguments: [true, false])
  func otherEncoding(readsPlainRows: Bool) {
    var decoder = CSVDecoder()
    decoder.readsPlainRows = readsPlainRows
    let names: [[UInt8]] = [
      [0x4D, 0xFC, 0x6C], Array("M\u{FC}ller of Berlin".utf8), [0x4D, 0xF6, 0x6C],
      Array("van".utf8), Array("a long name before ".utf8) + [0xFC],
      Array("M\u{FC}ller of Berlin".utf8),
    ]
    let header: [UInt8] = Array("time,latitude,longitude,device\n".utf8)
    let text = names.reduce(header) { $0 + Array("0,1,2,".utf8) + $1 + [0x0A] }
    let decoded = decode(text, with: decoder)
    let message =
      "found bytes that are not UTF-8 in the device, expected UTF-8; convert the table to UTF-8"
    #expect(
      decoded.issues.map(\.shown)
        == ["2:8", "4:8", "6:26"].map { "record \($0) \(message)" })
    #expect(decoded.devices == ["M\u{FC}ller of Berlin", "van"])
    #expect(decoded.points.map(\.device) == [0, 1, 0])
  }

  @Test("an accuracy, a speed and a course below 0 are unknown", arguments: [true, false])
  func negative(readsPlainRows: Bool) {
    var decoder = CSVDecoder()
    decoder.readsPlainRows = readsPlainRows
    let decoded = decode(
      "time,latitude,longitude,horizontalAccuracy,speed_kmh,bearing,altitude,hdop\n"
        + "0,-1,-2,-1,-1,-1,-1,-1\n0,-1,-2,-1,3.6,0,0,1\n0,-1,-2,0,0,3,4,-1\n", with: decoder)
    let fixes = decoded.points.map(\.fix)
    #expect(decoded.issues.isEmpty && fixes.count == 3)
    #expect(fixes.map(\.horizontalAccuracy) == [nil, Accuracy.radius(hdop: 1), 0])
    #expect(fixes.map(\.speed) == [nil, 1, 0] && fixes.map(\.course) == [nil, 0, 3])
    #expect(fixes.map(\.altitude) == [-1, 0, 4] && fixes.map(\.hdop) == [nil, 1, nil])
    #expect(fixes.allSatisfy { $0.coordinate == Coordinate(latitude: -1, longitude: -2) })
  }

  @Test("a word for no value names no device", arguments: [true, false])
  func absentDevices(readsPlainRows: Bool) {
    var decoder = CSVDecoder()
    decoder.readsPlainRows = readsPlainRows
    let names = [
      "", "NaN", "NA", "N/A", "null", "none", "-", "\\N", "\"null\"", "nan5", "'-", "nun", "-1",
    ]
    let decoded = decode(
      "time,latitude,longitude,device\n" + names.map { "0,1,2,\($0)\n" }.joined(), with: decoder)
    #expect(decoded.issues.isEmpty && decoded.devices == ["nan5", "-", "nun", "-1"])
    #expect(
      decoded.points.map(\.device) == [Int32?](repeating: nil, count: 9) + [0, 1, 2, 3])
  }

  @Test("all columns are read")
  func all() throws {
    let text = """
      device,time,latitude,longitude,accuracy,speed,course,altitude
      van,2025-03-10T14:02:07.3Z,52.5163,13.3777,5,1.5,270,-34.25

      """
    let decoded = decode(text, with: CSVDecoder())
    let point = try #require(decoded.points.first)
    #expect(decoded.points.count == 1 && decoded.marks.isEmpty)
    #expect(decoded.devices == ["van"] && point.device == 0 && point.line == 2)
    #expect(point.fix.time?.nanoseconds == 1_741_615_327_300_000_000)
    #expect(point.fix.coordinate.latitude == 52.5163 && point.fix.coordinate.longitude == 13.3777)
    #expect(point.fix.horizontalAccuracy == 5 && point.fix.speed == 1.5)
    #expect(point.fix.course == 270 && point.fix.altitude == -34.25)
    #expect(point.fix.mode == .unknown)
  }

  @Test("empty cells and missing columns are unknown values")
  func absent() throws {
    let text = "Longitude;LATITUDE;Speed;Time;accuracy\n13;52;;;\n"
    let decoded = decode(text, with: CSVDecoder())
    let fix = try #require(decoded.points.first?.fix)
    #expect(decoded.issues.isEmpty && decoded.points[0].device == nil)
    #expect(fix.coordinate.latitude == 52 && fix.coordinate.longitude == 13)
    #expect(fix.time == nil && fix.speed == nil && fix.horizontalAccuracy == nil)
  }

  @Test(
    "separators, line ends, quotes, blanks and a byte order mark change nothing",
    arguments: [
      "time,latitude,longitude,device\n0,1,2,a\n1,3,4,b\n",
      "time;latitude;longitude;device\r\n0;1;2;a\r\n1;3;4;b\r\n",
      "time\tlatitude\tlongitude\tdevice\n0\t1\t2\ta\n1\t3\t4\tb",
      "\u{FEFF}time,latitude,longitude,device\n0,1,2,a\n1,3,4,b\n",
      "\"time\",\"latitude\",\"longitude\",\"device\"\n\"0\",\"1\",\"2\",\"a\"\n\"1\",\"3\",\"4\",\"b\"\n",
      " Time , LATITUDE , Longitude , Device \n 0 , 1 , 2 , a \n1,3,4,b\r\n",
      "time,latitude,longitude,device,,\n0,1,2,a,,\n1,3,4,b,,\n",
      "\"time\";\"latitude\";\"longitude\";\"device\"\r\n\"0\";\"1\";\"2\";\"a\"\r\n\"1\";\"3\";\"4\";\"b\"",
    ])
  func dialects(text: String) {
    let decoded = decode(text, with: CSVDecoder())
    // One says that the times are early.
    #expect(decoded.issues.isEmpty && decoded.marks.count == 1)
    #expect(decoded.devices == ["a", "b"])
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [1, 3])
    #expect(decoded.points.map(\.fix.coordinate.longitude) == [2, 4])
    #expect(decoded.points.map(\.fix.time?.nanoseconds) == [0, 1_000_000_000])
    #expect(decoded.points.map(\.line) == [2, 3])
  }

  @Test("quoted cells may hold separators, quotes and line breaks")
  func quoting() {
    let text =
      "note,device,time,latitude,longitude\n"
      + "\"a,\"\"b\"\"\nc\",\"the \"\"blue\"\" van, 2\",0,1,2\n\"\",\"\",0,3,4\nx\"y,d,0,5,6\n"
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.issues.isEmpty)
    #expect(decoded.devices == ["the \"blue\" van, 2", "d"])
    #expect(decoded.points.map(\.line) == [2, 4, 5])
    #expect(decoded.points.map(\.device) == [0, nil, 1])
  }

  @Test("unused columns are named")
  func unknownColumns() {
    var decoder = CSVDecoder()
    var batch = TraceBatch()
    let bytes = Array("time,latitude,battery,longitude,my \u{1B}note\n1741615327,1,9,2,x\n".utf8)
    #expect(decoder.decode(bytes.span, isFinal: true, into: &batch) == bytes.count)
    #expect(batch.marks.map(\.mark) == [.note("columns that are not read: battery, my ?note")])
    #expect(batch.points.count == 1)
  }

  @Test(
    "a header that cannot be used ends the reading",
    arguments: [
      (
        "time,north,east\n0,1,2\n",
        "malformed 1:1 the header names no column latitude, expected at least time, latitude and longitude, found time, north, east; --columns names others"
      ),
      (
        "latitude,longitude\n1,2\n",
        "malformed 1:1 the header names no column time, expected at least time, latitude and longitude, found latitude, longitude; --columns names others"
      ),
      (
        "time,latitude,longitude,Time\n",
        "malformed 1:25 the header names the column time twice, remove or rename one"
      ),
      (
        "",
        "malformed 1:1 there is no header, expected a line that names time, latitude and longitude"
      ),
      (
        "\n\r\n",
        "malformed 3:1 there is no header, expected a line that names time, latitude and longitude"
      ),
      (
        "\n\"\"",
        "malformed 2:1 there is no header, expected a line that names time, latitude and longitude"
      ),
      (
        "\"time\"x,latitude\n",
        "malformed 1:7 the header is invalid: found \"x\" after the closing quote of a cell, expected a separator or the end of the line; a quote inside a cell is written twice"
      ),
    ])
  func badHeaders(text: String, expected: String) {
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.issues.map(\.shown) == [expected])
    #expect(decoded.points.isEmpty)
  }

  @Test("a decoder that stopped is finished and skips the rest")
  func finished() {
    var decoder = CSVDecoder()
    var batch = TraceBatch()
    let bytes = Array("latitude,b\n1,2\n".utf8)
    #expect(decoder.decode(bytes.span, isFinal: false, into: &batch) == bytes.count)
    #expect(decoder.isFinished)
    #expect(decoder.decode(bytes.span, isFinal: true, into: &batch) == bytes.count)
    #expect(batch.marks.count == 1)
  }

  @Test(
    "a bad cell is reported at its position",
    arguments: [
      (
        "0,x,13\n",
        "record 2:3 latitude is \"x\", expected a number of decimal degrees with a decimal point", 0
      ),
      (
        "0,52, 1_3\n",
        "record 2:7 longitude is \"1_3\", expected a number of decimal degrees with a decimal point",
        0
      ),
      ("0,,13\n", "record 2:3 latitude is empty, expected decimal degrees", 0),
      ("0,52,\n", "record 2:6 longitude is empty, expected decimal degrees", 0),
      (
        "0,nan,13\n",
        "record 2:3 latitude is \"nan\", expected a number of decimal degrees with a decimal point",
        0
      ),
      (
        "noon,52,13\n",
        "record 2:1 time is \"noon\", expected RFC 3339 as 2025-03-10T14:02:07Z, a day and a time as 2025-03-10 14:02 or 10.03.2025 14:02:07, or seconds since 1970",
        1
      ),
      ("0,52\n", "record 2:1 found 2 cells, expected at least 3", 0),
      ("0,52", "truncated 2:1 found 2 cells, expected at least 3", 0),
      (
        "0,52,5163,13,3777\n",
        "record 2:11 found 5 cells, expected 3 as in the header; quote cells that contain the separator, and write decimals with a point",
        0
      ),
      (
        "\"0\"1,52,13\n",
        "record 2:4 found \"1\" after the closing quote of a cell, expected a separator or the end of the line; a quote inside a cell is written twice",
        0
      ),
      (
        "\"0,52,13\n",
        "record 2:1 found a quote that is never closed, expected the cell to end with a quote", 0
      ),
      (
        "\"0,52",
        "truncated 2:1 found a quote that is never closed, expected the cell to end with a quote", 0
      ),
      (
        "\"0\"\r,52,13\n",
        "record 2:4 found \"?\" after the closing quote of a cell, expected a separator or the end of the line; a quote inside a cell is written twice",
        0
      ),
      (
        "0,\u{1B}[2J\u{202E},13\n",
        "record 2:3 latitude is \"?[2J?\", expected a number of decimal degrees with a decimal point",
        0
      ),
    ] as [(String, String, Int)])
  func badCells(row: String, expected: String, points: Int) {
    let decoded = decode(start + row, with: CSVDecoder())
    #expect(decoded.issues.map(\.shown) == [expected])
    #expect(decoded.points.count == points)
  }

  @Test("an unreadable number other than the position leaves only itself out")
  func otherNumbers() throws {
    let header = "time,latitude,longitude,accuracy,speed,course,altitude\n"
    let decoded = decode(header + "0,1,2,a,b,c,d\n", with: CSVDecoder())
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.horizontalAccuracy == nil && fix.speed == nil && fix.course == nil)
    #expect(fix.altitude == nil && fix.time?.nanoseconds == 0)
    #expect(decoded.issues.map(\.column) == [7, 9, 11, 13])
    #expect(decoded.issues[1].message.contains("metres per second"))
  }

  @Test("a long text is shown in part")
  func longText() {
    let found = issues("0,\(String(repeating: "é", count: 500)),2\n")
    #expect(found.first?.contains("é…\"") == true && (found.first?.count ?? 999) < 140)
  }

  @Test("an issue in a row of several lines is on the line of the cell")
  func placeInLines() {
    let header = "note,time,latitude,longitude\n"
    let found = issues("\"a\nb\",0,x,2\nc,0,y,2\n", header: header)
    #expect(found.map { $0.prefix(11) } == ["record 3:6 ", "record 4:5 "])
  }

  @Test("one stray quote costs one line")
  func strayQuote() {
    let rows = "0,1,2\n0,1,\"2\n0,3,4\n0,5,6\n"
    let decoded = decode(start + rows, with: CSVDecoder())
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [1, 3, 5])
    #expect(decoded.points.map(\.line) == [2, 4, 5])
    #expect(decoded.issues.map(\.line) == [3])
  }

  @Test("a row may be cut where it is still whole")
  func lastRow() {
    let decoded = decode(start + "1741615327,1,2\n1741615328,3,4", with: CSVDecoder())
    #expect(decoded.points.count == 2 && decoded.marks.isEmpty)
  }

  @Test("a line over 64 KiB is skipped, one of 64 KiB is read")
  func longLines() {
    func row(_ length: Int) -> String {
      "0,1,2" + String(repeating: " ", count: length - 6) + "\n"
    }
    let limit = 65_536
    let quote = "\"" + String(repeating: "y\n", count: limit) + "\n0,5,6\n"
    let text = start + row(limit) + row(limit + 1) + row(3 * limit) + "0,3,4\n"
    for pieces in [[], [1_000, limit], Array(repeating: 40_000, count: 9)] {
      let decoded = decode(text, with: CSVDecoder(), pieces: pieces)
      #expect(decoded.points.map(\.line) == [2, 5])
      #expect(decoded.issues.map(\.line) == [3, 4])
      #expect(decoded.issues.allSatisfy { $0.message.contains("64 KiB") })
    }
    let decoded = decode(start + quote, with: CSVDecoder(), pieces: [100, limit])
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [5])
    #expect(decoded.issues.first?.shown.contains("never closed") == true)
  }

  @Test("many devices keep their numbers over batches and decoders")
  func devices() {
    var batch = TraceBatch()
    for _ in 0..<2 {
      var decoder = CSVDecoder()
      let rows = (0..<300).map { "0,1,2,device number \($0 % 150)\n" }.joined()
      let bytes = Array("time,latitude,longitude,device\n\(rows)".utf8)
      batch.removeAll()
      #expect(decoder.decode(bytes.span, isFinal: true, into: &batch) == bytes.count)
      #expect(batch.points.map(\.device) == (0..<300).map { $0 % 150 })
    }
    #expect(batch.devices.count == 150)
  }
}

@Suite struct CSVChunkTests {
  private static let texts = [
    "\u{FEFF}Device;time;\"latitude\";longitude;note\r\n\"a \"\"b\"\"\";0;1;2;\"x;\r\ny\"\r\n;1;;4\r\n"
      + "b;z;5;6;\"\"\r\n\r\n\"b\"q;0;7;8\r\nb;0;9;\"10\nb;0;11;12;\"\"\"\"\r\nc;0;13;14;\"end\"",
    "time,latitude,longitude\n\"0\"é,1,2\n\"0\"€", "time,latitude,\"longitude\"𝄞\n",
    "time,latitude,longitude\n0,1,2\n0,1\n0,3,4\n0,5", "\"a\";x,latitude,longitude;b;c;d\n0,1,2\n",
    "\n\r\n\"time\"\tlatitude\tlongitude\n1\t2\t3\n\"1\t2\n3", "time,\"lat", "\u{FEFF}", "a\n",
  ]

  @Test("cut at any byte, the same is read", arguments: texts)
  func everyCut(text: String) {
    let bytes = Array(text.utf8)
    let whole = decode(bytes, with: CSVDecoder())
    for cut in 0...bytes.count {
      #expect(decode(bytes, with: CSVDecoder(), pieces: [cut]) == whole, "cut at \(cut)")
    }
  }

  @Test("byte by byte, the same is read", arguments: texts)
  func everyByte(text: String) {
    let bytes = Array(text.utf8)
    let ones = Array(repeating: 1, count: bytes.count)
    #expect(decode(bytes, with: CSVDecoder(), pieces: ones) == decode(bytes, with: CSVDecoder()))
  }

  @Test("a trace cut at any byte loses only what follows", arguments: texts)
  func everyEnd(text: String) {
    let bytes = Array(text.utf8)
    let whole = decode(bytes, with: CSVDecoder()).points.map { "\($0)" }
    for end in 0..<bytes.count {
      let part = Array(bytes[..<end])
      var decoder = CSVDecoder()
      var batch = TraceBatch()
      _ = decoder.decode(part.span, isFinal: false, into: &batch)
      let sure = batch.points.map { "\($0)" }
      #expect(whole.starts(with: sure), "ends at \(end)")
      let ended = decode(part, with: CSVDecoder()).points.map { "\($0)" }
      #expect(ended.starts(with: sure), "ends at \(end)")
    }
  }

  @Test("random rows in random pieces are read the same")
  func random() {
    var generator = SeededGenerator(seed: 5)
    let alphabet = Array("0123.,;\"\"\n\r\n,,ab ".utf8)
    for round in 0..<400 {
      let count = Int.random(in: 0...60, using: &generator)
      let rows = (0..<count).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let bytes = Array(start.utf8) + rows
      let pieces = (0..<12).map { _ in Int.random(in: 0...9, using: &generator) }
      let whole = decode(bytes, with: CSVDecoder())
      #expect(decode(bytes, with: CSVDecoder(), pieces: pieces) == whole, "seed 5, round \(round)")
    }
  }
}
