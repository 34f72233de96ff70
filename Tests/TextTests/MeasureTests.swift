import Testing
@testable import Text

@Suite struct MeasureTests {
  @Test(
    "a length has a unit, or is in metres",
    arguments: [
      ("100 m", 100), ("100m", 100), ("2 km", 2_000), ("0.5 mi", 804.672), ("300 ft", 91.44),
      ("75", 75), (" 2.5 KM ", 2_500), ("0", 0), ("", nil), ("m", nil), ("-5 m", nil),
      ("5 parsecs", nil), ("1,5 km", nil), ("5 m m", nil), ("5 m/s", nil), ("1e3", nil),
      ("nan", nil),
      (".5 km", nil),
      ("5. m", nil), ("1 km 5 m", nil), (String(repeating: "9", count: 400), nil),
    ] as [(String, Double?)])
  func length(text: String, metres: Double?) throws {
    let found = Measure.length(text)
    #expect((found == nil) == (metres == nil))
    if let found, let metres { #expect(abs(found - metres) < 1e-9) }
  }

  @Test(
    "a speed has a unit, or is in metres a second",
    arguments: [
      ("36 km/h", 10), ("1.4 m/s", 1.4), ("100mph", 44.704), ("18 kn", 9.26), ("3", 3), ("", nil),
      ("5 km", nil), ("5 m / s", nil), ("-5 m/s", nil), ("5 m/s 5", nil), ("km/h", nil),
    ] as [(String, Double?)])
  func speed(text: String, metresASecond: Double?) throws {
    let found = Measure.speed(text)
    #expect((found == nil) == (metresASecond == nil))
    if let found, let metresASecond { #expect(abs(found - metresASecond) < 1e-9) }
  }

  @Test(
    "a duration has units, larger ones first, or is in seconds",
    arguments: [
      ("5 min", 300), ("30 s", 30), ("2 h", 7_200), ("1 d", 86_400), ("90", 90),
      ("1 h 30 min", 5_400), ("1h30min", 5_400), ("1.5 h", 5_400), ("1 d 2 h 3 min 4 s", 93_784),
      ("0.25", 0.25), ("30 min 1 h", nil), ("1 h 1 h", nil), ("1 h 30", nil), ("5 m", nil),
      ("", nil), ("h", nil), ("-5 s", nil), ("5 minutes", nil), ("1 h and 5 min", nil),
    ] as [(String, Double?)])
  func duration(text: String, seconds: Double?) {
    #expect(Measure.duration(text) == seconds)
  }
}
