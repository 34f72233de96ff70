import Geodesy
@testable import Receivers
import TestSupport
import Testing
@testable import Traces
import Tracking

@Suite("Logs of gpsd and of receivers")
struct ReceiverLogDecoderTests {
  private static let logs = [
    "boat.nmea", "gpspipe-r.nmea", "gpspipe-w.jsonl", "gpspipe-wr.log", "gpspipe-wtu.log",
  ]

  private func tpv(
    _ second: Int, device: String = "/dev/a", mode: Int = 3, more: String = ""
  ) -> String {
    let place = mode >= 2 ? #","lat":54.2,"lon":7.4"# : ""
    let digits = second < 10 ? "0\(second)" : "\(second)"
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"#
      + #""time":"2026-11-22T12:00:\#(digits).000Z"\#(place)\#(more)}"# + "\r\n"
  }

  private let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"

  /// Decodes a log in chunks; a missing position is replaced by one that equals itself.
  private func pieced(_ text: [UInt8], _ pieces: [Int]) -> Decoded {
    var decoded = decode(text, with: ReceiverLogDecoder(), pieces: pieces)
    for index in decoded.points.indices where decoded.points[index].fix.mode == .none {
      decoded.points[index].fix.coordinate = Coordinate(latitude: 0, longitude: 0)
    }
    return decoded
  }

  @Test("every log of the boat gives the same fixes", arguments: logs)
  func boat(name: String) throws {
    let decoded = decode(try fixture(name), with: ReceiverLogDecoder())
    let reference = decode(try fixture("boat.nmea"), with: ReceiverLogDecoder())
    #expect(decoded.issues.isEmpty)
    // A second each: 12 fixes, 3 without position, 3 fixes, 4 after a gap, 3 back in time.
    #expect(decoded.points.count == 25)
    #expect(decoded.points.map(\.fix.time) == reference.points.map(\.fix.time))
    for (point, other) in zip(decoded.points, reference.points) {
      #expect((point.fix.mode == .none) == (other.fix.mode == .none))
      guard point.fix.mode != .none else { continue }
      let (a, b) = (point.fix.coordinate, other.fix.coordinate)
      #expect(abs(a.latitude - b.latitude) < 1e-8 && abs(a.longitude - b.longitude) < 1e-8)
      #expect(abs((point.fix.speed ?? -1) - (other.fix.speed ?? -2)) < 1e-3)
      #expect(point.fix.course == other.fix.course)
    }
  }

