@testable import Formats
import Geodesy
import Testing
@testable import Traces
import Tracking

private let document = "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>\n"
private let packed =
  "1f8b0800000000000203b3492fa8b0b32929ca0613c5a9e960baa0442127b1c456dd505d21273fcf56dd485d"
  + "dfce461fa6401fac5c1fa4930b00ae2a543d40000000"
private let packedInTwo =
  "1f8b0800000000000203b3492fa8b0b32929ca0613c5a9e960baa0442127b1c4561d0047d0a1f21e000000"
  + "1f8b0800000000000203335457c8c9cfb3553752d7b7b3d12f29ca2e4e4d873080647a41851d1700285e5de0"
  + "22000000"

/// The result of reading a file that contains `bytes`.
private func read(_ bytes: [UInt8]) throws(TraceError) -> DecodedGPX {
  let file = TemporaryFile(bytes)
  var reader = try TraceReader(path: file.path)
  var batch = TraceBatch()
  var decoded = DecodedGPX()
  while try reader.read(into: &batch) { decoded.take(&batch) }
  #expect(reader.progress.read <= bytes.count)
  #expect(reader.progress.total == bytes.count)
  return decoded
}

private func point(_ decoded: DecodedGPX) -> Coordinate? {
  decoded.points.count == 1 ? decoded.points.first?.fix.coordinate : nil
}

private let place = Coordinate(latitude: 1, longitude: 2)

@Test("a file is read, plain or compressed, in one member or several")
func readsFiles() throws {
  let padding = [UInt8](repeating: 0, count: 100)
  for bytes in [
    Array(document.utf8), hexadecimal(packed), hexadecimal(packedInTwo),
    hexadecimal(packed) + padding,
  ] {
    let decoded = try read(bytes)
    #expect(point(decoded) == place)
    #expect(decoded.issues.isEmpty)
  }
}

@Test("gzip data cut anywhere is reported as truncated, and never hangs")
func readsTruncated() throws {
  let bytes = hexadecimal(packedInTwo)
  for count in 30..<bytes.count where count != 43 {
    let decoded = try read(Array(bytes[..<count]))
    #expect(decoded.issues.count == 1, "cut at \(count)")
    #expect(decoded.issues.last?.kind == .truncated, "cut at \(count)")
    let isPacked = decoded.issues.last?.message.contains("its gzip data ends in the middle")
    #expect(isPacked == true, "cut at \(count)")
  }
}

@Test("damaged gzip data is reported")
func readsDamaged() throws {
  var bytes = hexadecimal(packed)
  bytes[bytes.count - 6] ^= 1
  let decoded = try read(bytes)
  #expect(point(decoded) == place)
  #expect(
    decoded.issues.map(\.message) == ["its gzip data is damaged; everything before it was read"])
}

@Test("what follows gzip data and is none is reported, unless it is zeros")
func readsTrailing() throws {
  let padding = [UInt8](repeating: 0, count: 100_000)
  for bytes in [hexadecimal(packed), hexadecimal(packedInTwo)] {
    let padded = try read(bytes + padding)
    #expect(point(padded) == place && padded.issues.isEmpty)
    for garbage in [Array("more".utf8), padding + [1]] {
      let decoded = try read(bytes + garbage)
      #expect(point(decoded) == place)
      #expect(
        decoded.issues.map(\.message) == [
          "its gzip data is followed by something else; everything before it was read"
        ])
    }
  }
}

@Test("a file that is read whole has its limit after unpacking", arguments: [0, 1])
func wholeFile(excess: Int) throws {
  let limit = document.utf8.count - excess
  for bytes in [Array(document.utf8), hexadecimal(packed), hexadecimal(packedInTwo)] {
    let file = TemporaryFile(bytes)
    guard excess > 0 else {
      #expect(try ByteSource.whole(file.path, limit: limit) == Array(document.utf8))
      continue
    }
    let reason = "it is larger than the limit of \(limit) bytes"
    #expect(throws: TraceError.unreadable(path: file.path, reason: reason)) {
      try ByteSource.whole(file.path, limit: limit)
    }
  }
}

