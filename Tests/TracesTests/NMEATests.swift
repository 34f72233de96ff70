import Geodesy
import TestSupport
import Testing
@testable import Text
@testable import Traces
import Tracking

@Suite("Sentences of NMEA 0183")
struct NMEATests {
  private let rmc = "GPRMC,120000.25,A,5412.0600,N,00724.1200,W,10.00,359.5,221126,,,A"
  private let gga = "GPGGA,120000.25,5412.0600,N,00724.1200,W,2,09,0.9,12.5,M,45.5,M,,"

  private func time(_ text: String) throws -> Timestamp {
    let bytes = Array(text.utf8)
    let time = RFC3339.parse(bytes.span)
    return try #require(time)
  }

  private func times(_ decoded: Decoded) -> [String] {
    decoded.points.map { point in
      point.fix.time.map { time in written { TimeText.append(time, to: &$0) } } ?? "-"
    }
  }

  @Test("the sentences of one time make one fix, which stands where the first does")
  func epoch() throws {
    let text =
      sentence(rmc) + sentence(gga) + sentence("GPGSA,A,3,02,05,07,,,,,,,,,,1.8,0.9,1.5")
      + sentence("GPGST,120000.25,4.2,3.1,2.4,40.0,3.0,4.0,5.5")
    let decoded = decodeReceiver(text)
    #expect(decoded.points.count == 1 && decoded.marks.isEmpty)
    let point = try #require(decoded.points.first)
    let fix = point.fix
    #expect(point.line == 1 && point.device == nil)
    let expected = try time("2026-11-22T12:00:00.25Z")
    #expect(fix.time == expected)
    #expect(abs(fix.coordinate.latitude - 54.201) < 1e-12)
    #expect(abs(fix.coordinate.longitude + 7.402) < 1e-12)
    #expect(isNear(fix.speed, 5.144_444_444, within: 1e-9))
    #expect(fix.course == 359.5 && fix.altitude == 12.5 && fix.ellipsoidalAltitude == 58)
    #expect(fix.mode == .differential && fix.satellites == 9)
    let dilutions = [fix.hdop, fix.vdop, fix.pdop].compactMap { $0 }
    #expect(dilutions.elementsEqual([0.9, 1.5, 1.8]) { abs($0 - $1) < 1e-6 })
    // sqrt((3² + 4²) / 2) = 3.5355 is the sigma of each axis, 1.5096 of them the 68 % radius.
    #expect(isNear(fix.horizontalAccuracy, 5.3372, within: 0.001))
    #expect(isNear(fix.verticalAccuracy, 5.5, within: 1e-9))
  }

  @Test("an epoch ends with the first position of another time, and at the end")
  func boundaries() {
    let text = (0..<3).map { second in
      sentence("GPRMC,12000\(second),A,5412.0,N,00724.0,E,1,2,221126,,")
        + sentence("GPGGA,12000\(second),5412.0,N,00724.0,E,1,09,0.9,1,M,4,M,,")
    }.joined()
    let decoded = decodeReceiver(text)
    #expect(decoded.points.map(\.line) == [1, 3, 5])
    #expect(decoded.points.allSatisfy { $0.fix.mode == .threeD })
  }

