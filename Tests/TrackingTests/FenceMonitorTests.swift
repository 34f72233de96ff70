import TestSupport
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Fences, as strip charts")
struct FenceMonitorTests {
  @Test(
    "crossings and states",
    arguments: [
      // track, events
      ("ooiioo", "n-e-x-"),
      ("iiooii", "s-x-e-"),
      ("oopp", "n-(ex)-"),
      ("oipo", "nex(ex)"),
      ("cccc", "s---"),
      ("OooO", "n---"),
      // Passed between two fixes, there and back.
      ("o.p.o", "n-(ex)-(ex)"),
      // A lone position jump is dropped; a confirmed one is believed when the next fix confirms it.
      ("ccTcc", "s----"),
      ("ccTTT", "s--x-"),
      ("ooTTccc", "n----e-"),
    ])
  func crossings(track: String, expected: String) throws {
    #expect(try StripChart().draw(track) == expected)
  }

  @Test(
    "dwells of 30 s, with a patience of 60 s",
    arguments: [
      // Entered a third of a tick after the start: the dwell is full at 3.33 ticks and said by a fix.
      ("occccc", "ne--d-"),
      ("occoooo", "ne-x---"),
      // Said by the fix that leaves, when the dwell was full before.
      ("oc.....o", "ne-----(dx)"),
      // Said by a wake-up only when the patience has run out as well.
      ("oc!!!!!!!", "ne-----d-"),
      ("oc......!", "ne------d"),
      // Once a stay.
      ("occccccocccccc", "ne--d--xe--d--"),
      ("cccccc", "s--d--"),
    ])
  func dwells(track: String, expected: String) throws {
    let chart = StripChart(dwell: 30, patience: 60)
    #expect(try chart.draw(track) == expected)
  }

  @Test("what is said at first sight is the fence's choice")
  func firstSight() throws {
    #expect(try StripChart(initial: .none).draw("cco") == "--x")
    #expect(try StripChart(initial: .enter).draw("cco") == "e-x")
    #expect(try StripChart(initial: .enter).draw("oc") == "-e")
    #expect(try StripChart(initial: .state).draw("oc") == "ne")
  }

  @Test("only what is asked for is said")
  func notifications() throws {
    #expect(try StripChart(notifications: [.enter], dwell: 10).draw("occco") == "ne---")
    #expect(try StripChart(notifications: [.exit], dwell: 10).draw("occco") == "n---x")
    #expect(try StripChart(notifications: [.dwell], dwell: 10).draw("occco") == "n-d--")
  }

  @Test("a crossing stands where the way between two fixes meets the edge")
  func placedCrossing() throws {
    let events = try StripChart().events("oi")[1]
    let enter = try #require(events.first)
    #expect(abs(enter.time.seconds(since: StripChart.time(0.5))) < 1e-6)
    #expect(enter.decided == StripChart.time(1))
    #expect(abs(StripChart.center.distance(to: enter.coordinate) - 100) < 0.001)
    #expect(enter.crossing?.isInterpolated == true)
  }

  @Test("an exit tells how long the stay was, from crossing to crossing")
  func inside() throws {
    let exit = try #require(StripChart().events("occcco")[5].first)
    guard case .exit("depot", _, let inside) = exit.statement else {
      Issue.record("no exit: \(exit)")
      return
    }
    // In after a third of the first step of 10 s, out after two thirds of the last.
    #expect(abs(inside - (46.667 - 3.333)) < 0.01)
  }

  @Test("over a long gap a passage is not made up, but a change of side is said")
  func longGap() throws {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    tracker.ingest(StripChart.fix(-150, ticks: 0), into: &events)
    tracker.ingest(StripChart.fix(150, ticks: 181), into: &events)
    #expect(events.map(\.letter) == ["n"])
    tracker.ingest(StripChart.fix(50, ticks: 362), into: &events)
    #expect(events.map(\.letter) == ["n", "e"])
    #expect(abs(events[1].time.seconds(since: StripChart.time(271.5))) < 1e-6)
    #expect(events[1].crossing?.isInterpolated == true)
    // Nothing is known but that it was between the two fixes.
    #expect(abs((events[1].crossing?.timeUncertainty ?? 0) - 1_810 / 12.0.squareRoot()) < 0.01)
  }

