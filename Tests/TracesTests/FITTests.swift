@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

/// 10 March 2025, 14:02:07 UTC.
private let noon: UInt32 = 1_110_549_727
/// 45 degrees.
private let half: Int32 = 1 << 29

@Suite("FIT")
struct FITTests {
  private func read(_ bytes: [UInt8], pieces: [Int] = []) -> Decoded {
    decode(bytes, with: FITDecoder(), pieces: pieces)
  }

  private func activity(_ build: (inout FITFile) -> Void) -> Decoded {
    var file = FITFile()
    file.identify(4)
    build(&file)
    return read(file.bytes())
  }

  /// An activity with both byte orders, a pause, developer fields, and messages that are not read.
  private static var ride: FITFile {
    var file = FITFile()
    file.define(0, 0, [(0, 1, 0), (1, 2, 0x84), (2, 2, 0x84), (8, 6, 7)])
    file.add([0, 4, 1, 0, 5, 12] + Array("Edge".utf8) + [0, 0])
    file.define(
      1, 20, FITFile.position + [(2, 2, 0x84), (6, 2, 0x84), (31, 1, 2), (3, 1, 2)],
      developer: [(0, 3, 0)])
    file.record(1, time: noon, half, -half)
    file.add([0xAC, 0x0D, 0x10, 0x27, 7, 120, 1, 2, 3])
    file.define(2, 20, FITFile.position + [(73, 4, 0x86), (78, 4, 0x86)], isBig: true)
    file.record(2, time: noon + 1, half + 1, -half, isBig: true)
    file.add(UInt32(2_500), true)
    file.add(UInt32(3_001), true)
    file.define(3, 21, [(253, 4, 0x86), (0, 1, 0), (1, 1, 0)])
    for kind: UInt8 in [4, 0] {
      file.add([3])
      file.add(noon + 2)
      file.add([0, kind])
    }
    file.define(4, 0xFF00, [(9, 200, 7)])
    file.add([4] + [UInt8](repeating: 65, count: 200))
    file.record(2, time: noon + 9, half, .max, isBig: true)
    file.add([UInt8](repeating: 0xFF, count: 8))
    file.record(2, time: noon + 10, half, 0, isBig: true)
    file.add([UInt8](repeating: 0xFF, count: 8))
    file.define(5, 18, [(5, 1, 0)])
    file.add([5, 1])
    file.record(2, time: 100, half, 0, isBig: true)
    file.add([UInt8](repeating: 0xFF, count: 8))
    return file
  }

