import Gate
import Testing
import WaymarkKit

@Test func opensForTheVan() {
  let now = Timestamp(nanoseconds: 1_777_703_460_000_000_000)
  let crossing = Crossing(timeUncertainty: 0.4, isInterpolated: true, confidence: 0.99)
  let event = Event(
    statement: .enter(fence: "yard", crossing), time: now, decided: now + .seconds(2),
    coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777))
  var gate = Gate()
  gate.handle(EventRecord(device: "van", event: event))
  #expect(gate.opened == ["van"])
}

@Test func reportsTheYardOfARoute() throws {
  let yard = Fence(id: "yard", center: Coordinate(latitude: 48, longitude: 8), radius: 100)
  var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet([yard]))), [Event]())
  for second in 0..<120 {
    let way = Double(second - 60) * 10 / 111_200
    var fix = Fix(
      time: Timestamp(nanoseconds: 0) + .seconds(second),
      coordinate: Coordinate(latitude: 48 + way, longitude: 8))
    fix.horizontalAccuracy = 5
    tracker.ingest(fix, into: &events)
  }
  #expect(events.filter { $0.crossing != nil }.map(\.fence) == ["yard", "yard"])
}