  @Test("a silent device whose dwell was said leaves after it, not before")
  func exitAfterDwell() throws {
    var tracker = Tracker(rules: try StripChart(dwell: 600).rules())
    var events: [Event] = []
    tracker.ingest(StripChart.fix(0, ticks: 0), into: &events)
    tracker.ingest(StripChart.fix(300, ticks: 90), into: &events)
    #expect(events.map(\.letter) == ["s", "d", "x"])
    #expect(events[1].time == StripChart.time(60))
    #expect(events[1].decided == StripChart.time(60))
    #expect(
      events[2].time == StripChart.time(60), "the way out alone would be at a third of the gap")
  }

  @Test("confidence and uncertainty follow the accuracy of the fixes")
  func confidence() throws {
    var previous = 1.0
    for accuracy in [3.0, 30, 90, 300] {
      var tracker = Tracker(rules: try StripChart().rules())
      var events: [Event] = []
      tracker.ingest(StripChart.fix(-150, ticks: 0, accuracy: accuracy), into: &events)
      tracker.ingest(StripChart.fix(-50, ticks: 1, accuracy: accuracy), into: &events)
      let crossing = try #require(events.last?.crossing)
      let confidence = try #require(crossing.confidence)
      #expect(confidence < previous || (accuracy == 3 && confidence > 0.999))
      #expect(confidence > 0.25)
      previous = confidence
      // 50 m to the edge on both sides at 10 m/s: σ = accuracy / 1.51 / 10 m/s, with a little for
      // uneven motion, and never more than 10 s / √12.
      let expected = min(
        (pow2(accuracy / 1.5096 / 10) + pow2(12.5 / 10)).squareRoot(), 10 / 12.0.squareRoot())
      #expect(abs((crossing.timeUncertainty ?? 0) - expected) < 0.01)
    }
  }

  @Test("speed, course and accuracy of a crossing lie between those of the fixes")
  func betweenFixes() throws {
    var before = StripChart.fix(-150, ticks: 0, accuracy: 4)
    var after = StripChart.fix(-50, ticks: 1, accuracy: 8)
    (before.speed, before.course) = (8, 350)
    (after.speed, after.course) = (12, 20)
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    tracker.ingest(before, into: &events)
    tracker.ingest(after, into: &events)
    let enter = try #require(events.last)
    #expect(abs((enter.horizontalAccuracy ?? 0) - 6) < 0.001)
    #expect(abs((enter.speed ?? 0) - 10) < 0.001)
    #expect(abs((enter.course ?? 0) - 5) < 0.001)
  }

  @Test("changed rules keep what is known of fences that stay")
  func changedRules() throws {
    var rules = try StripChart().rules()
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    tracker.ingest(StripChart.fix(0, ticks: 0), into: &events)
    let kept = rules.fences[0]
    let new = Fence(id: "new", area: .circle(Circle(center: StripChart.center, radius: 500)))
    rules.fences = try FenceSet([new, kept])
    tracker.rules = rules
    tracker.ingest(StripChart.fix(1, ticks: 1), into: &events)
    #expect(events.map(\.letter) == ["s", "s"], "only the new fence is greeted")
    tracker.ingest(StripChart.fix(150, ticks: 3), into: &events)
    #expect(events.map(\.letter) == ["s", "s", "x"])
    guard case .exit("depot", _, _) = events[2].statement else {
      Issue.record("\(events[2])")
      return
    }
  }

  @Test(
    "a fence whose decision is changed keeps its side, and goes on by the new rule",
    arguments: Decision.allCases, Decision.allCases)
  func changedDecision(before: Decision, after: Decision) throws {
    let ground = Ground()
    func rules(_ decision: Decision) throws -> Rules {
      Rules(fences: try FenceSet([ground.circle("a", radius: 200, decision: decision)]))
    }
    var tracker = Tracker(rules: try rules(before))
    var events: [Event] = []
    func drive(_ from: Double, _ to: Double, _ way: (Double) -> Double) {
      for time in stride(from: from, to: to, by: 5) {
        tracker.ingest(ground.fix(time, way(time)), into: &events)
      }
    }
    drive(0, 100) { $0 / 50 }
    tracker.rules = try rules(after)
    drive(100, 200) { $0 / 50 }
    #expect(events.map(\.letter) == ["s"])
    drive(200, 500) { 5 * ($0 - 200) }
    #expect(events.map(\.letter) == ["s", "x"], "\(before) then \(after)")
    tracker.rules = try rules(before)
    drive(500, 1_000) { 1_500 - 3 * ($0 - 500) }
    #expect(events.map(\.letter) == ["s", "x", "e"], "\(before) then \(after)")
  }

  @Test("a fence whose side is not clear yet waits on as the set changes around it")
  func undecided() throws {
    let ground = Ground()
    let rules = Rules(fences: try FenceSet([ground.circle("b", radius: 100)]))
    var wider = rules
    wider.fences = try FenceSet([ground.circle("a", radius: 9), ground.circle("b", radius: 100)])
    var (tracker, changed) = (Tracker(rules: rules), Tracker(rules: rules))
    var (events, others) = ([Event](), [Event]())
    for number in 0..<20 {
      // On the edge; after two minutes the likelier side is reported.
      let fix = ground.fix(Double(number) * 10, 100, accuracy: 20)
      tracker.ingest(fix, into: &events)
      changed.ingest(fix, into: &others)
      if number == 6 { changed.rules = wider }
    }
    #expect(events.contains { $0.decided > Ground.time(60) })
    #expect(others.filter { $0.fence == "b" } == events)
  }

  @Test("rules that change in the middle of a crossing do not lose it")
  func changedMeanwhile() throws {
    let ground = Ground()
    let rules = Rules(fences: try FenceSet([ground.circle("a", radius: 100)]))
    var (plain, again) = (Tracker(rules: rules), Tracker(rules: rules))
    var (events, eventsAgain): ([Event], [Event]) = ([], [])
    for time in stride(from: 0.0, to: 600, by: 5) {
      let fix = ground.fix(time, -300 + time)
      plain.ingest(fix, into: &events)
      again.ingest(fix, into: &eventsAgain)
      var other = rules
      other.fences = try FenceSet([ground.circle("b", radius: 50), ground.circle("a", radius: 100)])
      again.rules = time.truncatingRemainder(dividingBy: 10) == 0 ? other : rules
    }
    #expect(events.map(\.letter) == ["n", "e", "x"])
    #expect(eventsAgain.filter { $0.fence == "a" } == events)
  }

  @Test("two fences with one id are refused")
  func duplicateIDs() {
    let fence = Fence(id: "a", area: .circle(Circle(center: StripChart.center, radius: 1)))
    #expect(throws: FenceSetError.duplicateID("a")) { try FenceSet([fence, fence]) }
  }
}

private func pow2(_ x: Double) -> Double { x * x }
