@testable import Receivers
import Testing
@testable import Text
import Traces
import Tracking

@Suite("Headings of compasses")
struct HeadingTests {
  private func decoded(_ text: String) -> [Heading] {
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    _ = decoder.decode(Array(text.utf8).span, isFinal: true, into: &batch)
    return batch.marks.compactMap {
      if case .heading(let heading) = $0.mark { heading } else { nil }
    }
  }

  private func attitude(_ members: String, device: String = "/dev/ttyUSB1") -> String {
    #"{"class":"ATT","device":"\#(device)","# + members + "}\n"
  }

  private func position(
    _ second: Int, _ members: String = #","magvar":3.5"#, device: String = "/dev/ttyUSB0"
  ) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2025-03-10T14:02:0\#(second).000Z","#
      + #""lat":52.5,"lon":13.4"# + members + "}\n"
  }

  private let rmc = sentence("GPRMC,140207.00,A,5230.0,N,01324.0,E,1.0,90.0,100325,3.5,E,A")

  // MARK: gpsd

  @Test("an ATT is read field by field, and unknown fields of any kind are passed over")
  func report() throws {
    let line = attitude(
      #""time":"2025-03-10T14:02:07.250Z","heading":104.25,"mheading":100.75,"mag_st":"N","#
        + #""pitch":169.00,"pitch_st":"N","yaw":null,"mag_x":-12.5,"mag_y":3,"mag_z":41.25"#)
    var reader = SwiftGPSDReader()
    guard case .attitude(let attitude) = try reader.read(Array(line.dropLast().utf8).span) else {
      return #expect(Bool(false), "no attitude")
    }
    #expect(attitude.device == GPSDDeviceKey(path: "/dev/ttyUSB1"))
    #expect(attitude.time?.nanoseconds == 1_741_615_327_250_000_000)
    #expect(attitude.geographic == 104.25 && attitude.magnetic == 100.75 && attitude.isReliable)
    #expect(attitude.field == Heading.Field(x: -12.5, y: 3, z: 41.25))
    let heading = try #require(decoded(line).first)
    #expect(heading.time == attitude.time && heading.field == attitude.field)
    #expect(heading.geographic == 104.25 && heading.magnetic == 100.75)
  }

  @Test("heading is from true north; the variation of a position gives the magnetic one")
  func variation() {
    #expect(decoded(attitude(#""heading":104"#)) == [Heading(geographic: 104)])
    let headings = decoded(
      position(7) + attitude(#""heading":104"#) + position(8, #","magvar":-2"#)
        + attitude(#""heading":104"#) + position(9, "") + attitude(#""mheading":104"#))
    #expect(headings.map(\.geographic) == [104, 104, 102])
    #expect(headings.map(\.magnetic) == [100.5, 106, 104])
    // An ATT without a time of its own has that of the position before it.
    #expect(headings.map { $0.time.map { $0.nanoseconds / 1_000_000_000 % 10 } } == [7, 8, 9])
  }

  @Test(
    "angles are brought to 0 to below 360",
    arguments: [
      ("0", 0), ("-0.0", 0), ("360", 0), ("359.75", 359.75), ("363.5", 3.5), ("-90", 270),
      ("1e2", 100), (#""42.5""#, 42.5),
    ])
  func turned(text: String, expected: Double) {
    let headings = decoded(attitude(#""heading":\#(text)"#))
    #expect(headings.map(\.geographic) == [expected])
    #expect(headings.first?.geographic?.sign == .plus)
  }

  @Test("the other north is also brought there, over north in both directions")
  func overNorth() {
    let headings = decoded(
      position(7, #","magvar":10"#) + attitude(#""heading":4"#) + attitude(#""mheading":355"#))
    #expect(headings.map(\.magnetic) == [354, 355] && headings.map(\.geographic) == [4, 5])
  }

  @Test(
    "an ATT without a valid angle is no heading, and is counted as a record of another kind",
    arguments: [
      "", #""heading":null,"pitch":1"#, #""heading":14223.00,"mag_st":"N""#, #""heading":-181"#,
      #""heading":1e300"#, #""pitch":12.5"#, #""heading":375.488"#,
    ])
  func withoutAngle(members: String) {
    let text = members.isEmpty ? #"{"class":"ATT"}"# + "\n" : attitude(members)
    #expect(decodeReceiver(text).marks == ["0: otherRecord"])
  }

  @Test("NaN and text in place of a number are errors at their place")
  func invalid() {
    let text = decodeReceiver(attitude(#""heading":"north""#))
    #expect(text.issues.count == 1 && text.points.isEmpty)
    #expect(text.issues.first?.shown.contains(#"heading is "north", expected a number"#) == true)
    #expect(decodeReceiver(attitude(#""heading":NaN"#)).issues.count == 1)
  }

  @Test("alarms of the magnetometer make a heading unreliable, warnings do not")
  func alarms() {
    for (status, isReliable) in [
      ("N", true), ("M", true), ("O", true), ("", true), ("C", false), ("L", false), ("P", false),
      ("V", false),
    ] {
      let headings = decoded(attitude(#""heading":1,"mag_st":"\#(status)""#))
      #expect(headings.map(\.isReliable) == [isReliable], "\(status)")
    }
  }

  @Test("a field of fewer than three axes is unknown")
  func field() {
    #expect(decoded(attitude(#""heading":1,"mag_x":2454.0"#)) == [Heading(geographic: 1)])
  }

  @Test("one of several compasses is followed until it is removed; the receiver's own comes first")
  func choice() {
    let (a, b) = (
      attitude(#""heading":1"#, device: "/dev/a"), attitude(#""heading":2"#, device: "/dev/b")
    )
    #expect(decoded(a + b + a).map(\.geographic) == [1, 1])
    let removal = #"{"class":"DEVICE","path":"/dev/a","activated":0}"# + "\n"
    #expect(decoded(a + b + removal + b).map(\.geographic) == [1, 2])
    let receiver = position(7, "", device: "/dev/b")
    #expect(decoded(a + receiver + b + a).map(\.geographic) == [1, 2])
  }

  @Test("headings change no fix: neither its values nor its place")
  func beside() {
    let positions = [position(7), position(8), position(9)]
    let bare = decodeReceiver(positions.joined())
    let mixed = decodeReceiver(positions.map { $0 + attitude(#""heading":1"#) }.joined())
    #expect(mixed.points.map(\.fix) == bare.points.map(\.fix) && bare.points.count == 3)
  }

  @Test("each source of a shared recording has its own compass and variation")
  func shared() {
    func source(_ name: String) -> String {
      #"{"class":"WAYMARK","source":"gpsd://\#(name)","device":"\#(name)"}"# + "\n"
    }
    let headings = decoded(
      source("van") + position(7) + source("boat") + attitude(#""heading":50"#) + source("van")
        + attitude(#""heading":60"#))
    #expect(headings.map(\.geographic) == [50, 60] && headings.map(\.magnetic) == [nil, 56.5])
  }

  // MARK: NMEA 0183

  @Test(
    "HDG, HDM, HDT and THS, with the time of their epoch and its variation",
    arguments: [
      ("HCHDG,100.5,,,3.5,E", 100.5, 104), ("HCHDG,100.5,1.0,W,3.0,E", 99.5, 102.5),
      ("HCHDG,359.5,1.5,E,2.0,W", 1, 359), ("HCHDG,100.5", 100.5, 104),
      ("HCHDM,100.5,M", 100.5, 104),
      ("HEHDT,104.0,T", 100.5, 104), ("GNTHS,104.0,A", 100.5, 104),
    ])
  func sentences(text: String, magnetic: Double, geographic: Double) throws {
    let heading = try #require(decoded(rmc + sentence(text)).first)
    #expect(heading.magnetic == magnetic && heading.geographic == geographic)
    #expect(heading.time?.nanoseconds == 1_741_615_327_000_000_000 && heading.isReliable)
  }

  @Test("without a variation and a date the other north and the time are unknown")
  func bare() {
    #expect(decoded(sentence("HCHDM,12.5,M")) == [Heading(magnetic: 12.5)])
    #expect(decoded(sentence("HEHDT,12.5,T")) == [Heading(geographic: 12.5)])
    // A variation of HDG counts for later sentences.
    #expect(
      decoded(sentence("HCHDG,1,,,2.5,W") + sentence("HEHDT,12.5,T"))
        == [Heading(magnetic: 1, geographic: 358.5), Heading(magnetic: 15, geographic: 12.5)])
  }

  @Test("empty and invalid ones are no headings; an angle out of range is an error at its place")
  func unfit() {
    for text in ["HCHDG,,,,3.5,E", "HCHDM,,M", "HEHDT,,T", "GNTHS,104.0,V"] {
      #expect(decodeReceiver(sentence(text)).marks == ["0: otherRecord"], "\(text)")
    }
    let decoded = decodeReceiver(sentence("HEHDT,400.5,T"))
    #expect(
      decoded.issues.map(\.shown)
        == [
          #"record 1:8 HDT field 1 is "400.5", expected an angle from 0 to 360; the sentence is left out"#
        ])
    #expect(decodeReceiver(sentence("HCHDM,north,M")).issues.count == 1)
  }

  @Test("an invalid variation of RMC costs the variation, not the position")
  func invalidVariation() {
    let rmc = sentence("GPRMC,140207.00,A,5230.0,N,01324.0,E,1.0,90.0,100325,x,Q,A")
    let decoded = decodeReceiver(rmc + sentence("HCHDM,12.5,M"))
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty)
    #expect(self.decoded(rmc + sentence("HCHDM,12.5,M")).map(\.geographic) == [nil])
  }

  @Test("headings leave the epochs of the sentences as they are, over midnight too")
  func epochs() {
    func rmc(_ time: String, _ date: String) -> String {
      sentence("GPRMC,\(time),A,5230.0,N,01324.0,E,1.0,90.0,\(date),,,A")
    }
    func gga(_ time: String) -> String {
      sentence("GPGGA,\(time),5230.0,N,01324.0,E,1,08,0.9,34.5,M,43.7,M,,")
    }
    let parts = [
      gga("235958"), rmc("235959", "311225"), gga("235959"), gga("000000"), gga("000001"),
      rmc("000002", "010126"),
    ]
    let bare = decodeReceiver(parts.joined())
    let mixed = decodeReceiver(parts.map { $0 + sentence("HEHDT,1.5,T") }.joined())
    #expect(mixed.points.map(\.fix) == bare.points.map(\.fix) && bare.points.count == 5)
  }

  @Test("where gpsd reports positions, sentences are only checked")
  func repeated() {
    #expect(decoded(position(7) + sentence("HEHDT,1.5,T")).isEmpty)
  }
}
