import Testing

@testable import Tracking

@Suite("Fleets")
struct FleetTests {
  @Test("each device of a fleet says what it says alone")
  func alone() throws {
    let chart = StripChart(dwell: 30)
    let tracks = ["ooiioo", "cccccc", "o.p.o."]
    var fleet = Fleet(rules: try chart.rules())
    var said: [String: [Event]] = [:]
    for tick in 0..<6 {
      for track in tracks {
        let device = fleet.index(of: track)
        var events: [Event] = []
        if let place = StripChart.places[Array(track)[tick]] {
          fleet.ingest(StripChart.fix(place, ticks: Double(tick)), of: device, into: &events)
        }
        said[track, default: []] += events
      }
    }
    #expect(fleet.devices == tracks)
    for track in tracks {
      #expect(try said[track] == chart.events(track).flatMap { $0 }, "\(track)")
    }
  }

  @Test("deadlines, counts and defects are told by device")
  func perDevice() throws {
    var fleet = Fleet(rules: try StripChart(dwell: 600).rules())
    var events: [Event] = []
    let (here, away) = (fleet.index(of: "here"), fleet.index(of: "away"))
    #expect(fleet.index(of: "here") == here)
    #expect(fleet.lastTime(of: here) == nil && fleet.nextDeadline(of: here) == nil)
    fleet.ingest(StripChart.fix(0, ticks: 0), of: here, into: &events)
    fleet.ingest(StripChart.fix(0, ticks: 0), of: here, into: &events)
    fleet.ingest(StripChart.fix(-10_000, ticks: 0), of: away, into: &events)
    #expect(fleet.lastDefect(of: here) == .duplicate && fleet.lastDefect(of: away) == nil)
    #expect(fleet.counts(of: here)[.duplicate] == 1 && fleet.counts(of: away).dropped == 0)
    #expect(fleet.nextDeadline(of: here) == StripChart.time(60))
    #expect(fleet.nextDeadline(of: away) == nil)
    fleet.advance(here, to: StripChart.time(60), into: &events)
    #expect(events.map(\.letter) == ["s", "n", "d"])
    #expect(fleet.lastTime(of: here) == StripChart.time(0))
    var sum = fleet.counts(of: here)
    sum += fleet.counts(of: away)
    #expect(sum.received == 3 && sum.accepted == 2 && sum[.duplicate] == 1)
  }
}
