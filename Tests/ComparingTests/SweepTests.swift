import Settings
import Testing

@testable import Comparing

@Suite("Sweeps")
struct SweepTests {
  @Test(
    "name the values of a range or a list",
    arguments: [
      ("fences.home.radius=50..80/10", "fences.home.radius", ["50", "60", "70", "80"]),
      ("visits.radius=50 m..70 m/10 m", "visits.radius", ["50 m", "60 m", "70 m"]),
      (
        "visits.minimum-stay=2..5/1.5min", "visits.minimum-stay", ["2.0 min", "3.5 min", "5.0 min"]
      ),
      ("visits.radius=0.1..0.3/0.1", "visits.radius", ["0.1", "0.2", "0.3"]),
      ("visits.radius=50..79/10", "visits.radius", ["50", "60", "70"]),
      ("visits.radius=50..50/10", "visits.radius", ["50"]),
      ("fences.a=b.decision=eager, strict", "fences.a=b.decision", ["eager", "strict"]),
      ("visits.radius=40m", "visits.radius", ["40m"]),
    ])
  func values(text: String, key: String, values: [String]) throws {
    let sweep = try Sweep(text)
    #expect(sweep.key == key)
    #expect(sweep.values == values)
    #expect(sweep.changes.map(\.value) == values)
  }

  private static let form = "KEY=FROM..UNTIL/STEP such as fences.home.radius=50..200/10"

  @Test(
    "that cannot be are refused with what to do",
    arguments: [
      ("visits.radius", "'visits.radius' is no sweep: expected \(form)"),
      ("=1..2/1", "'=1..2/1' is no sweep: expected \(form)"),
      ("a.b=1..2", "'1..2' is no range: expected \(form)"),
      ("a.b=1..2/1/1", "'1..2/1/1' is no range: expected \(form)"),
      ("a.b=1..2..3/1", "'1..2..3/1' is no range: expected \(form)"),
      ("a.b=x..2/1", "'x..2/1' is no range: expected \(form)"),
      ("a.b=-1..2/1", "'-1..2/1' is no range: expected \(form)"),
      ("a.b=1..2/0", "'1..2/0' has a step of 0, expected one above 0"),
      ("a.b=3..2/1", "'3..2/1' goes down: expected the smaller value first, 2..3"),
      ("a.b=1m..2km/1m", "'1m..2km/1m' has the units km and m, expected one for all three numbers"),
      ("a.b=1..9999/1", "'1..9999/1' has more than 1000 values, expected a larger step"),
      ("a.b=1..1e300/1", "'1..1e300/1' is no range: expected \(form)"),
      ("a.b=", "'' has an empty value: expected \(form)"),
      ("a.b=eager,", "'eager,' has an empty value: expected \(form)"),
    ])
  func mistakes(text: String, message: String) {
    let mistake = #expect(throws: Sweep.Mistake.self) { try Sweep(text) }
    #expect(mistake?.description == message)
  }
}
