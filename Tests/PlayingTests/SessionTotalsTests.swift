import EventLog
import TestSupport
@testable import Session
import Testing
import Tracking

@Suite("The summary of a run")
struct SessionTotalsTests {
  static let rows = "time,latitude,longitude\n"

  /// What a trace holds and all that is said of it.
  static let summaries: [(String, [String])] = [
    (
      rows,
      ["1 file, 0 devices, 0 fixes, 0 used", "0 events"]
    ),
    (
      rows + "2025-03-10T08:00:00Z,0,1\n",
      [
        "1 file, 1 device, 1 fix, 1 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:00:00.0Z",
        "1 event: 1 state",
      ]
    ),
    (
      rows + ",0,1\n,0,2\n",
      [
        "1 file, 1 device, 2 fixes, 0 used", "0 events",
        "dropped 2 fixes: no time (first at a.csv:2)",
        "no fix has a time, so nothing could happen: is this a planned route?",
      ]
    ),
    (
      // Twice the same, another place at that time, one far too late, one late, one not on Earth.
      rows + """
        2025-03-10T08:00:00Z,0,1
        2025-03-10T08:01:00Z,0,1
        2025-03-10T08:01:00Z,0,1
        2025-03-10T08:01:00Z,0,2
        2025-03-10T07:59:30Z,0,1
        2025-03-10T08:00:30Z,0,1
        2025-03-10T08:02:00Z,91,1
        2025-03-10T08:03:00Z,0,1

        """,
      [
        "1 file, 1 device, 8 fixes, 4 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:03:00.0Z",
        "1 event: 1 state",
        "dropped 1 fix: coordinates that are not on Earth (first at a.csv:8)",
        "dropped 1 fix: same time and place as the fix before (first at a.csv:4)",
        "dropped 1 fix: same time as the fix before (first at a.csv:5)",
        "dropped 1 fix: earlier than a fix already used (first at a.csv:6)",
        "1 late fix put in order",
      ]
    ),
    (
      // The first fix is ahead of the others.
      rows + "2025-03-10T08:00:30Z,0,1\n2025-03-10T08:00:00Z,0,1\n",
      [
        "1 file, 1 device, 2 fixes, 2 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:00:30.0Z",
        "1 event: 1 state", "1 late fix put in order",
      ]
    ),
    (
      // A leap at the end that nothing confirms.
      rows + "2025-03-10T08:00:00Z,0,1\n2025-03-10T08:01:00Z,50,1\n",
      [
        "1 file, 1 device, 2 fixes, 1 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:00:00.0Z",
        "1 event: 1 state", "1 fix unused: a jump that no later fix confirmed",
      ]
    ),
    (
      // A leap that the next fix confirms, and an outlier that it does not.
      rows + """
        2025-03-10T08:00:00Z,0,1
        2025-03-10T08:01:00Z,50,1
        2025-03-10T08:02:00Z,50,1
        2025-03-10T08:03:00Z,0,1
        2025-03-10T08:04:00Z,50,1

        """,
      [
        "1 file, 1 device, 5 fixes, 4 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:04:00.0Z",
        "1 event: 1 state",
        "dropped 1 fix: a position jump that the next fix did not confirm",
        "1 position jump confirmed by the next fix",
      ]
    ),
    (
      "time,latitude,longitude,accuracy,speed,course\n2025-03-10T08:00:00Z,0,1,,,400\n",
      [
        "1 file, 1 device, 1 fix, 1 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:00:00.0Z",
        "1 event: 1 state", "1 fix used without a field that cannot be true",
      ]
    ),
    (
      rows + "2025-03-10T08:00:00Z,525000000,133000000\n",
      [
        "1 file, 1 device, 1 fix, 0 used", "0 events",
        "dropped 1 fix: coordinates that are not on Earth (first at a.csv:2)",
        "1 problem in the input; all that could be read was played",
      ]
    ),
    (
      // Two devices without a column that says so.
      rows + """
        2025-03-10T08:00:00Z,0,1
        2025-03-10T08:00:00Z,0,2
        2025-03-10T08:01:00Z,0,1
        2025-03-10T08:01:00Z,0,2

        """,
      [
        "1 file, 1 device, 4 fixes, 2 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:01:00.0Z",
        "1 event: 1 state",
        "dropped 2 fixes: same time as the fix before (first at a.csv:3)",
        "a.csv: many fixes have the time of the fix before and another place; are they of several "
          + "devices? --columns device=COLUMN names the column that says which",
      ]
    ),
    (
      rows + "2025-03-10T08:00:00Z,zero,1\n",
      [
        "1 file, 0 devices, 0 fixes, 0 used", "0 events",
        "1 problem in the input; all that could be read was played",
      ]
    ),
    (
      """
      <gpx><wpt lat="1" lon="1"/><rte><rtept lat="1" lon="1"/><rtept lat="1" lon="2"/></rte></gpx>
      """,
      [
        "1 file, 0 devices, 0 fixes, 0 used", "0 events", "2 route points not played",
        "1 waypoint not played",
      ]
    ),
    (
      "{\"type\":\"enter\",\"device\":\"a\"}\n",
      [
        "1 file, 0 devices, 0 fixes, 0 used", "0 events", "1 record of other kinds skipped",
      ]
    ),
  ]

