import EventLog
import Geodesy
import Testing
import Tracking

@Suite("Visits in Google's timelines")
struct TimelineVisitTests {
  /// A night at home, a drive of half an hour, a day at work, and the evening at home.
  private static func timeline(stepsOfPath step: Int?) -> String {
    func clock(_ minute: Int) -> Int { 1_777_924_800 + 60 * minute }
    func stay(_ from: Int, _ until: Int, _ place: String) -> String {
      #"{"startTime":\#(clock(from)),"endTime":\#(clock(until)),"visit":{"topCandidate":"#
        + #"{"placeLocation":"geo:\#(place)"}}}"#
    }
    func drive(_ from: Int, _ isThere: Bool) -> String {
      let points = stride(from: 1, to: 30, by: step ?? 30).map { minute in
        let share = Double(isThere ? minute : 30 - minute) / 30
        return #"{"point":"geo:\#(52.5 + 0.06 * share),\#(13.4 + 0.12 * share)","time":"#
          + "\(clock(from + minute))}"
      }
      let ends = isThere ? ("52.5,13.4", "52.56,13.52") : ("52.56,13.52", "52.5,13.4")
      let trip =
        #"{"startTime":\#(clock(from)),"endTime":\#(clock(from + 30)),"activity":"#
        + #"{"start":"geo:\#(ends.0)","end":"geo:\#(ends.1)"}}"#
      guard step != nil else { return trip }
      return trip + #",{"timelinePath":[\#(points.joined(separator: ","))]}"#
    }
    return "["
      + [
        stay(0, 720, "52.5,13.4"), drive(720, true), stay(750, 1_230, "52.56,13.52"),
        drive(1_230, false), stay(1_260, 1_500, "52.5,13.4"),
      ].joined(separator: ",") + "]"
  }

  @Test("end when the timeline says, and so do exits", arguments: [1, 2, 10, nil])
  func departures(step: Int?) throws {
    let fixture = try PlayingFixture()
    try fixture.write("t.json", Self.timeline(stepsOfPath: step))
    let center = Coordinate(latitude: 52.5, longitude: 13.4)
    let home = Fence(id: "home", area: .circle(Circle(center: center, radius: 150)))
    let found = try fixture.play(
      ["t.json"], fences: [home], kinds: [.visit, .exit], visits: VisitRules())
    // The stays end at 08:00 and at 16:30.
    let departures = Set(found.values("departure")).sorted()
    #expect(departures.count == 2, "\(found.lines)")
    for (departure, starts) in zip(departures, [["07:59", "08:00"], ["16:29", "16:30"]]) {
      #expect(starts.contains { departure.contains("05T\($0)") }, "\(departure)")
    }
    let exits = found.lines.filter { $0.contains(#""type":"exit""#) }
    #expect(exits.count == 1 && exits[0].contains(#""time":"2026-05-05T08:0"#), "\(exits)")
  }
}
