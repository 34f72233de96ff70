import EventLog
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking
@testable import Traces

@Suite("What stands of a log, for people")
struct StandingVisitsTests {
  private static let start = Timestamp(nanoseconds: 1_741_615_200_000_000_000)

  /// The line of a visit: its arrival, its departure and its decision, in seconds.
  private func visit(
    _ arrival: Double, to departure: Double? = nil, decided: Double, device: String = "van",
    isRetracted: Bool = false
  ) -> LogEntry {
    var visit = Visit(
      arrival: Self.start.advanced(bySeconds: arrival), isArrivalSeen: true,
      departure: departure.map { Self.start.advanced(bySeconds: $0) }, confidence: 0.9)
    (visit.revision, visit.isRetracted) = (departure == nil ? 0 : 1, isRetracted)
    return entry(.visit(visit), at: departure ?? arrival, decided: decided, device)
  }

  private func other(_ decided: Double, device: String = "van") -> LogEntry {
    entry(.significantChange, at: decided, decided: decided, device)
  }

  private func entry(
    _ statement: Event.Statement, at second: Double, decided: Double, _ device: String
  ) -> LogEntry {
    let event = Event(
      statement: statement, time: Self.start.advanced(bySeconds: second),
      decided: Self.start.advanced(bySeconds: decided),
      coordinate: Coordinate(latitude: 0, longitude: 0), horizontalAccuracy: nil, speed: nil,
      course: nil)
    return LogEntry(device: device, .event(event))
  }

  private func standing(_ log: [LogEntry]) -> [LogEntry] {
    var visits = StandingVisits()
    var entries: [LogEntry] = []
    for entry in log { visits.take(entry, into: &entries) }
    return entries + visits.takeRest()
  }

  @Test("a finished visit is there once, in the place of its second line")
  func finished() {
    let last = visit(0, to: 600, decided: 700)
    #expect(
      standing([visit(0, decided: 200), other(300), last, other(800)])
        == [other(300), last, other(800)])
    #expect(standing([last]) == [last])
  }

  @Test("a visit that was taken back is not there")
  func retracted() {
    let back = visit(0, to: 250, decided: 300, isRetracted: true)
    #expect(standing([visit(0, decided: 200), other(210), back]) == [other(210)])
    #expect(standing([back]) == [])
  }

  @Test("visits that last come at the end, in their order")
  func lasting() {
    let (late, early) = (visit(0, decided: 400, device: "a"), visit(9, decided: 200, device: "b"))
    let (same, first) = (visit(8, decided: 200, device: "c"), visit(8, decided: 200, device: "aa"))
    #expect(
      standing([early, same, first, late, other(500)]) == [other(500), first, same, early, late])
    #expect(standing([]) == [])
  }

  @Test("devices do not replace each other's visits")
  func devices() {
    let (a, b) = (visit(0, to: 600, decided: 700, device: "a"), visit(0, decided: 200, device: "b"))
    #expect(standing([visit(0, decided: 200, device: "a"), b, a]) == [a, b])
  }

  @Test("nor do devices whose names differ only in their form in Unicode")
  func forms() {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    let (a, b) = (visit(0, to: 600, decided: 700, device: one), visit(0, decided: 200, device: two))
    #expect(standing([visit(0, decided: 200, device: one), b, a]) == [a, b])
  }

  @Test("a visit seen as silence does not replace the one that lasts")
  func silent() {
    let (first, silent) = (visit(0, decided: 200), visit(20, to: 500, decided: 900))
    let last = visit(0, to: 1_000, decided: 1_100)
    #expect(standing([first, silent, last]) == [silent, last])
  }

  @Test("a visit that the engine forgot stands where the next one begins")
  func forgotten() {
    let (lost, next) = (visit(0, decided: 200), visit(90, decided: 300))
    #expect(standing([lost, other(250), next]) == [other(250), lost, next])
  }
}