@Test("a whole file that cannot be decompressed is an error, not a shorter file")
func wholeDamagedFile() throws {
  let bytes = hexadecimal(packedInTwo)
  for count in [30, 42, bytes.count - 1] {
    let file = TemporaryFile(Array(bytes[..<count]))
    #expect(throws: TraceError.self, "cut at \(count)") {
      try ByteSource.whole(file.path, limit: 1 << 20)
    }
  }
}

@Test("any byte of packed data may be wrong without a trap")
func readsAnyDamage() {
  for place in 2..<hexadecimal(packed).count {
    for bit in 0..<8 {
      var bytes = hexadecimal(packed)
      bytes[place] ^= 1 << UInt8(bit)
      _ = try? read(bytes)
    }
  }
}

/// The start of packed data that holds `<gpx>`, and 64 KiB of blanks in 84 bytes.
private let packedStart = "1f8b0800000000000003b2492fa8b003000000ffff"
private let packedBlanks =
  "ecc18100000000802095fd2917a90a" + String(repeating: "00", count: 62) + "6a000000ffff"

@Test("packed data may unpack to 200 times its size, and to 8 MiB in any case", arguments: [0, 1])
func refusesPackedBombs(excess: Int) throws {
  let (start, blanks) = (hexadecimal(packedStart), hexadecimal(packedBlanks))
  let blocks = Inflater.freeBytes >> 16
  let decoded = try read(start + (0..<blocks - 1 + 8 * excess).flatMap { _ in blanks })
  let words =
    excess == 0
    ? "its gzip data ends in the middle"
    : "it unpacks to more than 200 times its size, the limit; if that is intended, decompress it first"
  #expect(decoded.issues.map(\.message) == ["\(words); everything before it was read"])
}

@Test("packed data of less than 200 times its size may have any")
func readsMuchPacked() throws {
  // 256 bytes as they are, of a text behind the blanks, make 193 times the size.
  let stored: [UInt8] = [0, 0, 1, 0xFF, 0xFE] + [UInt8](repeating: 0x20, count: 256)
  let block = hexadecimal(packedBlanks) + stored
  let decoded = try read(hexadecimal(packedStart) + (0..<400).flatMap { _ in block })
  #expect(
    decoded.issues.map(\.message) == [
      "its gzip data ends in the middle; everything before it was read"
    ])
}

@Test("UTF-16 is read in both orders, with a mark or a declaration or both")
func readsUTF16() throws {
  let declared =
    "<?xml version='1.0' encoding='UTF-16'?><gpx><trk><name>Zürich 😀</name></trk></gpx>"
  let plain = "<gpx><trk><name>Zürich 😀</name></trk></gpx>"
  for text in [declared, plain, "\u{FEFF}" + declared, "\u{FEFF}" + plain] {
    for bytes in [inUTF16(text), inUTF16(text, isBig: true)] {
      let decoded = try read(bytes)
      #expect(decoded.marks.map(\.mark) == [.track(name: "Zürich 😀")])
    }
  }
}

@Test("a table in UTF-16 is read in both orders, with a mark or without one")
func readsTableInUTF16() throws {
  let table = "time,latitude,longitude\n2025-03-10T08:00:00Z,1,2\n"
  for text in [table, "\u{FEFF}" + table, "\r\n" + table] {
    for bytes in [inUTF16(text), inUTF16(text, isBig: true)] {
      let decoded = try read(bytes)
      #expect(point(decoded) == place && decoded.issues.isEmpty)
    }
  }
}

@Test(
  "declared encodings are read",
  arguments: [
    ("ISO-8859-1", [0x5A, 0xFC, 0x72], "Zür"), ("windows-1252", [0x80, 0x31], "€1"),
    ("Shift_JIS", [0x93, 0x8C, 0x8B, 0x9E], "東京"), ("KOI8-R", [0xED], "М"),
    ("utf-8", [0xC3, 0xBC], "ü"), ("US-ASCII", [0x41], "A"),
  ] as [(String, [UInt8], String)])