  @Test(
    "talkers of every system are read, proprietary sentences are counted",
    arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "QZ", "GI", "II", "IN"])
  func talkers(talker: String) {
    let text =
      sentence(talker + rmc.dropFirst(2)) + sentence("\(talker)GSV,1,1,01,02,30,000,35")
      + sentence("PGRMC,A,,100,,,,,,A,3,1,1,4,30")
      + "!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\n"
    let decoded = decodeReceiver(text)
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty)
    #expect(decoded.marks == Array(repeating: "0: otherRecord", count: 3))
  }

  @Test(
    "a missing position is reported, whatever stale coordinates accompany it",
    arguments: [
      "GPRMC,120000,V,5412.0,N,00724.0,E,,,221126,,",
      "GPRMC,120000,A,5412.0,N,00724.0,E,,,221126,,,N",
      "GPRMC,120000,V,,,,,,,221126,,,N",
    ])
  func withoutPosition(line: String) throws {
    let gga = sentence("GPGGA,120000,5412.0,N,00724.0,E,0,05,,,M,,M,,")
    let gll = sentence("GPGLL,5412.0,N,00724.0,E,120000,V,N")
    let gns = sentence("GNGNS,120000,5412.0,N,00724.0,E,NN,05,,,,,")
    let decoded = decodeReceiver(sentence(line) + gga + gll + gns)
    #expect(decoded.points.map(\.fix.mode) == [.none] && decoded.issues.isEmpty)
    #expect(decoded.points[0].fix.coordinate.latitude.isNaN)
    #expect(decoded.points[0].fix.time != nil)
  }

  @Test("a position in any sentence of the instant is one")
  func anyPosition() {
    let void = sentence("GPRMC,120000,V,,,,,,,221126,,,N")
    let gga = sentence("GPGGA,120000,5412.0,N,00724.0,E,1,05,,,M,,M,,")
    for text in [void + gga, gga + void] {
      let decoded = decodeReceiver(text)
      #expect(decoded.points.map(\.fix.mode) == [.twoD])
      #expect(decoded.points.first?.fix.coordinate.latitude == 54.2)
    }
  }

  @Test("minute 60.000 is the next degree, which receivers write for 59.99999")
  func roundedMinutes() throws {
    func position(_ latitude: String, _ longitude: String) throws -> Coordinate {
      let line = sentence("GPRMC,120000,A,\(latitude),S,\(longitude),E,,,221126,,")
      return try #require(decodeReceiver(line).points.first?.fix.coordinate)
    }
    #expect(try position("4760.0000", "00760.000") == Coordinate(latitude: -48, longitude: 8))
    #expect(try position("8960.0000", "17960") == Coordinate(latitude: -90, longitude: 180))
    for latitude in ["4760.0001", "4761.0000", "9060.0000"] {
      let decoded = decodeReceiver(
        sentence("GPRMC,120000,A,\(latitude),S,00760.0000,E,,,221126,,"))
      #expect(decoded.points.isEmpty && decoded.issues.count == 1, "\(latitude)")
    }
  }

  @Test("GNS and GLL give positions, and VTG speed and course where no other sentence does")
  func others() throws {
    let zda = sentence("GPZDA,115959,22,11,2026,00,00")
    let gns = sentence("GNGNS,120000,5412.0,N,00724.0,E,AD,15,0.8,10.0,45.5,,")
    let vtg = sentence("GPVTG,45.0,T,,M,10.0,N,18.5,K,A")
    let fix = try #require(decodeReceiver(zda + gns + vtg).points.first?.fix)
    let noon = try time("2026-11-22T12:00:00Z")
    #expect(fix.time == noon && fix.mode == .differential)
    #expect(fix.altitude == 10 && fix.ellipsoidalAltitude == 55.5 && fix.satellites == 15)
    #expect(fix.course == 45 && isNear(fix.speed, 5.1444, within: 1e-3))
    #expect(fix.horizontalAccuracy == fix.hdop.map(Accuracy.radius(hdop:)))

    let gll = sentence("GPGLL,5412.0,S,00724.0,W,120000,A,A")
    let old = sentence("GPVTG,90.0,88.0,20.0,37.0")
    let place = try #require(decodeReceiver(zda + gll + old).points.first?.fix)
    #expect(place.coordinate == Coordinate(latitude: -54.2, longitude: -7.4))
    #expect(place.mode == .threeD || place.mode == .twoD)
    #expect(place.course == 90 && isNear(place.speed, 10.2889, within: 1e-3))

    let both = decodeReceiver(sentence(rmc) + vtg)
    #expect(both.points.first?.fix.course == 359.5)
  }

  @Test("GSA distinguishes two dimensions from three")
  func dimensions() {
    let two = sentence("GPGSA,A,2,02,05,07,,,,,,,,,,1.8,0.9,1.5")
    let decoded = decodeReceiver(
      sentence("GPGGA,120000,5412.0,N,00724.0,E,1,05,,7,M,,M,,") + two)
    #expect(decoded.points.map(\.fix.mode) == [.twoD])
  }

  @Test("a GST before its epoch counts, one of another time does not")
  func earlyErrors() throws {
    let gst = "GPGST,120000.25,4.2,,,,3.0,4.0,5.5"
    let fix = decodeReceiver(sentence(gst) + sentence(gga)).points.first?.fix
    #expect(isNear(fix?.horizontalAccuracy, 5.3372, within: 0.001))
    let late = decodeReceiver(
      sentence("GPGST,115959,4.2,,,,3.0,4.0,5.5") + sentence(gga)
    ).points.first?.fix
    #expect(late?.horizontalAccuracy == Accuracy.radius(hdop: 0.9) || late?.verticalAccuracy == nil)
  }

  // MARK: Dates

  @Test("the date of RMC and ZDA advances at midnight, and goes back for a late sentence")
  func midnight() {
    func gga(_ time: String) -> String {
      sentence("GPGGA,\(time),5412.0,N,00724.0,E,1,05,1,7,M,,M,,")
    }
    let text =
      sentence("GPZDA,235958.5,31,12,2026,,") + gga("235958.5") + gga("235959.5")
      + gga("000000.5") + gga("235959.9") + gga("000001.5") + gga("120000") + gga("235959")
      + gga("000000")
    #expect(
      times(decodeReceiver(text)) == [
        "2026-12-31T23:59:58.500Z", "2026-12-31T23:59:59.500Z", "2027-01-01T00:00:00.500Z",
        "2026-12-31T23:59:59.900Z", "2027-01-01T00:00:01.500Z", "2027-01-01T12:00:00.000Z",
        "2027-01-01T23:59:59.000Z", "2027-01-02T00:00:00.000Z",
      ])
  }

  @Test("a date that comes later in the epoch is that of the whole epoch, also at midnight")
  func dateLater() {
    let text = [("235959", "311226"), ("000000", "010127")].map { time, date in
      sentence("GPGGA,\(time),5412.0,N,00724.0,E,1,05,1,7,M,,M,,")
        + sentence("GPRMC,\(time),A,5412.0,N,00724.0,E,1,2,\(date),,")
    }.joined()
    let decoded = decodeReceiver(text)
    #expect(times(decoded) == ["2026-12-31T23:59:59.000Z", "2027-01-01T00:00:00.000Z"])
    #expect(decoded.points.map(\.line) == [1, 3])
  }

  @Test("the same time on another day is another instant")
  func nextDay() {
    let text = ["221126", "231126"].map {
      sentence("GPRMC,120000,A,5412.0,N,00724.0,E,1,2,\($0),,")
    }.joined()
    #expect(
      times(decodeReceiver(text)) == ["2026-11-22T12:00:00.000Z", "2026-11-23T12:00:00.000Z"])
  }

  @Test(
    "two digits of a year are those of 1980 to 2079",
    arguments: [("80", "1980"), ("99", "1999"), ("00", "2000"), ("79", "2079")])
  func years(two: String, four: String) {
    let line = sentence("GPRMC,120000,A,5412.0,N,00724.0,E,1,2,0101\(two),,")
    #expect(times(decodeReceiver(line)) == ["\(four)-01-01T12:00:00.000Z"])
  }

  @Test("without a date the fixes have no time, which is reported once")
  func undated() {
    let line = { (second: Int) in
      "GPGGA,12000\(second),5412.0,N,00724.0,E,1,05,1,7,M,,M,,"
    }
    let decoded = decodeReceiver(sentence(line(0)) + sentence(line(1)) + sentence(line(2)))
    #expect(times(decoded) == ["-", "-", "-"])
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 from here on no sentence has a date, expected RMC, ZDA or PUBX,04; fixes "
          + "without a date are not used"
      ])
    let later = decodeReceiver(sentence(line(0)) + sentence(line(1)) + sentence(rmc))
    #expect(times(later) == ["-", "-", "2026-11-22T12:00:00.250Z"] && later.issues.isEmpty)
  }

  @Test("decimals of a second are exact to the nanosecond, a leap second is the next one")
  func exactTimes() throws {
    let cases = [
      ("120000.1", 100_000_000), ("120000.123456789", 123_456_789), ("120000.", 0),
      ("120000.000000001999", 1),
    ]
    for (text, nanoseconds) in cases {
      let line = sentence("GPRMC,\(text),A,5412.0,N,00724.0,E,1,2,221126,,")
      let found = decodeReceiver(line).points.first?.fix.time?.nanoseconds
      let noon = try time("2026-11-22T12:00:00Z").nanoseconds
      #expect(found == noon + Int64(nanoseconds))
    }
    let leap = sentence("GPRMC,235960,A,5412.0,N,00724.0,E,1,2,311216,,")
    #expect(times(decodeReceiver(leap)) == ["2017-01-01T00:00:00.000Z"])
  }

  // MARK: Faults

  @Test("a wrong checksum is reported with the right one, and costs only its sentence")
  func checksum() {
    let good = sentence(rmc)
    let bad = good.replacing("5412", with: "5413")
    let decoded = decodeReceiver(sentence(gga) + bad)
    #expect(decoded.points.count == 1 && decoded.points[0].fix.speed == nil)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 2:\(bad.utf8.count - 3) found the checksum \"\(good.dropLast().suffix(2))\", "
          + "expected \"\(sum(bad))\" for what the sentence says; it is left out",
        "record 1:1 from here on no sentence has a date, expected RMC, ZDA or PUBX,04; fixes "
          + "without a date are not used",
      ])
  }

  /// The checksum that a sentence, with its line end, should have.
  private func sum(_ line: String) -> String {
    let body = line.dropFirst().prefix { $0 != "*" }
    return String(sentence(String(body)).dropLast().suffix(2))
  }

  @Test("a sentence without a checksum is read; small letters and blanks in it are fine")
  func withoutChecksum() {
    #expect(decodeReceiver("$\(rmc)\r\n").points.count == 1)
    let good = sentence(rmc).trimmingLineEnd
    let small = good.dropLast(2) + good.suffix(2).lowercased()
    #expect(decodeReceiver("  \(small) \t\r\n").points.count == 1)
  }

  @Test(
    "an invalid field is reported with its column",
    arguments: [
      (
        "GPRMC,12000,A,5412.0,N,00724.0,E,1,2,221126,,", 8,
        "RMC field 1 is \"12000\", expected a time as hhmmss or hhmmss.sss"
      ),
      (
        "GPRMC,126000,A,5412.0,N,00724.0,E,1,2,221126,,", 8,
        "RMC field 1 is \"126000\", expected a time from 000000 to 235960"
      ),
      (
        "GPRMC,120000,X,5412.0,N,00724.0,E,1,2,221126,,", 15,
        "RMC field 2 is \"X\", expected one of the letters ANV"
      ),
      (
        "GPRMC,120000,A,5460.0001,N,00724.0,E,1,2,221126,,", 17,
        "RMC field 3 is \"5460.0001\", expected a latitude as ddmm.mmmm"
      ),
      (
        "GPRMC,120000,A,9000.1,N,00724.0,E,1,2,221126,,", 17,
        "RMC field 3 is \"9000.1\", expected a latitude as ddmm.mmmm"
      ),
      (
        "GPRMC,120000,A,.5,N,00724.0,E,1,2,221126,,", 17,
        "RMC field 3 is \".5\", expected a latitude as ddmm.mmmm"
      ),
      (
        "GPRMC,120000,A,5412.0,E,00724.0,E,1,2,221126,,", 24,
        "RMC field 4 is \"E\", expected one of the letters NS"
      ),
      (
        "GPRMC,120000,A,5412.0,N,18000.1,E,1,2,221126,,", 26,
        "RMC field 5 is \"18000.1\", expected a longitude as dddmm.mmmm"
      ),
      (
        "GPRMC,120000,A,5412.0,N,00724.0,E,fast,2,221126,,", 36,
        "RMC field 7 is \"fast\", expected a number"
      ),
      (
        "GPRMC,120000,A,5412.0,N,00724.0,E,1,2,310226,,", 40,
        "RMC field 9 is \"310226\", expected a day of the calendar"
      ),
      (
        "GPRMC,120000,A,5412.0,N,00724.0,E,1,2,2211,,", 40,
        "RMC field 9 is \"2211\", expected a date as ddmmyy"
      ),
      (
        "GPGGA,120000,5412.0,N,00724.0,E,11,05,1,7,M,,M,,", 34,
        "GGA field 6 is \"11\", expected one of the letters 0123456789"
      ),
      (
        "GPGGA,120000,5412.0,N,00724.0,E,1,-5,1,7,M,,M,,", 36,
        "GGA field 7 is \"-5\", expected a whole number"
      ),
      (
        "GNGNS,120000,5412.0,N,00724.0,E,Q,5,1,7,,,,", 34,
        "GNS field 6 is \"Q\", expected letters of ADEFMNPRS"
      ),
      ("GPZDA,120000,22,13,2026,,", 21, "ZDA field 4 is \"2026\", expected a day of the calendar"),
    ])
  func fields(line: String, column: Int, message: String) {
    let decoded = decodeReceiver(sentence(rmc) + sentence(line))
    #expect(
      decoded.issues.map(\.shown) == ["record 2:\(column) \(message); the sentence is left out"])
    #expect(decoded.points.count == 1)
  }

  @Test("a sentence that ends early is reported, as incomplete at the end of the trace")
  func cutShort() {
    let early = decodeReceiver("$GPRMC,120000,A,5412.0\n" + sentence(rmc))
    #expect(
      early.issues.map(\.shown) == [
        "record 1:23 the sentence ends after 3 fields, expected at least 9 in RMC; it is left out"
      ])
    #expect(early.points.count == 1)
    let later = "GPRMC,120001,A,5412.0600,N,00724.1200,W,10.00,359.5,221126,,,A"
    for count in 1...later.utf8.count + 2 {
      let cut = decodeReceiver(sentence(rmc) + sentence(later).prefix(count))
      #expect(cut.points.count == 1, "cut after \(count)")
      #expect(cut.issues.map(\.kind) == [.truncated], "cut after \(count)")
    }
    // With its checksum whole, only the line end is missing.
    #expect(
      decodeReceiver(sentence(rmc) + sentence(later).prefix(later.count + 4)).points.count == 2)
    // Where no sentence has a checksum, the last one need not have one either.
    #expect(decodeReceiver("$\(rmc)\n$\(later)").points.count == 2)
  }

  @Test("bytes before a sentence are skipped when its checksum is valid")
  func behindNoise() {
    let decoded = decodeReceiver("12 junk\(sentence(rmc))junk$\(rmc)\r\n")
    #expect(decoded.points.count == 1 && decoded.points[0].line == 1)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 found \"12 junk\", expected a report of gpsd ({…}) or an NMEA sentence ($…)",
        "record 2:1 found \"junk\", expected a report of gpsd ({…}) or an NMEA sentence ($…)",
      ])
  }

  @Test(
    "a DTM with a datum other than WGS 84 is noted once",
    arguments: [
      ("W72,,0.0,N,0.0,E,0.0,W84", "W72"), ("999,CH95,0.08,N,0.07,E,-47.7,W84", "999 CH95"),
      ("999,,0.08,N,0.07,E,-47.7,W84", "unknown (999)"), ("W84,,0.0,N,0.0,E,0.0,W84", nil),
      ("P90,,0.0,N,0.0,E,0.0,W84", nil), (",,,,,,,", nil),
    ] as [(String, String?)])
  func datums(fields: String, name: String?) {
    let datum = sentence("GPDTM,\(fields)")
    let decoded = decodeReceiver(datum + sentence(rmc) + datum)
    let notes = decoded.marks.filter { $0.contains("note(") }
    #expect(notes.count == (name == nil ? 0 : 1))
    if let name {
      #expect(notes.first?.contains("the datum is \(name), not WGS 84; ") == true)
    }
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 2)
  }

  @Test("sentences with neither time nor position are counted")
  func empty() {
    let text =
      sentence("GPRMC,,V,,,,,,,,,,N") + sentence("GPGGA,,,,,,0,00,99.99,,,,,,")
      + sentence("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99") + sentence("GPVTG,,,,,,,,,N")
    let decoded = decodeReceiver(text)
    #expect(decoded.points.isEmpty)
    #expect(decoded.marks == Array(repeating: "0: otherRecord", count: 4))
  }
}

extension String {
  fileprivate var trimmingLineEnd: String { String(prefix { !$0.isNewline }) }
}