  @Test("a log cut into any pieces gives the same result", arguments: logs)
  func pieces(name: String) throws {
    let text = Array(try fixture(name).prefix(2_000))
    let whole = pieced(text, [])
    #expect(!whole.points.isEmpty)
    for cut in 1..<text.count {
      #expect(pieced(text, [cut]) == whole, "cut at \(cut)")
    }
    #expect(
      pieced(text, Array(repeating: 1, count: text.count))
        == whole)
  }

  @Test("comments, blank lines, CRLF and a byte order mark are skipped")
  func passedOver() {
    let text = "\u{FEFF}# a comment\r\n\r\n  \n\(version)\(tpv(0))   # another\n"
    let decoded = decodeReceiver(text)
    #expect(decoded.points.map(\.line) == [5] && decoded.marks.isEmpty)
  }

  @Test(
    "the prefix of gpspipe is skipped, and counts for columns",
    arguments: [
      "2026-11-22 10:15:00: ", "2026-11-22 10:15:00.123456: ",
      "2026-11-22T10:15:00Z 1795310855.3: ",
    ])
  func prefixes(prefix: String) {
    let rmc = sentence("GPRMC,120001,A,5412.0,N,00724.0,E,1,2,221126,,")
    #expect(decodeReceiver(prefix + rmc).points.count == 1)
    let decoded = decodeReceiver(prefix + tpv(0) + prefix + "{\"class\":\"TPV\",\"mode\":x}\n")
    #expect(decoded.points.count == 1)
    #expect(decoded.issues.map(\.column) == [prefix.utf8.count + 23])
    #expect(decoded.issues.map(\.line) == [2])
  }

  @Test(
    "what loggers put around a sentence is skipped",
    arguments: [
      ("NMEA,", ",1614592800000"), ("\\s:gps,c:1614592800*5A\\", ""),
      ("gnss_cnav  2021-03-01T10:00:00.0020Z  ", ""), ("cnav\t2021:060:10:00:00.0656\t", ""),
      ("NAV 2021/03/01 10:00:00.561 GPS ", ""), ("[1614592800.123] ", ""),
    ])
  func logged(before: String, after: String) {
    let rmc = sentence("GPRMC,120001,A,5412.0,N,00724.0,E,1,2,221126,,").dropLast()
    let line = before + rmc + after + "\n"
    let decoded = decodeReceiver(line + line.replacing("0001", with: "0002"))
    #expect(decoded.points.count == 1 && decoded.points[0].fix.speed != nil)
    #expect(decoded.issues.count == 1, "the second one has a wrong checksum")
  }

  @Test("an unknown line is reported, and reading continues")
  func unknown() {
    let decoded = decodeReceiver("hello\n12: world\n" + tpv(0))
    #expect(decoded.points.count == 1)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 found \"hello\", expected a report of gpsd ({…}) or an NMEA sentence ($…)",
        "record 2:1 found \"12: world\", expected a report of gpsd ({…}) or an NMEA sentence ($…)",
      ])
  }

  @Test("a line that is too long is reported once and skipped, also in pieces")
  func tooLong() {
    let text = Array((tpv(0) + String(repeating: "x", count: 200_000) + "\n" + tpv(1)).utf8)
    let decoded = decode(text, with: ReceiverLogDecoder())
    #expect(decoded.points.map(\.line) == [1, 3])
    #expect(
      decoded.issues.map(\.shown) == [
        "record 2:1 found a line longer than 64 KiB, expected a report or a sentence"
      ])
  }

  @Test("a log that ends inside a report is truncated there, and a held fix is emitted")
  func cutShort() {
    let full = tpv(0, more: #","speed":1"#)
    let decoded = decodeReceiver(full + tpv(1) + #"{"class":"TPV","mode":3,"la"#)
    #expect(decoded.points.count == 2)
    #expect(decoded.issues.map(\.kind) == [.truncated] && decoded.issues.map(\.line) == [3])
  }

  @Test("where gpsd reports positions, sentences are checked and counted, not read")
  func mixed() {
    let rmc = { (second: Int) in sentence("GPRMC,12000\(second),A,5412.0,N,00724.0,E,1,2,221126,,")
    }
    let decoded = decodeReceiver(
      version + rmc(0) + tpv(0) + rmc(1) + tpv(1) + rmc(2).replacing("A", with: "B") + tpv(2))
    #expect(decoded.points.map(\.line) == [3, 5, 7])
    #expect(decoded.marks.prefix(2) == ["0: repeatedReport", "1: otherRecord"])
    #expect(decoded.issues.map(\.line) == [6])
  }

  @Test("sentences count again after a new connection without reports")
  func mixedThenSentences() {
    let rmc = sentence("GPRMC,120005,A,5412.0,N,00724.0,E,1,2,221126,,")
    #expect(decodeReceiver(version + tpv(0) + version + rmc).points.map(\.line) == [2, 4])
  }

  @Test("VERSION and DEVICES end an instant, and so does the end")
  func endings() {
    let full = tpv(0, more: #","speed":1"#)
    let devices = #"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"# + "\n"
    for line in [version, devices] {
      var decoder = ReceiverLogDecoder()
      var batch = TraceBatch()
      let bytes = Array((full + tpv(1) + line).utf8)
      _ = decoder.decode(bytes.span, isFinal: false, into: &batch)
      #expect(batch.points.count == 2)
      _ = decoder.decode(bytes.span.extracting(0..<0), isFinal: true, into: &batch)
      #expect(batch.points.count == 2)
    }
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    let bytes = Array((full + tpv(1)).utf8)
    _ = decoder.decode(bytes.span, isFinal: false, into: &batch)
    #expect(batch.points.count == 1)
    _ = decoder.decode(bytes.span.extracting(0..<0), isFinal: true, into: &batch)
    #expect(batch.points.count == 2)
  }

  @Test("the header of a recording names the device, also when the log continues in another file")
  func recording() {
    let header = #"{"class":"WAYMARK","recording":1,"source":"gpsd://localhost","device":"van"}"#
    let lost = #"{"class":"WAYMARK","lost":3}"#
    let decoded = decodeReceiver(
      "\(header)\n\(version)\(tpv(0))\(lost)\n\(header)\n\(tpv(1))")
    #expect(decoded.devices == ["van"] && decoded.points.map(\.device) == [0, 0])
    #expect(decoded.marks == [#"0: track(name: Optional("van"))"#])
  }

  private func source(_ device: String) -> String {
    #"{"class":"WAYMARK","device":"\#(device)"}"# + "\n"
  }

  @Test("a device in every line takes the memory of its name")
  func manyNames() {
    let text = (0..<20_000).map { source("d\($0)") }.joined()
    let decoded = decodeReceiver(text + tpv(0))
    #expect(decoded.devices.count == 20_000)
    #expect(decoded.points.map(\.device) == [19_999])
  }

  @Test("a device of which nothing was read but the start of its run takes no more")
  func manyStarts() {
    let text = (0..<100).map {
      #"{"class":"WAYMARK","recording":1,"device":"d\#($0)","start":"5f"}"# + "\n"
    }.joined()
    var (decoder, batch) = (ReceiverLogDecoder(), TraceBatch())
    _ = decoder.decode(Array(text.utf8).span, isFinal: false, into: &batch)
    #expect(batch.devices.count == 100)
    #expect(decoder.others.isEmpty)
  }

  @Test("where engines start over, the devices that had positions since they last did are named")
  func restarts() {
    let restart = #"{"class":"WAYMARK","restarted":true}"# + "\n"
    let names = (0..<1_000).map { source("d\($0)") }.joined()
    let shared = names + source("a") + tpv(0) + source("b") + tpv(1) + restart + restart
    let decoded = decodeReceiver(shared + source("b") + tpv(2) + restart)
    #expect(decoded.marks.filter { $0.hasSuffix(": forgotten") }.count == 3)
    // One source, whose device is renamed.
    let single = ["van", "boat", "boat", "van"].enumerated().map { second, name in
      #"{"class":"WAYMARK","recording":1,"source":"gpsd://h","device":"\#(name)"}"# + "\n"
        + tpv(second)
    }
    let marks = decodeReceiver(single.joined(separator: restart)).marks
    #expect(marks.filter { $0.hasSuffix(": forgotten") }.count == 3)
    let last = marks.lastIndex { $0.hasSuffix(": forgotten") } ?? 0
    #expect(!marks[..<last].contains { $0.contains("source(") })
  }

  @Test("several receivers are reported once, with their names")
  func others() {
    let text = tpv(0) + tpv(0, device: "/dev/b") + tpv(1) + tpv(1, device: "/dev/b")
    let decoded = decodeReceiver(text)
    #expect(decoded.points.map(\.line) == [1, 3])
    #expect(decoded.marks.filter { $0.hasSuffix(" otherReceiver") }.count == 2)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 2:1 found reports of the receiver /dev/b beside those of /dev/a, which is "
          + "followed; to choose one, watch gpsd://HOST/DEVICE"
      ])
  }

  @Test("classes that are not read are counted, errors of gpsd too")
  func otherClasses() {
    let decoded = decodeReceiver(
      #"{"class":"PPS","real_sec":1}"# + "\n" + #"{"class":"ERROR","message":"What?"}"# + "\n")
    #expect(decoded.marks == ["0: otherRecord", "0: otherRecord"])
  }

  @Test("the state has gpsd's version, the receiver, its mode and its satellites")
  func state() {
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    func read(_ text: String) -> ReceiverState {
      let bytes = Array(text.utf8)
      _ = decoder.decode(bytes.span, isFinal: false, into: &batch)
      return decoder.state
    }
    #expect(read("") == ReceiverState())
    #expect(read(version).version == GPSDVersion(release: "3.22", major: 3, minor: 14))
    #expect(read(#"{"class":"DEVICES","devices":[]}"# + "\n").isAttached == false)
    #expect(
      read(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-22T12:00:00Z"}"# + "\n")
        .isAttached == true)
    let one = read(tpv(0, mode: 1))
    #expect(one.mode == 1 && one.receiver == nil && one.reports == 1)
    let two = read(
      tpv(1) + #"{"class":"SKY","device":"/dev/a","hdop":0.9,"#
        + #""satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}"# + "\n")
    #expect(two.mode == 3 && two.receiver == "/dev/a" && two.hdop == 0.9)
    #expect(two.satellitesUsed == 1 && two.satellitesVisible == 2)
    #expect(two.time == batch.points.last?.fix.time && two.isAttached == true)
    let other = read(tpv(2, device: "/dev/b"))
    #expect(other == two)
    #expect(read(#"{"class":"ERROR","message":"What?"}"# + "\n").error == "What?")
    let gone = read(#"{"class":"DEVICE","path":"/dev/a","activated":0}"# + "\n")
    #expect(gone.isAttached == false && gone.receiver == nil && gone.mode == 0)
    #expect(gone.satellitesUsed == nil && gone.hdop == nil)
    #expect(read(tpv(3, device: "/dev/b")).receiver == "/dev/b")
  }

  @Test("damaged logs never crash it, and every error is reported")
  func damaged() throws {
    let seed: UInt64 = 1_183
    var generator = SeededGenerator(seed: seed)
    let samples = try Self.logs.map { try fixture($0) }
    for round in 0..<100 {
      var text = samples[round % samples.count]
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: text[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: text.remove(at: place)
        case 2: text.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 3: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default: text.removeSubrange(place..<min(place + 40, text.count))
        }
      }
      let whole = pieced(text, [])
      #expect(whole.points.count <= 130, "seed \(seed), round \(round)")
      for issue in whole.issues {
        #expect(issue.line >= 1 && issue.column >= 1 && !issue.message.isEmpty)
      }
      let pieces = (0..<20).map { _ in Int.random(in: 1...400, using: &generator) }
      #expect(
        pieced(text, pieces) == whole,
        "seed \(seed), round \(round)")
    }
  }
}