  @Test("records of an activity are fixes; a pause is a segment, a session a track")
  func ride() throws {
    let bytes = Self.ride.bytes()
    let decoded = read(bytes)
    #expect(decoded.issues.isEmpty, "\(decoded.issues)")
    let fixes = decoded.points.map(\.fix)
    try #require(fixes.count == 4)
    #expect(fixes[0].time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(fixes[0].coordinate == Coordinate(latitude: 45, longitude: -45))
    #expect(fixes[0].altitude == 200 && fixes[0].speed == 10 && fixes[0].horizontalAccuracy == 7)
    #expect(fixes[1].coordinate.latitude == 45 + 180.0 / 2_147_483_648)
    #expect(isNear(fixes[1].altitude, 100.2, within: 1e-9) && fixes[1].speed == 2.5)
    #expect(fixes[2].altitude == nil && fixes[2].speed == nil)
    // Seconds since the device was switched on.
    #expect(fixes[3].time == nil)
    #expect(
      decoded.marks == [
        "0: track(name: nil)", "0: segment", "2: otherRecord", "2: otherRecord", "2: otherRecord",
        "2: segment", "3: track(name: nil)", "3: segment",
      ])
    for (point, latitude) in zip(decoded.points, [half, half + 1, half, half]) {
      let isBig = point.line > decoded.points[0].line
      var file = FITFile()
      file.add(latitude, isBig)
      #expect(Array(bytes[point.line + 5..<point.line + 9]) == file.data)
    }
  }

  @Test("the device is the producer")
  func producer() {
    for (bytes, name) in [
      (Self.ride.bytes(), "Garmin, Edge"), (Self.ride.bytes(header: 12), "Garmin, Edge"),
    ] {
      var decoder = FITDecoder()
      var batch = TraceBatch()
      _ = decoder.decode(bytes.span, isFinal: true, into: &batch)
      #expect(decoder.producer == name)
    }
  }

  @Test("compressed times go on from the last whole one")
  func compressedTimes() {
    let decoded = activity { file in
      file.define(0, 21, [(253, 4, 0x86)])
      file.add([0])
      file.add(UInt32(1_110_549_727))
      file.define(1, 20, [(0, 4, 0x85), (1, 4, 0x85)])
      for step in [31, 0, 5, 5, 4] {
        file.add([0x80 | 1 << 5 | UInt8(step)])
        file.add(half)
        file.add(half)
      }
    }
    // The last five bits of the whole time are 31.
    let seconds = decoded.points.map { ($0.fix.time?.nanoseconds ?? 0) / 1_000_000_000 }
    #expect(decoded.issues.isEmpty)
    #expect(seconds.map { $0 - 1_741_615_327 } == [0, 1, 6, 6, 37])
  }

  @Test("files may follow each other, each a track of its own")
  func chained() {
    let file = Self.ride.bytes()
    let decoded = read(file + Self.ride.bytes(header: 12) + file)
    #expect(decoded.issues.isEmpty && decoded.points.count == 12)
    #expect(decoded.marks.count { $0.contains("track") } == 6)
    let rest = read(file + [1, 2, 3])
    #expect(rest.points.count == 4)
    #expect(
      rest.issues.map(\.message) == ["found other bytes where another FIT file may begin"])
  }

  @Test("a course is a planned route")
  func course() {
    var file = FITFile()
    file.identify(6)
    file.define(0, 31, [(5, 6, 7)])
    file.add([0] + Array("Round".utf8) + [0])
    file.define(1, 20, FITFile.position)
    file.record(1, time: noon, half, half)
    let decoded = read(file.bytes())
    #expect(decoded.points.isEmpty && decoded.issues.isEmpty)
    #expect(
      decoded.marks == [
        "0: route(name: Optional(\"Round\"))",
        "0: routePoint(Geodesy.Coordinate(latitude: 45.0, longitude: 45.0))",
      ])
  }

  @Test(
    "a file without a position is reported by its type",
    arguments: [
      (2, "there is no position in a file of settings, expected an activity or a course"),
      (32, "there is no position in a file of monitoring, expected an activity or a course"),
      (77, "there is no position in a file of type 77, expected an activity or a course"),
      (4, "the activity has no position: was it indoors?"), (6, "the course has no position"),
    ])
  func noPosition(type: UInt8, message: String) {
    var file = FITFile()
    file.identify(type)
    file.define(0, 20, [(253, 4, 0x86), (3, 1, 2)])
    file.add([0])
    file.add(noon)
    file.add([99])
    #expect(read(file.bytes()).issues.map(\.shown) == ["record 0:0 \(message)"])
  }

  @Test("an activity without a position is one, also with files of a sensor behind it")
  func sensorBehind() {
    var activity = FITFile()
    activity.identify(4)
    var sensor = FITFile()
    sensor.define(0, 132, [(253, 4, 0x86)])
    #expect(
      read(activity.bytes() + sensor.bytes()).issues.map(\.message) == [
        "the activity has no position: was it indoors?"
      ])
  }

  @Test("a wrong checksum is reported, and the records are read")
  func checksum() {
    var bytes = Self.ride.bytes()
    bytes[bytes.count - 1] ^= 0xFF
    let decoded = read(bytes)
    #expect(decoded.points.count == 4 && decoded.issues.map(\.kind) == [.record])
    #expect(decoded.issues[0].message.hasPrefix("the checksum of the file is "))
    bytes = Self.ride.bytes()
    bytes[12] ^= 1
    // That of the file covers the header.
    #expect(read(bytes).issues.count == 2)
    #expect(read(bytes).issues[0].message.hasPrefix("the checksum of the header is "))
  }

  @Test("cut anywhere, what is complete is read")
  func truncated() {
    let bytes = Self.ride.bytes()
    for count in 1..<bytes.count {
      let decoded = read(Array(bytes[..<count]))
      #expect(decoded.issues.map(\.kind) == [.truncated], "\(count)")
      #expect(decoded.issues.first?.line == count && decoded.issues.first?.column == 0)
    }
    #expect(read(Array(bytes.dropLast(2))).points.count == 4)
    let open = read(Self.ride.bytes(size: 0).dropLast(2) + [])
    #expect(open.points.count == 4)
    #expect(
      open.issues.map(\.message).first?.hasPrefix("the header of the file has no size") == true)
  }

  @Test("cut at any byte, the same is read")
  func cuts() {
    let bytes = Self.ride.bytes() + Self.ride.bytes(header: 12)
    let whole = read(bytes)
    for cut in 0...bytes.count { #expect(read(bytes, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(bytes, pieces: Array(repeating: 1, count: bytes.count)) == whole)
  }

  @Test("what cannot be read ends reading, and what came before stays")
  func malformed() {
    for (bytes, message) in [
      ([0x07], "found data of the local type 7, which has no definition before"),
      ([0x40, 0, 2, 0, 0, 0], "the byte order is 2, expected 0 or 1"),
      ([0x01, 0], "a message is longer than the data of the file"),
      ([0x40, 0, 0, 0, 0, 99], "a message is longer than the data of the file"),
    ] as [([UInt8], String)] {
      let decoded = activity { file in
        file.define(1, 20, FITFile.position)
        file.record(1, time: noon, half, half)
        file.add(bytes)
      }
      #expect(decoded.points.count == 1)
      #expect(
        decoded.issues.map { "\($0.kind) \($0.message)" }
          == ["malformed \(message); everything before it was read"])
    }
  }

  @Test("fields of a size or a type that they cannot have are left out")
  func fields() {
    let decoded = activity { file in
      file.define(
        0, 20, FITFile.position + [(2, 3, 0x84), (6, 0, 0x84), (73, 4, 0x88), (31, 1, 0x0A)])
      file.record(0, time: noon, half, half)
      file.add([1, 2, 3, 0, 0, 0, 0, 0])
    }
    #expect(
      decoded.issues.map(\.message) == [
        "the field altitude has 3 bytes of type 132, expected an integer; it is left out",
        "the field speed has 0 bytes of type 132, expected an integer; it is left out",
        "the field enhancedSpeed has 4 bytes of type 136, expected an integer; it is left out",
      ])
    let fix = decoded.points.first?.fix
    #expect(fix?.speed == nil && fix?.altitude == nil && fix?.horizontalAccuracy == nil)
  }

  @Test("definitions of 255 fields of 255 bytes, and messages of none, are read in pieces")
  func hostile() {
    var file = FITFile()
    let fields = (0..<255).map { _ in (number: UInt8(200), size: UInt8(255), type: UInt8(2)) }
    file.define(0, 20, fields, developer: fields)
    file.add([0] + [UInt8](repeating: 1, count: 2 * 255 * 255))
    file.define(1, 99, [])
    file.add([UInt8](repeating: 1, count: 100_000))
    let decoded = read(file.bytes(), pieces: [1_000, 100_000, 7])
    #expect(
      decoded.issues.map(\.message) == ["there is no position, expected an activity or a course"])
    #expect(decoded.marks.count == 100_002)
  }

  @Test("the content shows the format, and more bytes never change it")
  func detection() {
    let bytes = Self.ride.bytes()
    for count in 0...bytes.count {
      let found = TraceFormat.detect(bytes[..<count])
      #expect(found == (count < 12 ? .undecided : .format(.fit)), "\(count)")
    }
    #expect(TraceFormat.detect(bytes[..<5], isFinal: true) == .undecided)
    #expect(TraceFormat.detect(Array("\r\n$GPGGA,1".utf8)[...], isFinal: true) == .format(.nmea))
  }

  @Test("a file is read through the reader, and not converted")
  func file() throws {
    let file = TemporaryFile(Self.ride.bytes())
    var reader = try TraceReader(path: file.path)
    var batch = TraceBatch()
    #expect(try reader.read(into: &batch))
    #expect(reader.format == .fit && batch.points.count == 4)
  }
}
