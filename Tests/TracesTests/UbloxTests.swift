import Geodesy
@testable import Receivers
import TestSupport
import Testing
@testable import Traces
import Tracking

private let position =
  "PUBX,00,103607.00,5327.03942,N,00214.42462,W,104.461,G3,2.9,3.1,36.085,39.63,-0.007,,"
  + "5.88,7.62,8.09,6,0,0"
private let date = "PUBX,04,103607.00,060321,556567.00,2147,18,0,0,21"

@Suite("Sentences of u-blox")
struct UbloxTests {
  @Test("PUBX,00 is a position with its accuracies, and PUBX,04 has its date, before or behind it")
  func position04() throws {
    for text in [sentence(date) + sentence(position), sentence(position) + sentence(date)] {
      let decoded = decodeReceiver(text)
      try #require(decoded.points.count == 1 && decoded.issues.isEmpty)
      let fix = decoded.points[0].fix
      #expect(fix.time?.nanoseconds == 1_615_026_967_000_000_000)
      #expect(isNear(fix.coordinate.latitude, 53.450657, within: 1e-9))
      #expect(isNear(fix.coordinate.longitude, -2.240410333, within: 1e-9))
      #expect(fix.mode == .threeD && fix.satellites == 6)
      #expect(isNear(fix.ellipsoidalAltitude, 104.461, within: 1e-5) && fix.altitude == nil)
      #expect(isNear(fix.speed, 36.085 / 3.6, within: 1e-12) && fix.course == 39.63)
      #expect(isNear(fix.hdop, 5.88, within: 1e-6) && isNear(fix.vdop, 7.62, within: 1e-6))
      // As GST's errors of 2.9 / √2 to the north and to the east.
      #expect(isNear(fix.horizontalAccuracy, 2.9 / 2.0.squareRoot() * 1.509592, within: 1e-3))
      #expect(isNear(fix.verticalAccuracy, 3.1, within: 1e-9))
    }
  }

  @Test("the date may be that of RMC or ZDA as well, and all sentences of a time are one fix")
  func otherDates() {
    let zda = sentence("GNZDA,103607.00,06,03,2021,00,00")
    let rmc = sentence("GNRMC,103607.00,A,5327.03942,N,00214.42462,W,0.046,39.63,060321,,,A")
    for text in [zda + sentence(position), rmc + sentence(position), sentence(position) + rmc] {
      let decoded = decodeReceiver(text)
      #expect(decoded.points.map(\.fix.time?.nanoseconds) == [1_615_026_967_000_000_000])
      #expect(decoded.points.first?.fix.horizontalAccuracy != nil)
    }
  }

  @Test("without any date one line says what is missing")
  func undated() {
    let decoded = decodeReceiver(sentence(position) + sentence(position))
    #expect(decoded.points.map(\.fix.time) == [nil])
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 from here on no sentence has a date, expected RMC, ZDA or PUBX,04; fixes "
          + "without a date are not used"
      ])
  }

  @Test(
    "the kinds of a fix",
    arguments: [
      ("NF", Fix.Mode.none), ("TT", .none), ("", .none), ("DR", .twoD), ("G2", .twoD),
      ("G3", .threeD), ("D2", .differential), ("D3", .differential), ("RK", .threeD),
    ])
  func kinds(name: String, mode: Fix.Mode) {
    let text = position.replacing(",G3,", with: ",\(name),")
    let decoded = decodeReceiver(sentence(date) + sentence(text))
    #expect(decoded.points.map(\.fix.mode) == [mode] && decoded.issues.isEmpty)
  }

  @Test("a receiver without a position, other sentences, and fields that are not valid")
  func others() {
    let none = sentence(
      "PUBX,00,000000.00,,,,,0.000,NF,5303316,3750010,0.000,0.00,0.000,,99.99,99.99,99.99,0,0,0")
    #expect(decodeReceiver(none).points.map(\.fix.mode) == [.none])
    let other = decodeReceiver(sentence("PUBX,03,00") + sentence("PUBX"))
    #expect(other.points.isEmpty && other.marks.count { $0.contains("otherRecord") } == 2)
    let wrong = decodeReceiver(sentence(position.replacing(",G3,", with: ",G9,")))
    #expect(
      wrong.issues.map(\.shown) == [
        "record 1:55 PUBX,00 field 8 is \"G9\", expected one of NF, DR, G2, G3, D2, D3, RK, TT; "
          + "the sentence is left out"
      ])
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    _ = decoder.decode(Array(sentence(position).utf8).span, isFinal: true, into: &batch)
    #expect(decoder.producer == "talker PUBX")
  }
}
