import Foundation
import Session
import Settings
import TestSupport
import Testing
import Traces
import Tracking

/// The laws of the engine on the tracks of the stories, with all that is told by default.
@Suite("Laws on the stories")
struct EngineLawTests {
  /// What a tracker says of fixes that are given to it by `play`.
  private func events(
    _ rules: Rules, _ fixes: [Fix], _ play: (inout Tracker, Int, inout [Event]) throws -> Void
  ) rethrows -> [Event] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for index in fixes.indices { try play(&tracker, index, &events) }
    return events
  }

  private func plainly(_ rules: Rules, _ fixes: [Fix]) -> [Event] {
    events(rules, fixes) { tracker, index, events in tracker.ingest(fixes[index], into: &events) }
  }

  @Test("a checkpoint written and restored on the way changes nothing", arguments: Story.all)
  func checkpoints(story: Story) throws {
    let rules = try story.rulesOfAll()
    for fixes in try story.fixes() {
      // A step that has no factor in common with any sampling.
      let restored = try events(rules, fixes) { tracker, index, events in
        if index % 37 == 11 {
          tracker = try JSONDecoder().decode(Tracker.self, from: JSONEncoder().encode(tracker))
        }
        tracker.ingest(fixes[index], into: &events)
      }
      // Not inside #expect, which would print all events.
      let isSame = restored == plainly(rules, fixes)
      #expect(isSame)
    }
  }

  @Test("wake-ups inserted anywhere change nothing", arguments: Story.all)
  func wakeUps(story: Story) throws {
    let seed: UInt64 = 20
    var random = SeededGenerator(seed: seed)
    let rules = try story.rulesOfAll()
    for fixes in try story.fixes() {
      let woken = events(rules, fixes) { tracker, index, events in
        // A wake-up must not run ahead of fixes that are still to come.
        if let before = tracker.lastTime, tracker.counts.waiting == 0,
          let next = fixes[index...].compactMap(\.time).filter({ $0 > before }).min(),
          // A clock jump takes no time: nothing waits through it.
          next.seconds(since: before) < rules.gate.silence
        {
          let share = Double.random(in: 0..<1, using: &random)
          let now = before.advanced(bySeconds: next.seconds(since: before) * share)
          tracker.advance(to: now, into: &events)
          if let due = tracker.nextDeadline, due < next { tracker.advance(to: due, into: &events) }
        }
        tracker.ingest(fixes[index], into: &events)
      }
      let isSame = woken == plainly(rules, fixes)
      #expect(isSame, "seed \(seed)")
    }
  }

  @Test("a reported event never changes with later fixes", arguments: Story.all)
  func cuts(story: Story) throws {
    let rules = try story.rulesOfAll()
    for fixes in try story.fixes() {
      let all = plainly(rules, fixes)
      for share in [0.25, 0.5, 0.75] {
        let part = plainly(rules, Array(fixes.prefix(Int(Double(fixes.count) * share))))
        let isBeginning = all.starts(with: part)
        #expect(isBeginning, "cut at \(share)")
      }
    }
  }

  @Test("enters and exits of a fence alternate, and visits end once", arguments: Story.all)
  func alternation(story: Story) throws {
    let rules = try story.rulesOfAll()
    for fixes in try story.fixes() {
      var inside: [String: Bool] = [:]
      var visit: Visit?
      for event in plainly(rules, fixes) {
        switch event.statement {
        case .enter(let fence, _):
          #expect(inside[fence] != true, "\(fence)")
          inside[fence] = true
        case .exit(let fence, _, _):
          #expect(inside[fence] != false, "\(fence)")
          inside[fence] = false
        case .state(let fence, .unknown, _): inside[fence] = nil
        case .state(let fence, let side, _): inside[fence] = side == .inside
        case .visit(let now):
          #expect((visit == nil) == (now.departure == nil))
          if let visit { #expect(visit.arrival == now.arrival) }
          if let departure = now.departure { #expect(departure > now.arrival) }
          visit = now.departure == nil ? now : nil
        case .dwell, .significantChange: break
        }
      }
    }
  }
}

extension Story {
  /// The story's fences, with visits and significant changes whatever its config says.
  fileprivate func rulesOfAll() throws -> Rules {
    var rules = try Configuration(path: path("waymark.yaml")).rules()
    rules.visits = rules.visits ?? VisitRules()
    rules.significantChanges = rules.significantChanges ?? SignificantChangeRules()
    return rules
  }

  /// The fixes of each of its devices, in the order of the track.
  fileprivate func fixes() throws -> [[Fix]] {
    let feed = try TraceFeed(path: path(track))
    var fixes: [Int32: [Fix]] = [:]
    while let point = try feed.peek() {
      fixes[point.device ?? 0, default: []].append(point.fix)
      feed.take()
    }
    return fixes.keys.sorted().compactMap { fixes[$0] }
  }
}
