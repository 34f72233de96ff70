import Geodesy
@testable import Receivers
import TestSupport
import Testing
import Text
@testable import Traces
import Tracking

@Suite("Ships in a log of gpsd")
struct ShipTests {
  private func tpv(_ time: String, device: String = "/dev/gps", mode: Int = 3) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"2026-05-04T\#(time)Z","#
      + #""lat":54.5,"lon":8.9}"#
  }

  private func read(_ lines: [String], readsShips: Bool = true) -> Decoded {
    decode(
      lines.joined(separator: "\r\n") + "\r\n", with: ReceiverLogDecoder(readsShips: readsShips))
  }

  /// The fixes of ships.
  private func ships(_ lines: [String]) -> [Fix] {
    let decoded = read(lines)
    return decoded.points.filter { $0.device.map { decoded.devices[Int($0)] } != nil }.map(\.fix)
  }

  private func message(
    _ type: Int = 1, mmsi: Int = 211_234_560, isScaled: Bool = false,
    _ change: (inout ShipMessage) -> Void = { _ in }
  ) -> String {
    var message = ShipMessage(type, mmsi: mmsi, isScaled: isScaled)
    (message.latitude, message.longitude) = (54.507_123, -8.994_321)
    (message.speed, message.course, message.second) = (12.3, 234.5, 17)
    change(&message)
    return message.line
  }

  private func stamp(_ text: String) -> Timestamp? { TimeText.parse(Array(text.utf8).span) }

  private func time(_ text: String) -> Timestamp? {
    stamp("2026-05-04T\(text)Z")
  }

  @Test("scaled or not, a message gives the same position", arguments: [1, 2, 3, 18, 19])
  func scaling(type: Int) throws {
    let fixes = ships([
      tpv("10:00:20.500"), message(type), message(type, isScaled: true),
    ])
    let fix = try #require(fixes.first)
    #expect(fixes == [fix, fix])
    #expect(fix.time == time("10:00:17.000"))
    #expect(abs(fix.coordinate.latitude - 54.507_123) < 1e-6)
    #expect(abs(fix.coordinate.longitude + 8.994_321) < 1e-6)
    #expect(isNear(fix.speed, 12.3 * 1_852 / 3_600, within: 1e-9))
    #expect(isNear(fix.course, 234.5, within: 1e-9))
    #expect(isNear(fix.horizontalAccuracy, 18.5, within: 0.1))
    let precise = ships([message(type) { $0.isPrecise = true }])
    #expect(isNear(precise.first?.horizontalAccuracy, 6.2, within: 0.1))
  }

  @Test("what gpsdecode 3.22 wrote of the same message is read alike")
  func gpsdecode() throws {
    let scaled =
      #"{"class":"AIS","device":"stdin","type":1,"repeat":0,"mmsi":211234560,"scaled":true,"status":0,"#
      + #""status_text":"Under way using engine","turn":"nan","speed":12.3,"accuracy":true,"#
      + #""lon":-8.250000,"lat":54.500000,"course":234.5,"heading":511,"second":17,"maneuver":0,"#
      + #""raim":false,"radio":0}"#
    let own =
      #"{"class":"AIS","device":"stdin","type":1,"repeat":0,"mmsi":211234560,"scaled":false,"status":0,"#
      + #""status_text":"Under way using engine","turn":-128,"speed":123,"accuracy":true,"#
      + #""lon":-4950000,"lat":32700000,"course":2345,"heading":511,"second":17,"maneuver":0,"#
      + #""raim":false,"radio":0}"#
    let fixes = ships([tpv("10:00:20.000"), scaled, own])
    let fix = try #require(fixes.first)
    #expect(fixes == [fix, fix])
    #expect(fix.coordinate == Coordinate(latitude: 54.5, longitude: -8.25))
  }

  @Test("a message for satellites has coarser units, and is as accurate as they are")
  func longRange() throws {
    let fixes = ships([tpv("10:00:20.500"), message(27), message(27, isScaled: true)])
    #expect(fixes.map(\.time) == [time("10:00:20.500"), time("10:00:20.500")])
    let (own, scaled) = (fixes[0], fixes[1])
    #expect(abs(own.coordinate.latitude - 54.507_123) < 1 / 1_200)
    #expect(isNear(own.speed, 12 * 1_852 / 3_600, within: 1e-9) && own.course == 234)
    #expect(isNear(own.horizontalAccuracy, 83, within: 2))
    // gpsd leaves a tenth of a degree.
    #expect(abs(scaled.coordinate.latitude - 54.5) < 1e-9)
    #expect(isNear(scaled.horizontalAccuracy, 4_840, within: 20))
    let unknown = ships([message(27) { ($0.speed, $0.course) = (nil, nil) }])
    #expect(unknown.map(\.speed) == [nil] && unknown.map(\.course) == [nil])
    let nowhere = ships([message(27) { ($0.latitude, $0.longitude) = (91, 181) }])
    #expect(nowhere.map(\.mode) == [.none])
  }

  @Test("what a ship does not know is unknown", arguments: [false, true])
  func unknown(isScaled: Bool) throws {
    let fixes = ships([
      tpv("10:00:20.500"),
      message(isScaled: isScaled) { ($0.speed, $0.course, $0.second) = (nil, nil, 60) },
      message(isScaled: isScaled) { ($0.speed, $0.course, $0.second) = (102.2, 359.9, 63) },
      message(isScaled: isScaled) { ($0.latitude, $0.longitude) = (91, 181) },
      message(isScaled: isScaled) { $0.latitude = 91 },
    ])
    #expect(fixes.map(\.speed) == [nil, nil, nil, nil])
    #expect(fixes[0].course == nil && isNear(fixes[1].course, 359.9, within: 1e-9))
    #expect(fixes[..<2].map(\.time) == [time("10:00:20.500"), time("10:00:20.500")])
    #expect(fixes.map(\.mode) == [.unknown, .unknown, .none, .none])
  }

  @Test(
    "the time is the instant of that second that is nearest to the receiver's time",
    arguments: [
      ("10:00:20.500", 20, "10:00:20.000"), ("10:00:20.500", 23, "10:00:23.000"),
      ("10:00:02.000", 58, "09:59:58.000"), ("10:00:58.000", 1, "10:01:01.000"),
      ("00:00:00.000", 59, "23:59:59.000"), ("10:00:10.000", 40, "09:59:40.000"),
      ("10:00:40.000", 10, "10:00:10.000"), ("10:00:59.999", 29, "10:01:29.000"),
    ])
  func clock(receiver: String, second: Int, expected: String) {
    let fixes = ships([tpv(receiver), message { $0.second = second }])
    let day = expected.hasPrefix("23") ? "2026-05-03T" : "2026-05-04T"
    #expect(fixes.map(\.time) == [stamp("\(day)\(expected)Z")])
  }

  @Test("without a time of the receiver a position has none, also after a new connection")
  func timeless() {
    let version = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#
    let removed = #"{"class":"DEVICE","path":"/dev/gps","activated":0}"#
    let fixes = ships([
      message(), tpv("10:00:20.000"), message(), version, message(), tpv("10:00:21.000"), message(),
      removed, message(),
    ])
    #expect(fixes.map { $0.time != nil } == [false, true, false, true, false])
  }

  @Test("of two receivers of one gpsd the one that is followed has the time")
  func receivers() {
    let fixes = ships([
      tpv("10:00:20.000"), tpv("11:11:11.000", device: "/dev/other"), message(),
      tpv("10:00:21.000", mode: 1), message { $0.second = 21 },
    ])
    #expect(fixes.map(\.time) == [time("10:00:17.000"), time("10:00:21.000")])
  }

  @Test("each number is a device, and only with the option or where a recording says so")
  func devices() {
    let lines = [tpv("10:00:20.000"), message(mmsi: 1_234), message(18, mmsi: 211_000_001)]
    let decoded = read(lines)
    #expect(decoded.devices == ["ship-000001234", "ship-211000001"])
    #expect(decoded.points.map(\.device) == [nil, 0, 1])
    let off = read(lines, readsShips: false)
    #expect(off.points.count == 1 && off.devices.isEmpty && off.issues.isEmpty)
    #expect(off.marks.filter { $0.hasSuffix("otherRecord") }.count == 2)
    let header =
      #"{"class":"WAYMARK","recording":1,"source":"gpsd://a","device":"boat","ais":true}"#
    let recorded = read([header] + lines, readsShips: false)
    #expect(recorded.devices == ["boat", "ship-000001234", "ship-211000001"])
    #expect(recorded.points.map(\.device) == [0, 1, 2])
    // A program that starts later may not watch ships.
    let later = header.replacing(#","ais":true"#, with: "")
    #expect(read([header, later] + lines, readsShips: false).points.count == 1)
    #expect(ShipReport.isShip("ship-000001234") && !ShipReport.isShip("ship-1234"))
    #expect(!ShipReport.isShip("ship-21123456x") && !ShipReport.isShip("boat"))
  }

  @Test("messages without a position are counted; names are read from types 5, 19 and 24")
  func names() {
    func name(_ type: Int, _ name: String) -> String { message(type) { $0.name = name } }
    var decoder = ReceiverLogDecoder(readsShips: true)
    decoder.keepsShipsApart = true
    var batch = TraceBatch()
    let lines = [
      name(5, "ELBE FERRY"), name(24, #"SEA  \"GULL\" "#), name(19, "BUOY\\u0007LAYER"),
      name(5, ""),
      name(24, String(repeating: "A", count: 40)),
      #"{"class":"AIS","type":24,"mmsi":211234560,"scaled":true,"callsign":"CALL"}"#,
      #"{"class":"AIS","type":4,"mmsi":2111111,"scaled":true,"timestamp":"2026-05-04T06:07:08Z","lon":8.25,"lat":54.5}"#,
      #"{"class":"AIS","type":8,"mmsi":2111111,"scaled":true,"speed":[1],"lat":{}}"#,
    ]
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    _ = decoder.decode(text.span, isFinal: true, into: &batch)
    let reports = decoder.takeShipReports()
    #expect(
      reports.map(\.name) == [
        "ELBE FERRY", #"SEA "GULL""#, "BUOY?LAYER", nil, String(repeating: "A", count: 20), nil,
      ])
    #expect(reports.map { $0.fix != nil } == [false, false, true, false, false, false])
    #expect(decoder.takeShipReports().isEmpty && batch.points.isEmpty)
    let others = batch.marks.filter { if case .otherRecord = $0.mark { true } else { false } }
    #expect(others.count == 2)
  }

  @Test(
    "a bad message is one problem at its place, and the next is read",
    arguments: [
      ("\"mmsi\":211234560", "\"mmsi\":0", "mmsi is 0, expected 1 to 999999999"),
      ("\"mmsi\":211234560", "\"mmsi\":1000000000", "mmsi is 1000000000, expected 1 to 999999999"),
      ("\"mmsi\":211234560,", "", "found an AIS message without mmsi, expected its number"),
      ("\"mmsi\":211234560", "\"mmsi\":\"?\"", "mmsi is \"?\", expected a number"),
      ("\"second\":17", "\"second\":64", "second is 64, expected 0 to 63"),
      ("\"second\":17", "\"second\":1.5", "second is 1.5, expected a whole number"),
      ("\"scaled\":false,", "", "without scaled, lat or lon, expected all three"),
      ("\"lat\":", "\"latt\":", "without scaled, lat or lon, expected all three"),
      ("\"speed\":123", "\"speed\":\"slow\"", "speed is \"slow\", expected a number"),
      ("\"accuracy\":false", "\"accuracy\":7", "accuracy is "),
      ("\"type\":1,", "\"type\":true,", "type is true, expected a number"),
    ])
  func bad(part: String, replacement: String, problem: String) throws {
    let line = message()
    #expect(line.contains(part))
    let decoded = read([tpv("10:00:20.000"), line.replacing(part, with: replacement), line])
    #expect(decoded.issues.count == 1)
    let issue = try #require(decoded.issues.first)
    #expect(issue.line == 2 && issue.message.contains(problem), "\(issue.message)")
    #expect(decoded.points.count == 2)
  }

  @Test("a log cut into any pieces gives the same ships")
  func pieces() {
    let text = [
      message(), tpv("10:00:20.000"), message(isScaled: true), message(18, mmsi: 211_000_002),
    ].joined(separator: "\n")
    let whole = decode(text, with: ReceiverLogDecoder(readsShips: true))
    #expect(whole.points.count == 4)
    for cut in 1..<text.utf8.count {
      let pieced = decode(text, with: ReceiverLogDecoder(readsShips: true), pieces: [cut])
      #expect(pieced == whole, "cut at \(cut)")
    }
  }
}
