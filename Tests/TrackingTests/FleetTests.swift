import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
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

  @Test("a device goes on where a copy of its engine was, under the fleet's rules")
  func resume() throws {
    let chart = StripChart(dwell: 30)
    let rules = try chart.rules()
    let track = Array("ooiioo")
    var (whole, said) = (Fleet(rules: rules), [Event]())
    for tick in 0..<track.count {
      guard let place = StripChart.places[track[tick]] else { continue }
      whole.ingest(
        StripChart.fix(place, ticks: Double(tick)), of: whole.index(of: "van"), into: &said)
    }
    for cut in 0...track.count {
      var (first, events) = (Fleet(rules: rules), [Event]())
      var index = first.index(of: "van")
      for tick in 0..<cut {
        guard let place = StripChart.places[track[tick]] else { continue }
        first.ingest(StripChart.fix(place, ticks: Double(tick)), of: index, into: &events)
      }
      var second = Fleet(rules: rules)
      index = second.resume("van", from: first[index])
      for tick in cut..<track.count {
        guard let place = StripChart.places[track[tick]] else { continue }
        second.ingest(StripChart.fix(place, ticks: Double(tick)), of: index, into: &events)
      }
      #expect(events == said, "cut at \(cut)")
      #expect(second[index] == whole[0] && second.devices == ["van"])
    }
  }

  @Test("rules that change hold for every device, known or new")
  func newRules() throws {
    var fleet = Fleet(rules: try StripChart(dwell: 30).rules())
    let known = fleet.index(of: "known")
    var rules = fleet.rules
    rules.memory = 5
    fleet.rules = rules
    let new = fleet.index(of: "new")
    #expect(fleet[known].rules == rules && fleet[new].rules == rules)
  }
}
