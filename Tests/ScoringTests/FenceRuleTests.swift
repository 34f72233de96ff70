import Testing

@testable import Scoring

/// Times are seconds after some midnight.
private func crossing(
  _ kind: String = "enter", at time: Double, required: Bool = true, fixes: (Double, Double)? = nil
) -> Truth.Crossing {
  Truth.Crossing(
    kind: kind, first: time, last: time, isRequired: required, fixBefore: fixes?.0,
    fixAfter: fixes?.1, beginsInside: false)
}

private func event(_ kind: String = "enter", at time: Double) -> EventList.Crossing {
  EventList.Crossing(
    kind: kind, time: time, decided: nil, confidence: nil, timeUncertainty: nil)
}

private func match(
  _ truth: [Truth.Crossing], _ events: [EventList.Crossing], beginsInside: Bool = false
) -> FenceMatch {
  FenceMatch(truth: truth, events: events, beginsInside: beginsInside, firstFix: 0)
}

@Suite("Matching enters and exits")
struct FenceRuleTests {
  @Test(
    "an event counts from 120 s before to 300 s after its crossing",
    arguments: [(879.9, false), (880, true), (1000, true), (1300, true), (1300.1, false)])
  func window(time: Double, isHit: Bool) {
    let result = match([crossing(at: 1000)], [event(at: time)])
    #expect(result.hits.count == (isHit ? 1 : 0))
    #expect(result.falses.count == (isHit ? 0 : 1))
  }

  @Test("in a gap the fixes around it widen the window")
  func gap() {
    let truth = [crossing(at: 1000, fixes: (500, 2000))]
    #expect(match(truth, [event(at: 380)]).hits.count == 1)
    #expect(match(truth, [event(at: 2300)]).hits.count == 1)
    #expect(match(truth, [event(at: 379)]).hits.isEmpty)
  }

  @Test("an exit does not match an enter")
  func kinds() {
    #expect(match([crossing(at: 1000)], [event("exit", at: 1000)]).hits.isEmpty)
  }

  @Test("one crossing matches one event, the nearest")
  func nearest() {
    let result = match([crossing(at: 1000)], [event(at: 980), event(at: 1010), event(at: 1100)])
    #expect(result.hits.map(\.offset) == [10])
    #expect(result.falses.map(\.time) == [980, 1100])
  }

  @Test("one event matches one crossing")
  func oneToOne() {
    let result = match([crossing(at: 1000), crossing(at: 1100)], [event(at: 1060)])
    #expect(result.hits.map(\.crossing) == [1])
    #expect(result.required.count == 2)
  }

  @Test("an optional crossing explains one event within 120 s")
  func optional() {
    let truth = [crossing(at: 1000, required: false)]
    #expect(match(truth, [event(at: 1120)]).ignored == 1)
    #expect(match(truth, [event(at: 1121)]).falses.count == 1)
    let two = match(truth, [event(at: 990), event(at: 1010)])
    #expect(two.ignored == 1)
    #expect(two.falses.count == 1)
    #expect(match(truth, []).required.isEmpty)
  }

  @Test("an enter in the first ten minutes of a device that is inside is the initial state")
  func initial() {
    #expect(match([], [event(at: 600)], beginsInside: true).ignored == 1)
    #expect(match([], [event(at: 601)], beginsInside: true).falses.count == 1)
    #expect(match([], [event(at: 600)]).falses.count == 1)
    // Only the first event of the fence.
    let later = match([], [event("exit", at: 10), event(at: 20)], beginsInside: true)
    #expect(later.falses.count == 2)
  }
}
