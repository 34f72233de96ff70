import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// What explanations are made of: how each fix was judged, and what each fence's rule saw.
@Suite("Judgements")
struct JudgementTests {
  static let seeds: [UInt64] = Array(1...10)

  @Test("judging the fixes of a walk changes the engine as ingesting them does", arguments: seeds)
  func judging(seed: UInt64) throws {
    let rules = try StateWalk.rules()
    var (judged, plain) = (Tracker(rules: rules), Tracker(rules: rules))
    var verdicts: Set<Judgement.Verdict> = []
    for (number, fix) in StateWalk(seed: seed, phases: 24).fixes.enumerated() {
      var events: [Event] = []
      plain.ingest(fix, into: &events)
      let judgements = judged.judge(fix)
      verdicts.formUnion(judgements.map(\.verdict))
      let found = judgements.flatMap { $0.silence + $0.events }
      let isSame = Set(found) == Set(events) && found.count == events.count && judged == plain
      #expect(isSame, "seed \(seed), fix \(number)")
    }
    let expected: Set<Judgement.Verdict> = [
      .accepted, .late, .confirmed, .waits(.teleport), .dropped(.duplicate),
    ]
    #expect(verdicts.isSuperset(of: expected), "seed \(seed): \(verdicts)")
  }

  @Test("a crossing follows from what the rule of its fence saw", arguments: seeds)
  func views(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var tracker = Tracker(rules: rules)
    var (crossings, passages) = (0, 0)
    for fix in fixes {
      for judgement in tracker.judge(fix) {
        for (index, fence) in judgement.rules.fences.enumerated() {
          guard let view = judgement.view(of: index) else {
            #expect(judgement.estimate == nil && judgement.modes == nil)
            continue
          }
          #expect((0...1).contains(view.inside) && (0...1).contains(view.evidence))
          #expect(view.side == judgement.side(of: index))
          #expect((view.side == .inside) == (judgement.insideSince(index) != nil))
          let statements = judgement.events.filter { $0.fence == fence.id }.map(\.statement)
          guard statements.contains(where: { $0.isCrossing }), view.side != .unknown else {
            continue
          }
          crossings += 1
          if view.passage != nil { passages += 1 }
          // Of a rule without evidence the way counts, which may end on the side where it began.
          let follows = fence.decision == .naive || view.isMet || view.passage != nil
          #expect(follows, "seed \(seed), \(fence.decision), \(view)")
        }
      }
    }
    #expect(crossings > 10, "seed \(seed)")
  }

  @Test("a passage that was never sure is seen when it is over")
  func passage() throws {
    var fence = Fence(id: "f", area: .circle(Circle(center: Ground().place(0), radius: 100)))
    fence.decision = .balanced
    var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
    // By car at 15 m/s, with a fix on each side and none in it.
    let fixes = Day((0, -9_225), (1_230, 9_225)).fixes(every: 30, sigma: 1)
    let found = fixes.flatMap { tracker.judge($0) }.compactMap { $0.view(of: 0)?.passage }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.probability >= $0.needed })
  }

  @Test("a device that came back after a long silence has the stay that was lost")
  func lost() throws {
    var fence = Fence(id: "f", area: .circle(Circle(center: Ground().place(0), radius: 200)))
    fence.decision = .balanced
    var rules = Rules(fences: try FenceSet([fence]))
    rules.memory = 86_400
    var tracker = Tracker(rules: rules)
    let ground = Ground()
    for number in 0..<30 { _ = tracker.judge(ground.fix(Double(number) * 10, 0, accuracy: 8)) }
    #expect(tracker.side(of: 0) == .inside)
    let waits = try #require(tracker.judge(ground.fix(200_000, 0, accuracy: 8)).first)
    #expect(waits.verdict == .waits(.clockJump) && waits.view(of: 0) == nil)
    let back = try #require(tracker.judge(ground.fix(200_010, 0, accuracy: 8)).first)
    #expect(back.verdict == .confirmed)
    #expect(back.lostSince(0) == Ground.time(0))
    #expect(back.sureSince(0) == nil)
    #expect(back.view(of: 0)?.side == .unknown)
    #expect(back.heard == Ground.time(290))
    #expect(back.previous?.time == Ground.time(290))
  }

  @Test("a stay to be is weighed before it is reported, and the way since the last change is known")
  func places() throws {
    var rules = Rules(fences: FenceSet())
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    var tracker = Tracker(rules: rules)
    var candidates: [(seconds: Double, evidence: Double)] = []
    var (moved, probable, away, visits) = ([Double](), [Double](), 0, 0)
    for fix in Day.stay(1_800).fixes(every: 10) {
      for judgement in tracker.judge(fix) {
        if let found = judgement.candidate(VisitRules()) { candidates.append(found) }
        if let metres = judgement.movedDistance { moved.append(metres) }
        if let value = judgement.probability(ofMoving: 500) { probable.append(value) }
        if judgement.awaySince != nil { away += 1 }
        visits += judgement.events.filter { $0.letter == "v" }.count
      }
    }
    #expect(visits == 1 && away > 0)
    let longest = try #require(candidates.map(\.seconds).max())
    #expect(longest >= VisitRules.required.share * VisitRules().minimumStay)
    #expect(candidates.contains { $0.evidence > VisitRules.required.evidence })
    #expect(moved.max() ?? 0 > 500 && probable.allSatisfy { (0...1).contains($0) })
    let required = SignificantChangeRules.required
    #expect((0...1).contains(required.whole) && (0...1).contains(required.half))
    #expect(Decision.cushionTime == 20)
    let nothing = try #require(tracker.judge(Fix(time: nil, coordinate: StripChart.center)).first)
    #expect(nothing.movedDistance == nil && nothing.probability(ofMoving: 1) == nil)
    #expect(nothing.candidate(VisitRules()) == nil && nothing.view(of: 0) == nil)
    #expect(nothing.verdict == .dropped(.timeless))
  }
}

extension Event.Statement {
  fileprivate var isCrossing: Bool {
    switch self {
    case .enter, .exit: true
    default: false
    }
  }
}