  @Test("says what was played, what was dropped and why", arguments: summaries)
  func summary(text: String, expected: [String]) throws {
    let fixture = try PlayingFixture()
    try fixture.write("a.csv", text)
    let totals = try fixture.play(["a.csv"], fences: [.center()]).totals
    #expect(
      totals.summary.map { $0.replacing("\(fixture.folder)/", with: "") } == expected)
  }

  @Test("counts the events of every kind, printed or not, in a fixed order")
  func kinds() throws {
    let fixture = try PlayingFixture()
    try fixture.write("a.csv", table([(0, -0.003), (60, 0), (1_000, 0), (1_060, 0.003)]))
    let log = try fixture.play(["a.csv"], fences: [.center(dwell: 60)], kinds: [.exit])
    #expect(log.lines.count == 1)
    #expect(log.totals.summary[1] == "4 events: 1 enter, 1 exit, 1 dwell, 1 state")
  }

  @Test("visits and significant changes are counted by their names in the log")
  func visits() {
    var totals = SessionTotals()
    totals.events = [.significantChange: 1, .visit: 2, .enter: 3]
    #expect(totals.summary[1] == "6 events: 3 enter, 2 visit, 1 significant-change")
  }

  @Test("a visit counts once, and not when it was taken back")
  func standingVisits() {
    var totals = SessionTotals()
    totals.events = [.visit: 5, .enter: 1]
    totals.replacedVisits = 3
    #expect(totals.summary[1] == "3 events: 1 enter, 2 visit")
    var other = totals
    other.add(totals)
    #expect(other.summary[1] == "6 events: 2 enter, 4 visit")
    // The second half of a run that resumed: the first line of the visit is not counted here.
    (totals.events, totals.replacedVisits) = ([.visit: 1], 2)
    #expect(totals.summary[1] == "0 events")
  }

  @Test("the span holds the first and the last time, in whatever order they came")
  func span() {
    var totals = SessionTotals()
    for seconds in [5, 3, 9, 4] as [Int64] { totals.extend(to: Timestamp(nanoseconds: seconds)) }
    #expect(totals.span == Timestamp(nanoseconds: 3)...Timestamp(nanoseconds: 9))
  }

  @Test("a table of several devices says a dwell with the next row of its device")
  func tableOfDevices() throws {
    // Rows of other devices are no sign of silence: a server writes what comes late behind them.
    let fixture = try PlayingFixture()
    let row = { (second: Int, device: String) in
      "\(1_741_593_600 + second),0,1e-5,\(device)\n"
    }
    try fixture.write(
      "fleet.csv",
      "time,latitude,longitude,device\n" + row(0, "a") + row(0, "b") + row(3_000, "b")
        + row(3_100, "a"))
    let log = try fixture.play(["fleet.csv"], fences: [.center(dwell: 600)], kinds: [.dwell])
    #expect(log.values("device") == ["b", "a"])
    #expect(
      log.values("decided") == ["2025-03-10T08:10:00.000Z", "2025-03-10T08:10:00.000Z"])
  }
}
