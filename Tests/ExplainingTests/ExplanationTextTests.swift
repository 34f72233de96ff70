import EventLog
import Explaining
import Foundation
import Geodesy
import TestSupport
import Testing
import Text
import Tracking

/// How explanations read.
@Suite("The text of an explanation")
struct ExplanationTextTests {
  /// A walk of 300 m over the edge of a circle, a fix every 5 s, with one far away.
  private func walk(decision: Decision = .balanced, until end: Int = 60) throws -> Explainer {
    let ground = Ground()
    var fixes = (0..<end).map { ground.fix(Double($0) * 5, Double($0) * 5 - 250) }
    if fixes.count > 20 { fixes[20].coordinate.latitude += 10 }
    let rules = Rules(
      fences: try FenceSet([ground.circle("pond", radius: 100, decision: decision)]))
    return Explainer(device: "dog", fixes: fixes, rules: rules)
  }

  private func time(_ seconds: Double) -> Timestamp { Ground.time(seconds) }

  @Test("an enter, with the fixes around it")
  func enter() throws {
    let explanation = try walk().explain(.enter, of: 0, near: time(150))
    #expect(
      explanation.lines == [
        "pond: enter at 2025-03-10 08:02:30.0Z ± 6.4 s, because P(inside) was 0.96813 at 08:02:40.0 and "
          + "balanced needs 0.85055",
        "the crossing lies between the fixes of 08:02:25.0 and 08:02:30.0",
      ])
  }

  @Test("no enter, as the walk ended before the edge")
  func missing() throws {
    let explanation = try walk(until: 29).explain(.enter, of: 0, near: time(150))
    #expect(
      explanation.lines == [
        "pond: no enter: P(inside) reached 0.02238 at 2025-03-10 08:02:20.0Z and balanced needs "
          + "0.85055",
        "fixes that were not used: 1 too far away", "a radius of 120 m would have reported it",
      ])
  }

  @Test("a coarse fix inside that the estimate did not follow was not believed")
  func notBelieved() throws {
    let ground = Ground()
    // At rest 200 m from the centre, but for one fix.
    let fixes = (0..<60).map { number in
      number == 50
        ? ground.fix(1_000, 0, accuracy: 150) : ground.fix(Double(number) * 20, -200)
    }
    let explainer = Explainer(
      device: "dog", fixes: fixes,
      rules: Rules(fences: try FenceSet([ground.circle("pond", radius: 20)])))
    let explanation = explainer.explainMissing(.enter, of: 0, from: time(900), until: time(1_100))
    guard case .missing(.notBelieved(let distance, let at)) = explanation.reason else {
      Issue.record("\(explanation.reason)")
      return
    }
    #expect(at == time(1_000) && distance > 150 && distance < 190)
    #expect(
      explanation.lines[0].hasPrefix(
        "pond: no enter: the fix of 2025-03-10 08:16:40.0Z lay inside, but was not believed: the "
          + "estimate was 17"))
    #expect(explanation.lines.last == "`naive` would have reported it")
    // The fixes before it lay outside.
    let before = explainer.explainMissing(.enter, of: 0, from: time(900), until: time(990))
    guard case .missing(.far) = before.reason else {
      Issue.record("\(before.reason)")
      return
    }
  }

  @Test("a span without a fix names those before and after it")
  func noFix() throws {
    let explanation = try walk().explainMissing(
      .enter, of: 0, from: time(151), until: time(152))
    #expect(
      explanation.reason == .missing(.noFix(before: time(150), after: time(155))))
  }

  @Test("a fence without enters, and a device that is inside")
  func others() throws {
    let ground = Ground()
    let fixes = (0..<60).map { ground.fix(Double($0) * 5, 0) }
    var fence = ground.circle("pond", radius: 100)
    fence.notifications = [.enter]
    let explainer = Explainer(
      device: "dog", fixes: fixes, rules: Rules(fences: try FenceSet([fence])))
    let enter = explainer.explainMissing(.enter, of: 0, from: time(100), until: time(200))
    #expect(enter.reason == .missing(.already(.inside, since: time(0))))
    let exit = explainer.explainMissing(.exit, of: 0, from: time(100), until: time(200))
    #expect(exit.reason == .missing(.notWanted))
  }

  @Test("a device that was never inside has no exit, although its side was not known at first")
  func neverInside() throws {
    let exit = try walk().explainMissing(.exit, of: 0, from: time(0), until: time(60))
    #expect(exit.rows.contains { $0.view?.side == .unknown })
    #expect(exit.reason == .missing(.already(.outside, since: nil)))
  }

  @Test("no recording is too small to be explained", arguments: 0...3)
  func small(count: Int) throws {
    let explainer = try walk(until: count)
    let explanation = explainer.explain(.enter, of: 0, near: time(5))
    #expect((1...3).contains(explanation.lines.count))
    #expect(explanation.rows.count == count)
  }

  @Test("the chart has the same width whatever it shows, and rises with P(inside)")
  func chart() throws {
    let lines = ProbabilityChart.lines(try walk().explain(.enter, of: 0, near: time(150)))
    #expect(lines.count == 6)
    #expect(lines[0] == "P(inside)")
    #expect(lines[1...4].allSatisfy { DisplayWidth.of($0) == 62 })
    #expect(DisplayWidth.of(lines[5]) == 62)
    // Outside at first, inside at the end.
    #expect(lines[4].hasPrefix("0 \u{28C0}"))
    #expect(lines[1].unicodeScalars.last != "\u{2800}")
    #expect(try ProbabilityChart.lines(walk(until: 1).explain(.enter, of: 0, near: time(0))) == [])
  }

  @Test("the table lines up, and shows no more than forty fixes")
  func table() throws {
    let explanation = try walk().explainMissing(.exit, of: 0, from: time(0), until: time(295))
    let lines = ExplanationTable.lines(explanation)
    #expect(lines.count <= 43)
    #expect(lines[0].hasPrefix("time                    fix"))
    #expect(lines.contains { $0.hasPrefix("… ") })
    let columns = lines.filter { !$0.hasPrefix("…") }.map { $0.prefix(22).count }
    #expect(Set(columns) == [22])
  }
}
