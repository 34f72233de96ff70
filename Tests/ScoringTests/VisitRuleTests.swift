import Testing

@testable import Scoring

private let here = SphericalPosition(latitude: 50, longitude: 10)
private let device = ScoredDevice(
  name: "a", split: "test", regime: "s10", profile: "walker", interval: 10, days: 1, start: 0,
  end: 86_400, firstFix: 0)

private func stay(_ start: Double, _ end: Double, required: Bool = true) -> Truth.Visit {
  Truth.Visit(
    arrival: start, departure: end, position: here, isRequired: required, isClippedAtStart: false,
    isClippedAtEnd: false)
}

private func visit(_ start: Double?, _ end: Double?, at position: SphericalPosition = here)
  -> EventList.Visit
{
  EventList.Visit(
    arrival: start, departure: end, position: position, firstDecided: nil, decided: nil,
    confidence: nil)
}

private func match(_ stays: [Truth.Visit], _ visits: [EventList.Visit]) -> VisitMatch {
  VisitMatch(stays: stays, visits: visits, device)
}

@Suite("Matching visits")
struct VisitRuleTests {
  @Test(
    "times must overlap by half of their union",
    arguments: [(0.0, 1000.0, true), (0, 500, true), (0, 499, false), (500, 1500, false)])
  func overlap(start: Double, end: Double, isHit: Bool) {
    #expect(match([stay(0, 1000)], [visit(start, end)]).hits.count == (isHit ? 1 : 0))
  }

  @Test("centres must be within 50 m")
  func centres() {
    // 0.00044° of latitude are 49 m, 0.00046° are 51 m.
    let near = SphericalPosition(latitude: 50.00044, longitude: 10)
    let far = SphericalPosition(latitude: 50.00046, longitude: 10)
    #expect(match([stay(0, 1000)], [visit(0, 1000, at: near)]).hits.count == 1)
    #expect(match([stay(0, 1000)], [visit(0, 1000, at: far)]).hits.isEmpty)
  }

  @Test("one stay matches the visit that overlaps most")
  func oneToOne() {
    let result = match([stay(0, 1000)], [visit(0, 700), visit(0, 900)])
    #expect(result.hits[0]?.visit == 1)
    #expect(result.unmatched.count == 1)
  }

  @Test("a visit is optional when more than half of it is optional time")
  func optional() throws {
    // 201 and 200 of 400 s, each far less than half of the stay.
    let stays = [stay(1000, 3000, required: false)]
    let most = try #require(match(stays, [visit(801, 1201)]).unmatched.first)
    let half = try #require(match(stays, [visit(800, 1200)]).unmatched.first)
    #expect(match(stays, []).isOptional(most))
    #expect(!match(stays, []).isOptional(half))
  }

  @Test("a visit over two stays is a merge, two visits in one stay are fragments")
  func mergesAndFragments() throws {
    let merged = match([stay(0, 1000), stay(3000, 4000)], [visit(0, 4000)])
    #expect(merged.isMerge(try #require(merged.unmatched.first)))
    let broken = match([stay(0, 1000)], [visit(0, 600), visit(700, 1000)])
    #expect(broken.fragments(of: broken.stays[0]) == 1)
  }

  @Test("an unobserved arrival or departure is the start or the end of the data")
  func openEnds() {
    #expect(match([stay(0, 86_400)], [visit(nil, nil)]).hits.count == 1)
    #expect(match([stay(0, 10)], [visit(10, 10)]).reported.isEmpty)
  }
}
