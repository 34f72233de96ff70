import Foundation
import Testing
import WaymarkFoundation
import WaymarkKit

@Suite("Instants and spans")
struct TimeTests {
  private let noon = Timestamp(nanoseconds: 1_777_723_200_000_000_000)

  @Test("spans are durations, to the nanosecond")
  func durations() {
    #expect(noon + .nanoseconds(1) == Timestamp(nanoseconds: noon.nanoseconds + 1))
    #expect(noon - .seconds(90) + .seconds(90) == noon)
    #expect((noon + .seconds(90)) - noon == .seconds(90))
    #expect(noon.duration(to: noon - .milliseconds(5)) == .milliseconds(-5))
    #expect(noon.advanced(by: .seconds(1)) == noon.advanced(bySeconds: 1))
  }

  @Test("the ends of the range hold")
  func ends() {
    let (first, last) = (Timestamp.distantPast, Timestamp(nanoseconds: .max))
    #expect(last + .seconds(1) == last && first - .seconds(1) == first)
    #expect(noon + .seconds(Int64.max) == last && noon - .seconds(Int64.max) == first)
    #expect(first + .seconds(9_223_372_036) < Timestamp(nanoseconds: 0))
    #expect(first + (last - first) == last && last - (last - first) == first)
    #expect(first.duration(to: Timestamp(nanoseconds: 0)) == .zero - .nanoseconds(Int64.min))
  }

  @Test("texts are read and written")
  func texts() {
    #expect(Timestamp("2026-05-02T12:00:00Z") == noon)
    #expect(Timestamp("2026-05-02T14:00:00.000+02:00") == noon)
    #expect(Timestamp("1777723200") == noon)
    #expect(Timestamp("noon") == nil && Timestamp("") == nil)
    #expect("\(noon)" == "2026-05-02T12:00:00.000Z")
    let exact = noon + .nanoseconds(7)
    #expect(Timestamp("\(exact)") == exact)
  }

  @Test("dates of Foundation are the same instants")
  func dates() {
    #expect(Timestamp(Date(timeIntervalSince1970: 1_777_723_200)) == noon)
    #expect(Date(noon).timeIntervalSince1970 == 1_777_723_200)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .nan)) == nil)
    #expect(Timestamp(Date.distantFuture) == Timestamp(nanoseconds: .max))
    let position = Coordinate(latitude: 1, longitude: 2)
    #expect(Fix(date: Date(noon), coordinate: position) == Fix(time: noon, coordinate: position))
    #expect(
      Fix(date: Date(timeIntervalSinceReferenceDate: .nan), coordinate: position).time == nil)
  }

  @Test("fences and rules take durations")
  func rules() {
    var fence = Fence(
      id: "home", center: Coordinate(latitude: 1, longitude: 2), radius: 50, dwell: .seconds(300))
    #expect(fence.dwell == 300_000_000_000 && fence.notifications == [.enter, .exit, .dwell])
    fence.dwellTime = nil
    #expect(fence.dwell == nil && fence.dwellTime == nil)
    #expect(VisitRules(minimumStay: .milliseconds(1_500)).minimumStay == 1.5)
    #expect(VisitRules(minimumStay: .seconds(300)) == VisitRules())
    #expect(
      SignificantChangeRules(distance: 500, interval: .seconds(300)) == SignificantChangeRules())
  }

  @Test("the spans of rules are durations, and the same in seconds")
  func ruleSpans() {
    var rules = Rules()
    (rules.dwellPatienceTime, rules.passageGapTime) = (.seconds(90), .milliseconds(1_500))
    rules.memoryTime = .seconds(86_400)
    #expect(rules.dwellPatience == 90 && rules.passageGap == 1.5 && rules.memory == 86_400)
    #expect(rules.dwellPatienceTime == .seconds(90) && rules.memoryTime == .seconds(86_400))
    #expect(rules.passageGapTime == .milliseconds(1_500))
    (rules.gate.clockJumpTime, rules.gate.latenessTime) = (.seconds(3_600), .seconds(5))
    rules.gate.silenceTime = .seconds(1_000_000)
    #expect(rules.gate.clockJump == 3_600 && rules.gate.lateness == 5)
    #expect(rules.gate.clockJumpTime == .seconds(3_600) && rules.gate.latenessTime == .seconds(5))
    #expect(rules.gate.silence == 1e6 && rules.gate.silenceTime == .seconds(1_000_000))
    #expect(VisitRules(minimumStay: .seconds(60)).minimumStayTime == .seconds(60))
    #expect(SignificantChangeRules(distance: 10, interval: .seconds(7)).intervalTime == .seconds(7))
    // What no duration holds is held at the ends, and does not trap.
    rules.memory = .infinity
    #expect(rules.memoryTime > .seconds(Int64.max / 2))
    rules.memory = -.infinity
    #expect(rules.memoryTime < .zero)
    rules.memory = .nan
    #expect(rules.memoryTime == .zero)
  }

  @Test("uncertainties of times are durations")
  func uncertainties() {
    let crossing = Crossing(timeUncertainty: 2.5, isInterpolated: true, confidence: nil)
    #expect(crossing.timeSigma == .milliseconds(2_500))
    #expect(Crossing(timeUncertainty: nil, isInterpolated: true, confidence: nil).timeSigma == nil)
    var visit = Visit(arrival: noon, isArrivalSeen: true, departure: nil, confidence: 1)
    #expect(visit.arrivalSigma == nil && visit.departureSigma == nil)
    (visit.arrivalUncertainty, visit.departureUncertainty) = (40, 50)
    #expect(visit.arrivalSigma == .seconds(40) && visit.departureSigma == .seconds(50))
  }
}
