import EventLog
import Explaining
import Foundation
import Geodesy
import TestSupport
import Testing
import Tracking

/// A reason must entail what the engine did: one that does not is worse than none.
@Suite("Explanations entail what the engine did")
struct EntailmentTests {
  @Test("every event of a story", arguments: Recordings.stories)
  func stories(_ story: String) throws {
    for explainer in try Recordings.explainers(of: story) {
      #expect(!explainer.occurrences.isEmpty)
      Entailment(explainer, "\(story), \(explainer.device)").checkEvents()
    }
  }

  @Test("the ids of a story's log are those that are explained", arguments: Recordings.stories)
  func ids(_ story: String) throws {
    let explainers = try Recordings.explainers(of: story)
    let ids = try Recordings.ids(of: story)
    #expect(!ids.isEmpty)
    let found = explainers.flatMap { explainer in
      explainer.occurrences.compactMap { explainer.explain($0)?.id?.description }
    }
    #expect(Set(found) == ids)
  }

  @Test("every event that a story does not have", arguments: Recordings.stories)
  func missing(_ story: String) throws {
    var random = SeededGenerator(seed: 7)
    for explainer in try Recordings.explainers(of: story) {
      Entailment(explainer, "\(story), \(explainer.device), seed 7").checkMissing(4, &random)
    }
  }

  @Test("1,000 random tracks", arguments: 0..<20)
  func random(_ part: Int) {
    for seed in UInt64(part * 50)..<UInt64(part * 50 + 50) {
      var random = SeededGenerator(seed: seed)
      let (rules, fixes) = RandomWorld.make(&random)
      let explainer = Explainer(device: "walk", fixes: fixes, rules: rules)
      let entailment = Entailment(explainer, "seed \(seed)")
      entailment.checkEvents()
      // The counterfactuals play the whole track many times.
      if seed % 10 == 0 { entailment.checkMissing(2, &random) }
    }
  }

  @Test("judging a fix changes the engine as ingesting it does", arguments: UInt64(1)...40)
  func judging(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var (judged, plain) = (Tracker(rules: rules), Tracker(rules: rules))
    for (number, fix) in fixes.enumerated() {
      var events: [Event] = []
      plain.ingest(fix, into: &events)
      let found = judged.judge(fix).flatMap { $0.silence + $0.events }
      // Two fixes that are used at once have their events in one order.
      let isSame = Set(found) == Set(events) && found.count == events.count
      #expect(isSame, "seed \(seed), fix \(number)")
    }
    let isSame = judged == plain
    #expect(isSame, "seed \(seed)")
  }
}