func readsEncoding(encoding: String, bytes: [UInt8], name: String) throws {
  let start = "<?xml version=\"1.0\" encoding=\"\(encoding)\" ?>\n<gpx><trk><name>"
  let decoded = try read(Array(start.utf8) + bytes + Array("</name></trk></gpx>".utf8))
  #expect(decoded.marks.map(\.mark) == [.track(name: name)])
}

@Test("a long text in another encoding is converted piece by piece")
func convertsPieces() throws {
  var text = "<gpx><trk><trkseg>"
  for number in 0..<3000 { text += "<trkpt lat='\(number % 90)' lon='1'><!-- ü€😀 --></trkpt>\n" }
  text += "</trkseg></trk></gpx>"
  let bytes = inUTF16(text)
  let decoded = try read([0xFF, 0xFE] + bytes)
  #expect(decoded.points.count == 3000)
  #expect(decoded.points.last?.line == 3000)
  #expect(decoded.issues.isEmpty)
  let cut = try read([0xFF, 0xFE] + bytes.dropLast())
  #expect(cut.points.count == 3000)
  #expect(
    cut.issues.map(\.message) == ["the last character is incomplete; everything before it was read"]
  )
}

@Test("unknown or wrong encodings are reported")
func refusesEncodings() throws {
  let cases = [
    ("x-martian", "the encoding 'x-martian' is not known; convert the file to UTF-8"),
    ("UTF-8//IGNORE", "the encoding 'UTF-8//IGNORE' is not known; convert the file to UTF-8"),
    ("UTF-16", "the text is not in the declared encoding 'UTF-16'"),
  ]
  for (name, message) in cases {
    let bytes = Array("<?xml version='1.0' encoding='\(name)'?><gpx/>".utf8)
    do {
      _ = try read(bytes)
      Issue.record("\(name) was read")
    } catch {
      #expect(error.description.hasSuffix(":1:1: \(message)"))
    }
  }
  let start = Array("<?xml version='1.0' encoding='Shift_JIS'?><gpx><trk><name>".utf8)
  let issues = try read(start + [0x93, 0x20] + Array("</name></trk></gpx>".utf8)).issues
  #expect(issues.map(\.message) == ["a byte is not valid Shift_JIS; everything before it was read"])
}

@Test("a file that cannot be opened is reported with the reason")
func refusesPaths() {
  for (path, message) in [
    ("/nowhere/at/all.gpx", "/nowhere/at/all.gpx: no such file"), ("/", "/: is a directory"),
  ] {
    do {
      _ = try TraceReader(path: path)
      Issue.record("\(path) was opened")
    } catch {
      #expect(error.description == message)
    }
  }
}

@Test(
  "a file of an unknown format is rejected with a list of the known ones",
  arguments: ["", "  \n", "\u{1}\u{2}"])
func refusesUnknown(text: String) {
  do {
    _ = try read(Array(text.utf8))
    Issue.record("it was read")
  } catch {
    guard case .unrecognised(_, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("GPX"))
  }
}

@Test("a batch holds some hundred points and a long trace many batches")
func readsBatches() throws {
  var text = "<gpx><trk><trkseg>"
  for number in 0..<20_000 { text += "<trkpt lat='\(number % 90)' lon='1'><ele>1</ele></trkpt>\n" }
  let file = TemporaryFile(Array((text + "</trkseg></trk></gpx>").utf8))
  var reader = try TraceReader(path: file.path)
  #expect(reader.format == .gpx)
  var batch = TraceBatch()
  var count = 0
  while try reader.read(into: &batch) {
    #expect(batch.points.count < 4000)
    count += batch.points.count
  }
  #expect(count == 20_000)
  #expect(reader.progress.read == reader.progress.total)
}
